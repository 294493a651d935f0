/**
 * Handles requests whose sender is gone. The broker may have accepted them, so they become unknown and no process
 * sends them again.
 */
import { haltIfNeeded } from '../halt/auto-halt.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';
import { initialSearch } from './reconcile-schedule.ts';

/**
 * Moves an intent from SENDING to UNKNOWN and starts the search for it. Does nothing when another process moved it
 * first.
 */
export async function markUnknown(tx: JournalChange, intent: Intent, now: number): Promise<void> {
  const moved = await tx.move(intent.id, 'SENDING', {
    state: nextState('SENDING', 'lose'),
    changedAt: now,
    reason: 'The process that sent the order ended before it recorded the response.',
    search: initialSearch(now),
  });
  if (moved) await haltIfNeeded(tx, moved, now);
}
