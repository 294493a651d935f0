/**
 * Handles requests whose sender is gone. The broker may have accepted them, so they become unknown and no process
 * sends them again.
 */
import { haltIfNeeded } from '../halt/auto-halt.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange, ProcessRegistry } from '../intent/ports.ts';
import { nextState } from '../intent/states.ts';
import { initialSearch } from './reconcile-schedule.ts';

/**
 * Moves an intent from SENDING to UNKNOWN and starts the search for it. Does nothing when another process moved it
 * first.
 */
export async function markUnknown(
  tx: JournalChange,
  intent: Intent,
  processes: ProcessRegistry,
  now: number,
): Promise<void> {
  const hasEnded = intent.sender !== undefined && !processes.isAlive(intent.sender);
  const moved = await tx.move(intent.id, 'SENDING', {
    state: nextState('SENDING', 'lose'),
    changedAt: now,
    reason: hasEnded
      ? 'The process that was sending the order ended before it recorded a response.'
      : 'The process that was sending the order has not recorded a response in time.',
    search: initialSearch(now),
  });
  if (moved) await haltIfNeeded(tx, moved, now);
}
