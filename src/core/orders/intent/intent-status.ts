/** Status of an intent at a given time: open, overdue, or abandoned by its sender. Pure. */

import { clockSlackMs, holdsUntil } from '../../clock.ts';
import type { ProcessRegistry } from '../../lease.ts';
import { type Approval, type Intent, maxDraftAgeMs } from './intent.ts';
import type { JournalChange } from './journal-port.ts';
import { allStates, openStates } from './states.ts';

const open = new Set<string>(openStates);
const unsent = new Set<string>(['AWAITING_APPROVAL', 'APPROVED']);

/**
 * Undecided, or its sender may still send it again. An order that is overdue has ended, although its row does not say
 * so yet.
 */
export function isOpen(intent: Intent, now: number): boolean {
  const { state } = intent;
  if (state === 'NOT_SENT') return holdsUntil(intent.retryUntil, now, maxRetryMs);
  return open.has(state) && !(unsent.has(state) && isOverdue(intent, now));
}

/**
 * Whether the time limit of an intent that was not sent has passed. Written so that a time that cannot be read has
 * passed.
 */
export const isOverdue = ({ approval, createdAt }: Intent, now: number): boolean =>
  approval ? isApprovalOver(approval, now) : !holdsUntil(createdAt + maxDraftAgeMs, now, maxDraftAgeMs);

/** Whether the time of an approval is over. A clock that was set back must not make it last longer. */
export const isApprovalOver = ({ askedAt, expiresAt }: Pick<Approval, 'askedAt' | 'expiresAt'>, now: number): boolean =>
  !holdsUntil(expiresAt, now, maxApprovalMs) || !(now >= askedAt - clockSlackMs);

/** The longest (ms) that a person has to approve an order or a draft. */
export const maxApprovalMs = 300_000;
/** Longer (ms) than a call that may try an order again. */
const maxRetryMs = 120_000;

/** Milliseconds from the commit to the last byte of the response. */
export const responseTimeoutMs = 15_000;

/** Whether the sender is dead, or twice the time for the response has passed. A time that cannot be read has passed. */
export const isAbandoned = (intent: Intent, processes: ProcessRegistry, now: number): boolean => {
  const { sentAt = intent.changedAt, answerBy = sentAt + responseTimeoutMs, sender } = intent;
  const isGone = sender !== undefined && !processes.isAlive(sender);
  return isGone || !holdsUntil(answerBy + (answerBy - sentAt), now, 2 * responseTimeoutMs);
};

// When orders were placed, by a clock that may have been ahead at that time. An order of the future would count in each
// limit until its time comes. It counts as placed at the moment when a process first saw that its time is wrong: what it
// blocks ends as late as after an order of that moment.

type Times = Pick<Intent, 'createdAt' | 'sentAt' | 'seenAheadAt'>;

/** A time of the row (ms) as it counts now. */
export const correctTime = (at: number, { seenAheadAt }: Pick<Intent, 'seenAheadAt'>, now: number): number =>
  at <= now + clockSlackMs ? at : Math.min(seenAheadAt ?? now, now);

/** When an order was sent, or else created (ms). */
export const getPlacedAt = (intent: Times, now: number): number =>
  correctTime(intent.sentAt ?? intent.createdAt, intent, now);

/** Records for the orders of the future that their times are wrong. The times stay, because `now` may be wrong instead. */
export async function noteOrdersAhead(tx: JournalChange, accountKey: string, now: number): Promise<void> {
  for (const intent of await tx.list({ accountKey, states: allStates, createdSince: now + clockSlackMs }))
    if (intent.seenAheadAt === undefined || intent.seenAheadAt > now)
      await tx.move(intent.id, intent.state, { state: intent.state, seenAheadAt: now });
}
