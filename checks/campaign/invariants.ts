/**
 * What a trial must come to, besides what the judge finds: no call fails, a booked order is found again, and the outcome
 * is one that its fault allows. Pure: observations in, violations out.
 */
import type { OrderJson } from './account.ts';
import type { Said } from './server-process.ts';

export interface Evidence {
  readonly booked: readonly OrderJson[];
  /** The results of the placing calls. */
  readonly said: readonly Said[];
  /** What another process reported about each intent afterwards. */
  readonly later: readonly Said[];
  /** The correct outcomes of a placing call; left out: any true one. */
  readonly expected?: readonly string[] | undefined;
}

export const checkTrial = (evidence: Evidence): string[] => [
  ...[...evidence.said, ...evidence.later].flatMap((said) => failure(said, evidence.expected)),
  ...found(evidence),
  ...asExpected(evidence),
];

/** A failure that no scenario plans. */
export function failure({ outcome, body }: Said, expected: readonly string[] = []): string[] {
  const isFailure = outcome === 'error:internal' || outcome === 'error:protocol' || outcome === 'no_answer';
  return isFailure && !expected.includes(outcome)
    ? [`a call came to ${outcome}: ${JSON.stringify(body).slice(0, 200)}`]
    : [];
}

/** A booked order is found in the end, even if its response was lost. */
function found({ booked, later }: Evidence): string[] {
  if (booked.length !== 1 || later.some(({ outcome }) => outcome === 'placed')) return [];
  return [`I4: a booked order was not found again (${later.map(({ outcome }) => outcome).join(', ') || 'no intent'})`];
}

function asExpected({ said, expected }: Evidence): string[] {
  if (!expected) return [];
  return said
    .filter(({ outcome }) => !expected.includes(outcome))
    .map(
      ({ outcome, body }) =>
        `said ${outcome} instead of ${expected.join(' or ')}: ${[body.rule, body.message].filter(Boolean).join(': ')}`,
    );
}
