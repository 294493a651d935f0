/** Watches the account until it is ended, and shows and changes what is watched. */
import { tools } from '../app/registry.ts';
import { openChannels, placeOf } from '../app/watching.ts';
import { BrokerageError, UsageError } from '../core/errors.ts';
import { runTool } from '../core/mcp/run-tool.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { readConfig, readConfigs } from '../core/settings/config.ts';
import { toIsoTimestamp } from '../core/text/dates.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import { followEvents } from '../features/watches/event-feed.ts';
import { sayFailure, toFailureBody } from '../features/watches/failed-ways.ts';
import { sayEvent } from '../features/watches/say-event.ts';
import { startWatchLoop } from '../features/watches/watch-loop.ts';
import { describeWatch, type Watch } from '../features/watches/watch-rules.ts';
import type { KeptEvent } from '../features/watches/watch-store.ts';
import { addWatch, watchColumns } from '../features/watches/watch-tool.ts';
import { type Action, type Command, type FlagValues, findAction } from './command.ts';
import { isJson, printJson } from './output.ts';
import { type AccountContexts, type CommandContext, nameAmong, withAccounts, withApp } from './with-app.ts';

/** Runs until it is ended, for every account that is configured; prints each event as one line, also of another process. */
export const watchCommand: Command = async ({ flags }, terminal) => {
  const [first, ...others] = readConfigs(flags, terminal);
  // The warnings are about the settings that all accounts share.
  const configs = [first, ...others.map((config) => ({ ...config, warnings: [] }))];
  const codes = await Promise.all(
    configs.map((config) =>
      withApp(flags, terminal, (context) => watchAccount(context, flags, terminal), { configs: [config] }),
    ),
  );
  return Math.max(...codes);
};

async function watchAccount(
  { config, services, watching }: CommandContext,
  flags: FlagValues,
  terminal: ProcessContext,
): Promise<number> {
  const channels = openChannels(config, terminal);
  const sayMoment = createSayMoment(terminal.zone(), services.clock);
  const { environment, account } = placeOf(config);
  const loop = startWatchLoop(
    watching.connect(
      channels,
      (name, args, options) => runTool(tools, name, args, services, options),
      (failure) => terminal.warn(`brokerage-mcp: ${sayFailure(failure, sayMoment)}`),
    ),
  );
  const ways = channels.map(({ name }) => name).join(', ');
  terminal.warn(
    `brokerage-mcp: watching (${account === undefined ? environment : `${environment}, ${account}`}); ${ways === '' ? 'no way to notify is set, so events are printed here only' : `notifies by ${ways}`}; Ctrl+C ends it`,
  );
  const print = (events: readonly KeptEvent[]) => {
    for (const kept of events)
      terminal.print(isJson(flags) ? toJsonLine(kept, account) : toLine(kept, config, terminal));
  };
  const { clock } = services;
  await followEvents({ clock, listEvents: watching.listEvents }, print, terminal.shutdownSignal);
  await loop.stop();
  return 0;
}

const toJsonLine = ({ event: { key: _, kind, at, facts } }: KeptEvent, account: string | undefined): string =>
  JSON.stringify({ kind, account, at: toIsoTimestamp(at), ...facts });

function toLine({ event }: KeptEvent, config: CommandContext['config'], terminal: ProcessContext): string {
  const zone = terminal.zone();
  const { title, text } = sayEvent(event, { detail: 'full', ...placeOf(config), zone, now: event.at });
  return `${toIsoTimestamp(event.at)}  ${title}: ${text.replaceAll('\n', ' ')}`;
}

/** Lists and removes watches of all accounts, and adds one to an account. */
export const watchesCommand: Command = ({ words, flags }, terminal) =>
  withAccounts(flags, terminal, async (accounts) => {
    const [action = 'list', ...rest] = words;
    return await findAction<Action<AccountContexts>>('watches', watchActions, action)(accounts, rest, flags, terminal);
  });

interface ListedWatch {
  readonly watch: Watch;
  /** Undefined where there is one account. */
  readonly account: string | undefined;
}

/** The watches of all accounts, each with its account where there are several. */
const listOfAll = async (accounts: AccountContexts): Promise<readonly ListedWatch[]> =>
  (
    await Promise.all(
      accounts.map(async (one) =>
        (await one.watching.book.list()).map((watch) => ({ watch, account: nameAmong(accounts, one) })),
      ),
    )
  ).flat();

const list: Action<AccountContexts> = async (accounts, words, flags, terminal) => {
  if (words.length > 0) throw new UsageError('watches list takes no words.');
  const [{ services, watching }] = accounts;
  const watches = await listOfAll(accounts);
  const watched = await Promise.all(accounts.map((one) => one.watching.book.isWatched()));
  const unwatched = accounts.filter((_, index) => !watched[index]);
  // The ways to notify are of the configuration, which all accounts share.
  const failures = await watching.listFailures();
  if (isJson(flags)) {
    const isWatched = unwatched.length === 0;
    printJson(terminal, { watching: isWatched, watches: watches.map(toJson), failed: failures.map(toFailureBody) });
    return 0;
  }
  for (const watch of watches) terminal.print(toListLine(watch));
  if (watches.length === 0) terminal.print('Nothing was added to what is always reported.');
  const sayMoment = createSayMoment(terminal.zone(), services.clock);
  for (const failure of failures) terminal.print(sayFailure(failure, sayMoment));
  if (unwatched.length > 0) {
    const named = unwatched.length < accounts.length ? unwatched.map((one) => nameAmong(accounts, one)) : [];
    terminal.print(`No process watches ${[...named, 'now'].join(' ')}; run brokerage-mcp watch.`);
  }
  return 0;
};

/** How long (ms) reading the positions may take. */
const readMs = 30_000;

const add: Action<AccountContexts> = async (accounts, words, flags, terminal) => {
  // A watch is of one account, and the configuration says which there are.
  readConfig(flags, terminal);
  const [{ services }] = accounts;
  const [ticker, ...more] = words;
  if (more.length > 0) throw new UsageError('watches add takes one ticker, or none for the portfolio.');
  const { above, below, percent } = flags;
  const deadlineAt = services.clock.now() + readMs;
  const context = { priority: 'read', deadlineAt, signal: terminal.shutdownSignal } as const;
  const watch = await addWatch(services, { ticker, above, below, percent }, context);
  const added = { watch, account: undefined };
  if (isJson(flags)) printJson(terminal, toJson(added));
  else terminal.print(toListLine(added));
  return 0;
};

const remove: Action<AccountContexts> = async (accounts, [id, ...more], flags, terminal) => {
  if (id === undefined || more.length > 0) throw new UsageError('watches remove needs the id of one watch.');
  await removeFrom(accounts, id);
  if (isJson(flags)) printJson(terminal, { removed: id });
  else terminal.print('The watch is removed.');
  return 0;
};

/** Throws a UsageError when no account has the watch, or why an account that may have it cannot be read. */
async function removeFrom(accounts: AccountContexts, id: string): Promise<void> {
  const failures: BrokerageError[] = [];
  for (const { watching } of accounts) {
    try {
      if (await watching.book.remove(id)) return;
    } catch (error) {
      if (!(error instanceof BrokerageError)) throw error;
      failures.push(error);
    }
  }
  throw failures[0] ?? new UsageError(`There is no watch ${JSON.stringify(id)}; brokerage-mcp watches lists them.`);
}

/** What the command can do with the watches. */
export const watchActions = { list, add, remove } as const satisfies Readonly<Record<string, Action<AccountContexts>>>;

const toListLine = ({ watch, account }: ListedWatch): string =>
  [watch.id, ...(account === undefined ? [] : [account]), describeWatch(watch)].join('  ');

const toJson = ({ watch, account }: ListedWatch) => ({
  ...Object.fromEntries(Object.entries(watchColumns).map(([name, read]) => [name, read(watch)])),
  account,
});
