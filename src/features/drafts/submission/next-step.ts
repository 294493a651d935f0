/** Decides what an attempt to send a draft does next, from what the store knows. Pure. */

import { lagMs } from '../../../core/orders/account/exposure.ts';
import { type Intent, isOpen, isOverdue } from '../../../core/orders/intent/intent.ts';
import { type OutcomeName, toOutcome } from '../../../core/orders/intent/outcome.ts';
import type { RuleName } from '../../../core/orders/intent/refusal.ts';
import { listTimesOfMinute } from '../../../core/orders/risk/evaluate-order.ts';
import {
  isPastEnd,
  type Submission,
  type SubmissionDeps,
  type SubmissionLeg,
  type SubmissionView,
} from './submission.ts';

/** A leg with its intent, once it has one. */
export interface LegState {
  readonly leg: SubmissionLeg;
  readonly intent: Intent | undefined;
}

export type Step =
  /** The attempt ended before. */
  | { readonly kind: 'ended' }
  /** Every leg was placed. */
  | { readonly kind: 'done' }
  | { readonly kind: 'stop'; readonly reason: string; readonly rule?: RuleName | undefined }
  /** A leg is being sent, by this process or another. */
  | { readonly kind: 'wait' }
  /**
   * It is the turn of this leg, not before `notBefore` (ms). `sells` are the placed orders that it depends on.
   */
  | {
      readonly kind: 'send';
      readonly leg: SubmissionLeg;
      readonly sells: readonly Intent[];
      readonly notBefore: number;
    };

/** The legs in the sequence in which they are sent. */
export const inSequence = (legs: readonly LegState[]): readonly LegState[] =>
  legs.toSorted((a, b) => a.leg.position - b.leg.position);

/** Why no further leg of an attempt is sent after its end. */
export const pastEnd = { rule: 'submission_ended', reason: 'The time to send the draft has passed.' } as const;

/** The next step of an attempt at the time `now` (ms). A leg has its turn only when all before it were placed. */
export function getNextStep(submission: Submission, legs: readonly LegState[], now: number): Step {
  if (submission.state !== 'sending') return { kind: 'ended' };
  const placed: Intent[] = [];
  for (const { leg, intent } of inSequence(legs)) {
    if (leg.state === 'waiting') {
      if (isPastEnd(submission, now)) return { kind: 'stop', ...pastEnd };
      if (!leg.isDependent) return { kind: 'send', leg, sells: [], notBefore: 0 };
      const sells = placed.filter(({ request }) => request.side === 'SELL');
      return { kind: 'send', leg, sells, notBefore: getSettledAt(legs) };
    }
    if (!intent) return { kind: 'stop', reason: `Order ${leg.number} is not in the journal.` };
    if (isPlaced(intent)) placed.push(intent);
    else if (isMoving(intent, now)) return { kind: 'wait' };
    else return stopAfter(leg, intent, now);
  }
  return { kind: 'done' };
}

/**
 * When the cash shows the buys that were sent while the proceeds of the sells arrived (ms). A drop of the cash is how
 * the rules see that it includes an order, and proceeds that arrive at the same time hide the drop.
 */
function getSettledAt(legs: readonly LegState[]): number {
  const early = legs.flatMap(({ leg, intent }) =>
    intent?.request.side === 'BUY' && !leg.isDependent ? [intent.changedAt + lagMs] : [],
  );
  return Math.max(0, ...early);
}

/** Accepted as it was requested. */
const isPlaced = ({ state, mismatch }: Intent): boolean => state === 'PLACED' && !mismatch?.length;

const isMoving = (intent: Intent, now: number): boolean => intent.state === 'SENDING' || isWaitingIntent(intent, now);

/** Whether an order has not left and still may: it waits for its turn at the broker, or is tried again. */
export const isWaitingIntent = (intent: Intent, now: number): boolean =>
  (intent.state === 'APPROVED' && !isOverdue(intent, now)) || isRetried(intent, now);

const isRetried = (intent: Intent, now: number): boolean => intent.state === 'NOT_SENT' && isOpen(intent, now);

/** What stopped an attempt, after the number of the order. */
const legEnds: Record<OutcomeName, string> = {
  placed: 'was placed',
  pending_approval: 'waits for an approval',
  declined: 'was rejected by a person',
  expired: 'expired before it was sent',
  refused: 'was refused by this server',
  rejected: 'was rejected by the broker',
  not_sent: 'was not sent',
  unknown: 'may be live: its outcome is unknown',
};

function stopAfter({ number }: SubmissionLeg, intent: Intent, now: number): Step {
  const { outcome, rule, reason } = toOutcome(intent, now);
  const what = intent.state === 'PLACED' ? 'was placed with differences' : legEnds[outcome];
  return { kind: 'stop', rule, reason: `Order ${number} ${what}.${reason === undefined ? '' : ` ${reason}`}` };
}

/** Whether it is certain that no request was sent for a leg. */
export const isUnsent = ({ leg, intent }: LegState, now: number): boolean =>
  leg.state === 'waiting' || (intent !== undefined && isUnsentIntent(intent, now));

/** Whether it is certain that no request was or will be sent for an intent. */
export const isUnsentIntent = (intent: Intent, now: number): boolean =>
  unsentStates.has(intent.state) && !isRetried(intent, now);

const unsentStates = new Set<string>(['REFUSED', 'DECLINED', 'EXPIRED', 'NOT_SENT']);

// The pace of the legs: the limit of orders per minute lets them wait instead of refusing them.

/** Milliseconds until the limit per minute lets the next order of the account pass; 0 or less when it does now. */
export async function readPace(
  { clock, limits }: Pick<SubmissionDeps, 'clock' | 'limits'>,
  tx: SubmissionView,
  accountKey: string,
): Promise<number> {
  const now = clock.now();
  const { ordersPerMinute } = await limits(tx);
  const times = await listTimesOfMinute(tx, accountKey, now);
  const blocking = times.toSorted((a, b) => b - a)[ordersPerMinute - 1];
  return blocking === undefined ? 0 : blocking + 60_000 - now;
}
