import type { Intent } from './intent.ts';
import type { JournalChange } from './ports.ts';
import { type IntentEvent, nextState } from './states.ts';

/** The intent was taken by somebody else in the meantime: its row says what became of it. */
export class ConcurrentUpdateError extends Error {}

/** One step of the table of states, in the journal. Throws ConcurrentUpdateError when the row has moved on without us. */
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
