/** Status of an intent at a given time: open, overdue, or abandoned by its sender. Pure. */
import { type Approval, type Intent, maxDraftAgeMs } from './intent.ts';
import type { ProcessRegistry } from './ports.ts';
import { openStates } from './states.ts';

const open = new Set<string>(openStates);

/** Undecided, or its sender may still send it again. */
export const isOpen = (intent: Intent, now: number): boolean =>
  open.has(intent.state) || (intent.state === 'NOT_SENT' && now < (intent.retryUntil ?? 0));

/**
 * Whether the time limit of an intent that was not sent has passed. Written so that a time that cannot be read has
 * passed.
 */
export const isOverdue = ({ approval, createdAt }: Intent, now: number): boolean =>
  approval ? !isInTime(approval, now) : !(now <= createdAt + maxDraftAgeMs);

/** Whether an approval can still be given or used. A clock that was set back must not make it last longer. */
export const isInTime = ({ askedAt, expiresAt }: Pick<Approval, 'askedAt' | 'expiresAt'>, now: number): boolean =>
  now < expiresAt && now >= askedAt - clockSlackMs;

/** How far ahead of the clock an approval may have been requested or given (ms). */
export const clockSlackMs = 5_000;

/** Milliseconds from the commit to the last byte of the response. */
export const responseTimeoutMs = 15_000;

/** Whether the sender is dead, or twice the time for the response has passed. A time that cannot be read has passed. */
export const isAbandoned = (intent: Intent, processes: ProcessRegistry, now: number): boolean => {
  const { sentAt = intent.changedAt, answerBy = sentAt + responseTimeoutMs, sender } = intent;
  return (sender !== undefined && !processes.isAlive(sender)) || !(now <= answerBy + (answerBy - sentAt));
};
