import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readWrongPassphrases, unlock } from '../core/approval/enrollment/enrollment.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { confirmStore } from '../core/orders/halt/store-change.ts';
import { applyHaltFile, describeHalt, liftHalt, readHalt } from '../core/orders/halt/trading-state.ts';
import { lockingPlaces } from '../core/orders/intent/approval-methods.ts';
import type { Intent } from '../core/orders/intent/intent.ts';
import type { Journal } from '../core/orders/intent/journal-port.ts';
import { nextState, unknownStates } from '../core/orders/intent/states.ts';
import { askForWord, type Tty } from '../core/process/terminal.ts';
import { createSayMoment, type SayMoment } from '../core/text/format-moment.ts';
import { verifyPassphrase } from './ask-passphrase.ts';
import type { Command } from './command.ts';
import { requireOwnersTty, withNamedStore } from './with-app.ts';

/** Lifts a halt and a lock, confirms a store that changed, and closes orders whose outcome stayed unknown. Needs a person at a terminal. */
export const resumeCommand: Command = ({ flags }, terminal) =>
  withNamedStore(flags, terminal, async ({ config, journal, security, settings }) => {
    const tty = requireOwnersTty(terminal, 'resume');
    try {
      const sayMoment = createSayMoment(terminal.zone(), systemClock);
      const place = { journal, haltFile: join(config.stateDir, 'halt') };
      const shown = await showHalt(tty, place, systemClock, sayMoment);
      if (await security.enrolment()) {
        if (!(await verifyPassphrase(tty, journal, security, sayMoment))) return 1;
      } else if (!(await askForWord(tty, 'Type resume to continue: ', 'resume'))) {
        tty.say('Nothing was changed.');
        return 1;
      }
      // Its change was printed before the passphrase was typed.
      if (settings.witness) await confirmStore(journal, settings.witness);
      await closeUndecided(tty, journal, systemClock);
      return await liftShownHalt(tty, place, shown);
    } finally {
      tty.close();
    }
  });

// What `resume` shows before the owner agrees, and what it lifts afterwards: only what was shown.

interface ShownHalt {
  /** The time of the halt; undefined when there is none. */
  readonly haltedAt: number | undefined;
  readonly hasFile: boolean;
}

/** Where trading is halted: the store, and a file of the state folder. */
interface HaltPlace {
  readonly journal: Journal;
  readonly haltFile: string;
}

/** Shows why trading is halted. A file that halts is recorded first, so that it is shown as every server sees it. */
export async function showHalt(
  tty: Tty,
  { journal, haltFile }: HaltPlace,
  clock: Pick<Clock, 'now'>,
  sayMoment: SayMoment,
): Promise<ShownHalt> {
  const hasFile = existsSync(haltFile);
  const { halt, locked } = await journal.change(async (tx) => {
    await applyHaltFile(tx, () => hasFile, clock.now());
    return { halt: await readHalt(tx), locked: (await readWrongPassphrases(tx))?.locked ?? [] };
  });
  if (halt) tty.say(`Halted ${describeHalt(halt, sayMoment)}`);
  for (const channel of locked) tty.say(`The ${lockingPlaces[channel]} is locked after too many wrong passphrases.`);
  if (!halt && locked.length === 0) tty.say('Nothing is halted or locked in the store.');
  return { haltedAt: halt?.at, hasFile };
}

/** Lifts the halt and the lock that were shown. Returns the exit code. */
export async function liftShownHalt(tty: Tty, { journal, haltFile }: HaltPlace, shown: ShownHalt): Promise<number> {
  const isLifted = await journal.change(async (tx) => {
    // A halt or a file of the time in which the passphrase was typed has not been shown to the user, so it stays.
    if ((await readHalt(tx))?.at !== shown.haltedAt || (existsSync(haltFile) && !shown.hasFile)) return false;
    rmSync(haltFile, { force: true });
    await liftHalt(tx);
    await unlock(tx);
    return true;
  });
  tty.say(
    isLifted ? 'Trading is resumed.' : 'Trading was halted again in the meantime; run resume again to see why.',
    isLifted ? 'good' : 'bad',
  );
  return isLifted ? 0 : 1;
}

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
