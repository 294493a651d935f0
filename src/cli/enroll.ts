import { createCredentials } from '../app/credentials.ts';
import type { findWeakness } from '../core/approval/enrollment/weak-passphrase.ts';
import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import { keepStoreMark } from '../core/orders/halt/store-change.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Config } from '../core/settings/config.ts';
import { createSayMoment } from '../core/text/say-moment.ts';
import { listSecrets } from '../setup/doctor/known-secrets.ts';
import type { Command } from './command.ts';
import { enrolOwner } from './enrol-owner.ts';
import { requireOwnersTty, withNamedStore } from './with-app.ts';

type Flags = Readonly<Record<string, string>>;

/**
 * Enrols the passphrase that approves orders, the approval method, and the limits of live. The enrolled limits are the
 * loosest for live: variables and files can only make them stricter later.
 */
export const enrollCommand: Command = ({ flags }, terminal) =>
  withNamedStore(flags, terminal, async ({ config, journal, security, settings }) => {
    const { approval: wanted } = config;
    if (wanted === 'none') throw new UsageError('--approval is none; enroll accepts page, terminal or elicitation.');
    const tty = requireOwnersTty(terminal, 'enroll');
    try {
      const sayMoment = createSayMoment(terminal.zone(), systemClock);
      const listed = () => listKnownWords(config, flags, terminal);
      const enrolling = { journal, security, config, wanted, listKnownWords: listed, sayMoment };
      if (!(await enrolOwner(tty, enrolling))) return 1;
      // A store that changed is confirmed by resume alone. Without the mark, the enrolment holds all the same.
      if (settings.witness)
        await keepStoreMark(journal, settings.witness).catch((error: Error) => tty.say(error.message, 'bad'));
      tty.say('Enrolled. Live orders also need BROKER_LIVE_TRADING=true in the server’s environment.', 'good');
      return 0;
    } finally {
      tty.close();
    }
  });

/** Returns strings that others know or can read, which a passphrase must therefore not contain. */
async function listKnownWords(
  config: Config,
  flags: Flags,
  terminal: ProcessContext,
): Promise<Parameters<typeof findWeakness>[1]> {
  // The command that prints the key may be locked now; the other checks still apply.
  const pair =
    config.credentials && (await createCredentials(config.credentials).keyPair().catch(orElse('a command', undefined)));
  const { USER, LOGNAME, USERNAME } = terminal.env;
  return {
    secrets: [...listSecrets(flags, terminal), pair?.key, pair?.secret].filter((secret) => secret !== undefined),
    names: [USER, LOGNAME, USERNAME].filter((name) => name !== undefined),
  };
}
