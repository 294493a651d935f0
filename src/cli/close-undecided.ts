import type { Clock } from '../core/clock.ts';
import type { Intent } from '../core/orders/intent/intent.ts';
import type { Journal } from '../core/orders/intent/ports.ts';
import { nextState, unknownStates } from '../core/orders/intent/states.ts';
import { askForWord, type Tty } from '../core/process/terminal.ts';

/** How long recovery searches for an order whose response was lost. */
const searchMs = 3_600_000;

/**
 * Asks about each order whose outcome the program could not determine, and closes it where the owner, who has checked
 * the broker’s application, says so. An order for which recovery still searches is not offered.
 */
export async function closeUndecided(tty: Tty, journal: Journal, clock: Pick<Clock, 'now'>): Promise<void> {
  const unknown = await journal.read((tx) => tx.list({ states: unknownStates }));
  const isSearched = ({ state, changedAt }: Intent) => state === 'UNKNOWN' && changedAt >= clock.now() - searchMs;
  for (const { id, state, request, environment, reason } of unknown.filter((intent) => !isSearched(intent))) {
    tty.say(`${environment} ${state}: ${request.side} ${request.quantity} ${request.ticker} ${request.type} (${id})`);
    if (reason) tty.say(`  ${reason}`);
    const prompt = '  Type close after checking the broker’s application, or press Enter to skip: ';
    if (!(await askForWord(tty, prompt, 'close'))) continue;
    await journal.change((tx) =>
      tx.move(id, state, {
        state: nextState(state, 'close'),
        changedAt: clock.now(),
        reason: 'Closed by the owner.',
      }),
    );
  }
}
