/** A request that nobody waits for any more may have been accepted. It is never taken over: it is unknown. */
import { haltIfNeeded } from '../halt/auto-halt.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';
import { initialSearch } from './reconcile-schedule.ts';

export async function markUnknown(tx: JournalChange, intent: Intent, now: number): Promise<void> {
  const moved = await tx.move(intent.id, 'SENDING', {
    state: nextState('SENDING', 'lose'),
    changedAt: now,
    reason: 'The process that sent the order ended before it recorded the response.',
    search: initialSearch(now),
  });
  if (moved) await haltIfNeeded(tx, moved, now);
}
