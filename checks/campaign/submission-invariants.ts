/**
 * What a draft must come to, besides what the judge finds in the record: buys wait for fills, booked legs are found
 * again, no later version has a leg that left, and it ends as its scenario allows. Pure: observations in, violations out.
 */

import type { Intent } from '../../src/core/orders/intent/intent.ts';
import type { DraftVersion } from '../../src/features/drafts/book/draft.ts';
import { failure } from './invariants.ts';
import type { CampaignLeg } from './planned-legs.ts';
import type { Said } from './server-process.ts';
import type { OrderPost } from './upstream.ts';

/** One version that was submitted, by one process or by many at once. */
export interface Attempt {
  readonly version: number;
  readonly legs: readonly CampaignLeg[];
  readonly submissionId: string | undefined;
  /** The order requests of this attempt, as the service received them. */
  readonly posts: readonly OrderPost[];
  /** What processes said about it while it ran. */
  readonly said: readonly Said[];
  /** What another process said when it was over and every order had been found. */
  readonly last: Said;
  /** The correct outcomes at the end; left out: done or stopped. */
  readonly expected?: readonly string[] | undefined;
  /** When the approval ended (ms), where it was cut short. */
  readonly endsAt?: number | undefined;
}

export interface SubmissionEvidence {
  readonly attempts: readonly Attempt[];
  /** Every version of the draft. */
  readonly versions: readonly DraftVersion[];
  readonly intents: readonly Intent[];
  /** When the sells were filled (ms), by quantity; undefined where buys do not wait for them. */
  readonly fills?: ReadonlyMap<string, number> | undefined;
}

export function checkSubmission(evidence: SubmissionEvidence): string[] {
  return [
    ...evidence.attempts.flatMap((attempt) => [
      ...[...attempt.said, attempt.last].flatMap((said) => failure(said)),
      ...paidFor(attempt, evidence),
      ...committedInTime(attempt, evidence),
      ...found(attempt),
      ...ended(attempt, evidence),
    ]),
    ...frozen(evidence),
  ];
}

const serious = (posts: readonly OrderPost[]) => posts.filter(({ refusedForRate }) => !refusedForRate);

/** Buys that depend on sells leave after every fill. */
function paidFor({ posts, legs }: Attempt, { fills }: SubmissionEvidence): string[] {
  if (!fills) return [];
  const sold = legs.filter(({ side }) => side === 'SELL').map(({ quantity }) => fills.get(quantity));
  const bought = legs.filter(({ side }) => side === 'BUY').map(({ quantity }) => quantity);
  return serious(posts)
    .filter(({ quantity, at }) => bought.includes(quantity ?? '') && sold.some((filled) => (filled ?? at + 1) > at))
    .map(({ quantity }) => `out of turn: ${quantity} left before the sells that pay for it were filled`);
}

/** The judge sees when a request arrived, which is later than its commit. */
function committedInTime({ endsAt, legs }: Attempt, { intents }: SubmissionEvidence): string[] {
  const own = intents.filter(({ request }) => legs.some(({ quantity }) => quantity === request.quantity));
  return endsAt !== undefined && own.some(({ sentAt = 0 }) => sentAt >= endsAt)
    ? ['I3: a leg was committed after the approval had expired']
    : [];
}

/** Every booked leg is known as placed in the last report. */
function found({ last, legs, posts, submissionId }: Attempt): string[] {
  if (last.body.submissionId !== submissionId) return [];
  const said = (last.body.legs ?? []) as readonly { readonly leg: number; readonly outcome: string }[];
  return said
    .filter(({ leg, outcome }) => {
      const { quantity } = legs[leg - 1] ?? {};
      return outcome !== 'placed' && posts.some((post) => post.quantity === quantity && post.booked);
    })
    .map(({ leg, outcome }) => `I4: leg ${leg} was booked and not found again (${outcome})`);
}

function ended({ last, expected = ['done', 'stopped'], legs }: Attempt, { intents }: SubmissionEvidence): string[] {
  const { outcome, body } = last;
  // A busy machine took longer from the commit to the request than the checks of the commit hold: nothing was sent.
  const wasLate = intents.some(
    ({ state, request }) => state === 'NOT_SENT' && legs.some(({ quantity }) => quantity === request.quantity),
  );
  const isExpected = expected.includes(outcome) || (wasLate && outcome === 'stopped');
  return isExpected ? [] : [`end: it came to ${outcome} instead of ${expected.join(' or ')}: ${String(body.reason)}`];
}

/** A leg that may have been accepted is in no version that was made after its attempt. */
function frozen({ attempts, versions }: SubmissionEvidence): string[] {
  return attempts.flatMap(({ version, posts }) => {
    const left = new Set(serious(posts).map(({ quantity }) => quantity));
    const later = versions.filter((one) => one.version > version).flatMap(({ legs }) => legs);
    return later
      .filter(({ quantity }) => left.has(quantity))
      .map(({ quantity }) => `frozen: ${quantity} left with version ${version} and is in a later version`);
  });
}
