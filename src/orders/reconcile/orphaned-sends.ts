/** A request that nobody waits for any more may have been accepted. It is never taken over: it is unknown. */
import { haltIfNeeded } from '../halt/auto-halt.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange, Processes } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';
import { firstSearch } from './reconcile-schedule.ts';

/** From the commit to the last byte of the answer. */
export const answerMs = 15_000;

/** Its sender is dead, or its answer is overdue twice. */
export const isAbandoned = (intent: Intent, processes: Processes, now: number): boolean => {
  const { sentAt = intent.changedAt, answerBy = sentAt + answerMs, sender } = intent;
  return (sender !== undefined && !processes.isAlive(sender)) || now > answerBy + (answerBy - sentAt);
};

export async function giveUp(tx: JournalChange, intent: Intent, now: number): Promise<void> {
  const moved = await tx.move(intent.id, 'SENDING', {
    state: nextState('SENDING', 'lose'),
    changedAt: now,
    reason: 'The process that sent it ended before the answer was written down.',
    search: firstSearch(now),
  });
  if (moved) await haltIfNeeded(tx, moved, now);
}
