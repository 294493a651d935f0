/** Shared by the commands for the owner: the app and the terminal. */
import { type App, closeAfter, createApp } from '../app/composition-root.ts';
import { warnOfStoreChange } from '../app/store-warning.ts';
import { UsageError } from '../core/errors.ts';
import { createProcesses, type ProcessContext } from '../core/process/process-context.ts';
import { requireTty, type Tty } from '../core/process/terminal.ts';
import { createStyle } from '../core/process/text-style.ts';
import { type Config, readConfig } from '../core/settings/config.ts';
import { describeLocation, resolveStoreLocation } from '../core/store/store-location.ts';

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
