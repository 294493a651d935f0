import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { readWrongPassphrases, unlock } from '../orders/enrollment/enrollment.ts';
import { describeHalt } from '../orders/halt/describe-halt.ts';
import { applyHaltFile, liftHalt, readHalt } from '../orders/halt/halt.ts';
import { confirmStore } from '../orders/halt/store-change.ts';
import type { Journal } from '../orders/intent/ports.ts';
import { askForWord, type Tty } from '../process/terminal.ts';
import { createSayMoment, type SayMoment } from '../say-moment.ts';
import { closeUndecided } from './close-undecided.ts';
import type { Command } from './command.ts';
import { requireOwnersTty, verifyPassphrase, withNamedStore } from './with-app.ts';

/** Lifts a halt and a lock, confirms a store that changed, and closes orders whose outcome stayed unknown. Needs a person at a terminal. */
export const resumeCommand: Command = ({ flags }, terminal) =>
  withNamedStore(flags, terminal, async ({ config, journal, security, settings }) => {
    const tty = requireOwnersTty(terminal, 'resume');
    try {
      const sayMoment = createSayMoment(terminal.zone(), systemClock);
      const haltFile = join(config.stateDir, 'halt');
      const shown = await explain(tty, journal, haltFile, sayMoment);
      if (await security.enrolment()) {
        if (!(await verifyPassphrase(tty, journal, security, sayMoment))) return 1;
      } else if (!(await askForWord(tty, 'Type resume to continue: ', 'resume'))) {
        tty.say('Nothing was changed.');
        return 1;
      }
      // Its change was printed before the passphrase was typed.
      if (settings.witness) await confirmStore(journal, settings.witness);
      await closeUndecided(tty, journal, systemClock);
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
    } finally {
      tty.close();
    }
  });

interface Shown {
  /** The time of the halt; undefined when there is none. */
  readonly haltedAt: number | undefined;
  readonly hasFile: boolean;
}

/** Shows why trading is halted. A file that halts is recorded first, so that it is shown as every server sees it. */
async function explain(tty: Tty, journal: Journal, haltFile: string, sayMoment: SayMoment): Promise<Shown> {
  const hasFile = existsSync(haltFile);
  const { halt, locked } = await journal.change(async (tx) => {
    await applyHaltFile(tx, () => hasFile, systemClock.now());
    return { halt: await readHalt(tx), locked: (await readWrongPassphrases(tx))?.isPageLocked };
  });
  if (halt) tty.say(`Halted ${describeHalt(halt, sayMoment)}`);
  if (locked) tty.say('The approval page is locked after too many wrong passphrases.');
  if (!halt && !locked) tty.say('Nothing is halted or locked in the store.');
  return { haltedAt: halt?.at, hasFile };
}
