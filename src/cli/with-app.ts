/** Shared by the commands for the owner: the app, the terminal and the passphrase. */
import { type App, closeAfter, createApp } from '../app/composition-root.ts';
import { warnOfStoreChange } from '../app/store-warning.ts';
import { passphraseRefusalText, wrongPassphrasesText } from '../approval/terminal/render-ticket.ts';
import { type Config, readConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import { readWrongPassphrases, type Security } from '../orders/enrollment/enrollment.ts';
import type { PassphraseRefusal } from '../orders/intent/approval-port.ts';
import type { Journal } from '../orders/intent/ports.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { createProcesses } from '../process/process-identity.ts';
import { createStyle } from '../process/style.ts';
import { maxAttempts, requireTty, type Tty } from '../process/terminal.ts';
import type { SayMoment } from '../say-moment.ts';
import { describeLocation, resolveStoreLocation } from '../store/store-location.ts';

export interface CommandContext extends App {
  readonly config: Config;
}

/** Runs a command on the same store as the host's server. */
export async function withApp(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  work: (parts: CommandContext) => Promise<number>,
  { saysStore = false }: { readonly saysStore?: boolean } = {},
): Promise<number> {
  const config = readConfig(flags, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);
  if (saysStore) {
    const style = createStyle(terminal.env, terminal.screens.errors.isTerminal);
    terminal.warn(style('dim', `Store: ${describeLocation(resolveStoreLocation(config))}`));
  }
  const composed = createApp(config, { processes: createProcesses(terminal.processes) });
  return closeAfter(composed, async () => {
    await composed.ready();
    await warnOfStoreChange(composed, terminal);
    return work({ ...composed, config });
  });
}

/** The same for a command whose store matters to what it decides: prints which store that is. */
export const withNamedStore: typeof withApp = (flags, terminal, work) =>
  withApp(flags, terminal, work, { saysStore: true });

/** Returns the terminal for the passphrase. Throws a UsageError when there is none, or when the inspector is open. */
export function requireOwnersTty(terminal: ProcessContext, command: string): Tty {
  if (terminal.isInspected())
    throw new UsageError(
      'Node’s inspector is open, so other programs can read the passphrase. Unset NODE_OPTIONS and start without --inspect.',
    );
  return requireTty(terminal, `${command} needs a terminal, where a person types the passphrase.`);
}

/**
 * Asks for the passphrase, and again after a wrong one, three times in all. Waits as long as the store asks for between
 * two attempts. `seen` is how many wrong passphrases were shown before; what is wrong here was seen too. Returns the
 * last result; undefined when nothing was typed.
 */
export async function askPassphrase<Result extends { readonly kind: string }>(
  tty: Tty,
  prompt: string,
  seen: number,
  check: (passphrase: string, seen: number) => Promise<Result | PassphraseRefusal>,
): Promise<Result | PassphraseRefusal | undefined> {
  let wrongHere = 0;
  for (let attempt = 1; ; attempt++) {
    const passphrase = await tty.askSecret(prompt);
    if (passphrase === '') return undefined;
    const result = await check(passphrase, seen + wrongHere);
    if (attempt === maxAttempts || !isDelayed(result)) return result;
    if (result.kind === 'wrong_passphrase') wrongHere++;
    tty.say(passphraseRefusalText(result), 'bad');
    if (!(await tty.wait(result.retryAfterSeconds * 1000))) return undefined;
  }
}

type Delayed = Extract<PassphraseRefusal, { readonly retryAfterSeconds: number }>;
const isDelayed = (result: { readonly kind: string }): result is Delayed => 'retryAfterSeconds' in result;

/** Asks for the passphrase; returns whether it was correct, and prints why not. */
export async function verifyPassphrase(
  tty: Tty,
  journal: Journal,
  security: Security,
  sayMoment: SayMoment,
): Promise<boolean> {
  const wrong = await journal.read(readWrongPassphrases);
  if (wrong) tty.say(wrongPassphrasesText(wrong, sayMoment), 'care');
  const checked = await askPassphrase(tty, 'Passphrase: ', wrong?.count ?? 0, (passphrase, seen) =>
    security.check(passphrase, 'terminal', seen),
  );
  if (checked?.kind === 'right') return true;
  tty.say(checked ? passphraseRefusalText(checked) : 'Nothing was entered.', checked && 'bad');
  return false;
}
