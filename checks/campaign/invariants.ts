/** What must hold after a trial, whatever was done to it. Pure: observations in, violations out. */
import type { Intent } from '../../src/orders/intent/intent.ts';
import type { OrderJson } from './account.ts';
import type { Said } from './server-process.ts';
import type { OrderPost } from './upstream.ts';

export interface Evidence {
  /** The order requests of this trial's quantity, and those whose body never arrived. */
  readonly posts: readonly OrderPost[];
  readonly booked: readonly OrderJson[];
  readonly intents: readonly Intent[];
  /** The results of the placing calls. */
  readonly said: readonly Said[];
  /** What another process reported about each intent afterwards. */
  readonly later: readonly Said[];
  /** The correct outcomes of a placing call; left out: any true one. */
  readonly expected?: readonly string[] | undefined;
}

/** These state that no order exists. */
const negative = new Set(['not_sent', 'rejected', 'refused', 'declined', 'expired']);

export function judge(evidence: Evidence): string[] {
  return [
    ...onceAtMost(evidence),
    ...[...evidence.said, ...evidence.later].flatMap((said) => contradiction(said, evidence)),
    ...found(evidence),
    ...asExpected(evidence),
  ];
}

/** I1. Only a response that was read completely and refused for the rate allows another request. */
function onceAtMost({ posts, booked }: Evidence): string[] {
  const serious = posts.filter(({ refusedForRate }) => !refusedForRate);
  return [
    serious.length > 1 && `I1: ${serious.length} requests of one order may have been accepted`,
    booked.length > 1 && `I1: one order was booked ${booked.length} times`,
  ].flatMap((line) => (line ? [line] : []));
}

/** I4. */
function contradiction({ outcome, body }: Said, { booked, intents, said, expected }: Evidence): string[] {
  const isFailure = outcome === 'error:internal' || outcome === 'error:protocol' || outcome === 'no_answer';
  if (isFailure && !expected?.includes(outcome))
    return [`a call came to ${outcome}: ${JSON.stringify(body).slice(0, 200)}`];
  if (outcome === 'placed') {
    const orderId = String(body.orderId);
    return booked.some(({ id }) => String(id) === orderId)
      ? []
      : [`I4: said placed (${orderId}), and there is no such order`];
  }
  // The order may belong to another intent.
  const unclaimed = booked.filter(
    ({ id }) => !intents.some((intent) => intent.id !== body.intentId && intent.orderId === String(id)),
  );
  if (unclaimed.length === 0) return [];
  if (negative.has(outcome)) return [`I4: said ${outcome}, and there is such an order`];
  if (outcome.startsWith('error:') && outcome !== 'error:cancelled' && said.length === 1)
    return [`I4: answered with ${outcome}, which invites a retry, and there is such an order`];
  return [];
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
    .map(({ outcome, body }) => `said ${outcome} instead of ${expected.join(' or ')}: ${String(body.message ?? '')}`);
}
