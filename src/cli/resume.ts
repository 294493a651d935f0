import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { confirmStore } from '../core/orders/halt/store-change.ts';
import { askForWord } from '../core/process/terminal.ts';
import { createSayMoment } from '../core/text/say-moment.ts';
import { verifyPassphrase } from './ask-passphrase.ts';
import { closeUndecided } from './close-undecided.ts';
import type { Command } from './command.ts';
import { liftShownHalt, showHalt } from './lift-halt.ts';
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
