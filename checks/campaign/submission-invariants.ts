/** What must hold after a draft was sent, whatever was done to it. Pure: observations in, violations out. */
import type { DraftVersion } from '../../src/drafting/book/draft.ts';
import type { Intent } from '../../src/orders/intent/intent.ts';
import { type CampaignLeg, inSendingOrder } from './planned-legs.ts';
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
  /** When a person approved it (ms), and when that ended; undefined when nobody did. */
  readonly approved?: { readonly at: number; readonly endsAt?: number | undefined } | undefined;
  /** A discarding or a halt, at the moment when it was acknowledged. */
  readonly stop?: Stop | undefined;
}

export interface Stop {
  readonly at: number;
  /** The quantities of the legs that were being sent or had been sent by then. */
  readonly committed: ReadonlySet<string>;
}

export interface SubmissionEvidence {
  readonly attempts: readonly Attempt[];
  readonly needsApproval: boolean;
  /** Every version of the draft. */
  readonly versions: readonly DraftVersion[];
  readonly intents: readonly Intent[];
  /** The versions that somebody changed, and that therefore must not be sent. */
  readonly replaced: ReadonlySet<number>;
  /** When the sells were filled (ms), by quantity; undefined where buys do not wait for them. */
  readonly fills?: ReadonlyMap<string, number> | undefined;
}

/** A committed order is written within two seconds; the rest is for machines that are busy. */
const longestWriteMs = 8_000;

export function judgeSubmission(evidence: SubmissionEvidence): string[] {
  return [
    ...once(evidence),
    ...evidence.attempts.flatMap((attempt) => [
      ...ofItsVersion(attempt, evidence),
      ...inTurn(attempt, evidence),
      ...notAfterStop(attempt),
      ...approvedOnly(attempt, evidence),
      ...[...attempt.said, attempt.last].flatMap((said) => contradictions(said, attempt)),
      ...ended(attempt, evidence),
    ]),
    ...frozen(evidence),
  ];
}

const serious = (posts: readonly OrderPost[]) => posts.filter(({ refusedForRate }) => !refusedForRate);

/** I1, over all attempts: a leg that may have been accepted never leaves again. */
function once({ attempts }: SubmissionEvidence): string[] {
  const posts = serious(attempts.flatMap((attempt) => attempt.posts));
  const quantities = new Set(posts.map(({ quantity }) => quantity));
  return [...quantities].flatMap((quantity) => {
    const same = posts.filter((post) => post.quantity === quantity);
    const booked = same.filter((post) => post.booked).length;
    return same.length > 1 ? [`doubled: a leg left ${same.length} times and was booked ${booked} times`] : [];
  });
}

function ofItsVersion({ posts, legs, version }: Attempt, { replaced }: SubmissionEvidence): string[] {
  const isLeg = ({ quantity, fields, endpoint }: OrderPost) =>
    legs.some(
      (leg) =>
        leg.quantity === quantity &&
        leg.ticker === fields.ticker &&
        leg.type.toLowerCase() === endpoint &&
        (leg.side === 'SELL') === Number(fields.quantity) < 0,
    );
  // The body of a request may never have arrived.
  const foreign = posts.filter((post) => post.quantity !== undefined && !isLeg(post));
  return [
    ...foreign.map(({ quantity }) => `another version: ${quantity} left, which is no leg of version ${version}`),
    ...(replaced.has(version) && serious(posts).length > 0
      ? [`another version: version ${version} left after it had been changed`]
      : []),
  ];
}

/** Sells first, one after the other, each only when the one before was accepted. */
function inTurn({ posts, legs }: Attempt, { fills }: SubmissionEvidence): string[] {
  const left = serious(posts).filter(({ quantity }) => quantity !== undefined);
  const sequence = inSendingOrder(legs);
  const wanted = sequence.slice(0, left.length).map(({ quantity }) => quantity);
  const got = left.map(({ quantity }) => quantity);
  if (got.join() !== wanted.join()) return [`out of turn: ${got.join(', ')} left instead of ${wanted.join(', ')}`];
  return left.flatMap((post, index) => {
    const before = left[index - 1];
    const sells = sequence.filter(({ side }) => side === 'SELL').map(({ quantity }) => fills?.get(quantity));
    const isEarly = sequence[index]?.side === 'BUY' && sells.some((at) => at === undefined || post.at < at);
    return [
      before && !before.booked && 'out of turn: a leg left although the one before was not accepted',
      fills && isEarly && 'out of turn: a buy left before the sells that pay for it were filled',
    ].flatMap((line) => line || []);
  });
}

/** An order that was being written when the stop was acknowledged may arrive after it; no other, and none much later. */
function notAfterStop({ stop, posts }: Attempt): string[] {
  if (!stop) return [];
  const late = serious(posts).filter(({ at }) => at > stop.at);
  return late.flatMap(({ quantity, at }, index) => {
    const wasOnItsWay = index === 0 && (quantity === undefined || stop.committed.has(quantity));
    return wasOnItsWay && at - stop.at < longestWriteMs
      ? []
      : [`after a stop: ${quantity} left ${at - stop.at} ms later`];
  });
}

function approvedOnly({ posts, approved, legs }: Attempt, { needsApproval, intents }: SubmissionEvidence): string[] {
  if (!needsApproval || serious(posts).length === 0) return [];
  if (!approved) return ['I3: a leg left although nobody approved the draft'];
  const { at, endsAt = Number.POSITIVE_INFINITY } = approved;
  const sent = intents.filter(({ request }) => legs.some(({ quantity }) => quantity === request.quantity));
  return [
    posts.some((post) => post.at < at) && 'I3: a leg left before the draft was approved',
    posts.some((post) => post.at > endsAt + longestWriteMs) && 'I3: a leg left after the approval had expired',
    sent.some(({ sentAt = 0 }) => sentAt >= endsAt) && 'I3: a leg was committed after the approval had expired',
  ].flatMap((line) => line || []);
}

/** These state that no order exists. */
const negative = new Set(['not_sent', 'waiting', 'rejected', 'refused', 'declined', 'expired']);

interface LegSaid {
  readonly leg: number;
  readonly outcome: string;
  readonly orderId?: string;
}

/** I4, for each leg of a report. Only the last report is about a time when nothing moves. */
function contradictions(said: Said, { legs, posts, submissionId, last }: Attempt): string[] {
  if (said.outcome === 'error:internal' || said.outcome === 'error:protocol' || said.outcome === 'no_answer')
    return [`a call came to ${said.outcome}: ${JSON.stringify(said.body).slice(0, 200)}`];
  if (said.body.submissionId !== submissionId) return [];
  return ((said.body.legs ?? []) as readonly LegSaid[]).flatMap(({ leg, outcome, orderId }) => {
    const { quantity } = legs[leg - 1] ?? {};
    const own = posts.filter((post) => post.quantity === quantity);
    const booked = own.find((post) => post.booked)?.booked;
    const isLast = said === last;
    const couldFollow = outcome === 'waiting' && !isLast;
    return [
      outcome === 'placed' && String(booked?.id) !== orderId && `I4: leg ${leg} is said to be placed as ${orderId}`,
      negative.has(outcome) && booked && !couldFollow && `I4: leg ${leg} is said to be ${outcome}, and was booked`,
      outcome === 'not_sent' && serious(own).length > 0 && `I4: leg ${leg} is said to be not_sent, and left`,
      outcome === 'waiting' && isLast && `I4: leg ${leg} is said to be waiting after the end`,
      isLast && booked && outcome !== 'placed' && `I4: leg ${leg} was booked and not found again (${outcome})`,
    ].flatMap((line) => line || []);
  });
}

function ended(
  { last, expected = ['done', 'stopped'], legs, posts }: Attempt,
  { intents }: SubmissionEvidence,
): string[] {
  const { outcome, body } = last;
  // A busy machine took longer from the commit to the request than the checks of the commit hold: nothing was sent.
  const wasLate = intents.some(
    ({ state, request }) => state === 'NOT_SENT' && legs.some(({ quantity }) => quantity === request.quantity),
  );
  const isExpected = expected.includes(outcome) || (wasLate && outcome === 'stopped');
  const booked = legs.filter(({ quantity }) => posts.some((post) => post.quantity === quantity && post.booked)).length;
  return [
    !isExpected && `end: it came to ${outcome} instead of ${expected.join(' or ')}: ${String(body.reason)}`,
    outcome === 'done' && booked < legs.length && `I4: it is said to be done with ${booked} of ${legs.length} orders`,
  ].flatMap((line) => line || []);
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
