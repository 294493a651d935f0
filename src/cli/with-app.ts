/** Shared by the commands for the owner: the app and the terminal. */
import { type App, closeAfter, createApp } from '../app/composition-root.ts';
import { warnOfStoreChange } from '../app/store-warning.ts';
import { UsageError } from '../core/errors.ts';
import { createProcesses, type ProcessContext } from '../core/process/process-context.ts';
import { requireTty, type Tty } from '../core/process/terminal.ts';
import { createStyle } from '../core/process/text-style.ts';
import { type Config, type Configs, readConfig, readConfigs } from '../core/settings/config.ts';
import { describeLocation, resolveStoreLocation } from '../core/store/store-location.ts';

export interface CommandContext extends App {
  readonly config: Config;
}

/** Runs a command on the same store as the host's server. */
export async function withApp(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  work: (parts: CommandContext) => Promise<number>,
  { saysStore = false, configs }: { readonly saysStore?: boolean; readonly configs?: Configs } = {},
): Promise<number> {
  const config = configs?.[0] ?? readConfig(flags, terminal);
  if (saysStore) {
    const style = createStyle(terminal.env, terminal.screens.errors.isTerminal);
    terminal.warn(style('dim', `Store: ${describeLocation(resolveStoreLocation(config))}`));
  }
  return openAccounts([config], terminal, ([parts]) => work(parts));
}

/** What a command reaches of the accounts that it is about. */
export type AccountContexts = readonly [CommandContext, ...CommandContext[]];

/** The name of one of the accounts; undefined where there is one. */
export const nameAmong = (accounts: AccountContexts, { config }: CommandContext): string | undefined =>
  accounts.length > 1 ? config.account?.name : undefined;

/** Runs a command that is about all accounts, each with an app of its own; `--account` chooses one. */
export const withAccounts = (
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  work: (accounts: AccountContexts) => Promise<number>,
): Promise<number> => openAccounts(readConfigs(flags, terminal), terminal, work);

function openAccounts(
  configs: Configs,
  terminal: ProcessContext,
  work: (accounts: AccountContexts) => Promise<number>,
): Promise<number> {
  for (const warning of new Set(configs.flatMap(({ warnings }) => warnings)))
    terminal.warn(`brokerage-mcp: ${warning}`);
  const open = (config: Config): CommandContext => ({
    ...createApp(config, { processes: createProcesses(terminal.processes) }),
    config,
  });
  const [first, ...others] = configs;
  const accounts: AccountContexts = [open(first), ...others.map(open)];
  const close = async () => void (await Promise.all(accounts.map((one) => one.close())));
  return closeAfter({ close }, async () => {
    await Promise.all(accounts.map((one) => one.ready()));
    // The accounts share the store.
    await warnOfStoreChange(accounts[0], terminal);
    return work(accounts);
  });
}

/**
 * `withApp` for a command whose store matters to what it decides: prints which store that is. With several accounts it is
 * about all of them, because they share the store; `--account` chooses one.
 */
export function withNamedStore(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  work: (parts: CommandContext) => Promise<number>,
): Promise<number> {
  const [config, ...others] = readConfigs(flags, terminal);
  // Without its name, an app shows what belongs to any account.
  const configs: Configs = [others.length === 0 ? config : { ...config, account: undefined }];
  return withApp(flags, terminal, work, { saysStore: true, configs });
}

/** The name of the account that has something, by asking each; undefined when none has it, or none is named. */
export async function findAccount(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
  has: (parts: App) => Promise<boolean>,
): Promise<string | undefined> {
  const configs = readConfigs(flags, terminal);
  if (configs.length === 1) return undefined;
  for (const config of configs) {
    const composed = createApp(config, { processes: createProcesses(terminal.processes) });
    const isThere = await closeAfter(composed, async () => {
      await composed.ready();
      return has(composed);
    });
    if (isThere) return config.account?.name;
  }
  return undefined;
}

/** Returns the terminal for the passphrase. Throws a UsageError when there is none, or when the inspector is open. */
export function requireOwnersTty(terminal: ProcessContext, command: string): Tty {
  if (terminal.isInspected())
    throw new UsageError(
      'Node’s inspector is open, so other programs can read the passphrase. Unset NODE_OPTIONS and start without --inspect.',
    );
  return requireTty(terminal, `${command} needs a terminal, where a person types the passphrase.`);
}
