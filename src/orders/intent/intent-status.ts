/** Where an intent stands at a time: still open, over its time, or left by its sender. Pure. */
import { type Intent, maxDraftAgeMs } from './intent.ts';
import type { ProcessRegistry } from './ports.ts';
import { openStates } from './states.ts';

const open = new Set<string>(openStates);

/** Not decided, or about to be sent again by its sender. */
export const isOpen = (intent: Intent, now: number): boolean =>
  open.has(intent.state) || (intent.state === 'NOT_SENT' && now < (intent.retryUntil ?? 0));

/** Whether the time of an intent that has not left is over. */
export const isOverdue = ({ approval, createdAt }: Intent, now: number): boolean =>
  // A clock that was set back must not make an approval last longer.
  approval ? now >= approval.expiresAt || now < approval.askedAt - clockSlackMs : now > createdAt + maxDraftAgeMs;

const clockSlackMs = 5_000;

/** From the commit to the last byte of the answer. */
export const responseTimeoutMs = 15_000;

/** Its sender is dead, or its answer is overdue twice. */
export const isAbandoned = (intent: Intent, processes: ProcessRegistry, now: number): boolean => {
  const { sentAt = intent.changedAt, answerBy = sentAt + responseTimeoutMs, sender } = intent;
  return (sender !== undefined && !processes.isAlive(sender)) || now > answerBy + (answerBy - sentAt);
};
