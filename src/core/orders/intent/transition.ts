import { ExpectedError } from '../../errors.ts';
import type { Intent } from './intent.ts';
import type { JournalChange } from './ports.ts';
import { type IntentEvent, nextState } from './states.ts';

/** Thrown when another process changed the intent first; read the row again for its state. */
export class ConcurrentUpdateError extends ExpectedError {}

/**
 * Writes one transition of the state table and returns the new row. Throws ConcurrentUpdateError when another
 * process changed the row first.
 */
export async function applyTransition(
  tx: JournalChange,
  intent: Intent,
  event: IntentEvent,
  now: number,
  change: Partial<Intent>,
): Promise<Intent> {
  const state = nextState(intent.state, event);
  const moved = await tx.move(intent.id, intent.state, { ...change, state, changedAt: now });
  if (!moved) throw new ConcurrentUpdateError();
  return moved;
}
