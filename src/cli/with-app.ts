/** Shared by the commands for the owner: the app, the terminal and the passphrase. */
import { type App, createApp } from '../app/composition-root.ts';
import { warnOfStoreChange } from '../app/store-warning.ts';
import { passphraseRefusalText, wrongPassphrasesText } from '../approval/terminal/render-ticket.ts';
import { type Config, readConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import { readWrongPassphrases, type Security } from '../orders/enrollment/enrollment.ts';
import type { Journal } from '../orders/intent/ports.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { createProcesses } from '../process/process-identity.ts';
import { requireTty, type Tty } from '../process/terminal.ts';
import { describeLocation, resolveStoreLocation } from '../store/store-location.ts';

export interface CommandContext extends App {
  readonly config: Config;
}

/** Runs a command on the same store as the host's server, and prints which store that is. */
export async function withApp(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  work: (parts: CommandContext) => Promise<number>,
): Promise<number> {
  const config = readConfig(flags, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);
  terminal.warn(`Store: ${describeLocation(resolveStoreLocation(config))}`);
  const composed = createApp(config, { processes: createProcesses(terminal.processes) });
  try {
    await composed.ready();
    await warnOfStoreChange(composed, terminal);
    return await work({ ...composed, config });
  } finally {
    await composed.close();
  }
}

/** Returns the terminal for the passphrase. Throws a UsageError when there is none, or when the inspector is open. */
export function requireOwnersTty(terminal: ProcessContext, command: string): Tty {
  if (terminal.isInspected())
    throw new UsageError(
      'Node’s inspector is open, so other programs can read the passphrase. Unset NODE_OPTIONS and start without --inspect.',
    );
  return requireTty(terminal, `${command} needs a terminal, where a person types the passphrase.`);
}

/** Asks for the passphrase; returns whether it was correct, and prints why not. */
export async function verifyPassphrase(tty: Tty, journal: Journal, security: Security): Promise<boolean> {
  const wrong = await journal.read(readWrongPassphrases);
  if (wrong) tty.say(wrongPassphrasesText(wrong));
  const passphrase = await tty.askSecret('Passphrase: ');
  if (passphrase === '') return no(tty, 'Nothing was entered.');
  const checked = await security.check(passphrase, 'terminal', wrong?.count);
  return checked.kind === 'right' || no(tty, passphraseRefusalText(checked));
}

function no(tty: Tty, why: string): false {
  tty.say(why);
  return false;
}
