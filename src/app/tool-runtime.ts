/**
 * Everything that a start does not need: the tools and the broker. The build puts it into a separate file, because
 * an engine parses a complete file before it runs a line.
 */

import { type Clock, systemClock } from '../core/clock.ts';
import { ignoreAbort } from '../core/errors.ts';
import { log, orElse } from '../core/log.ts';
import { type RunTool, runTool } from '../core/mcp/run-tool.ts';
import type { ViewName } from '../core/mcp/tool.ts';
import { createBrowserOpener, createProcesses, type ProcessContext } from '../core/process/process-context.ts';
import { readBuiltFile, version } from '../core/process/version.ts';
import type { Config, Configs } from '../core/settings/config.ts';
import { type CompletableArgument, complete } from '../features/guides/completion.ts';
import { type ResourceText, readResource } from '../features/guides/resources/read-resource.ts';
import { followEvents, joinEvents, type ListEvents, readRecentEvents } from '../features/watches/event-feed.ts';
import { startWatchLoop } from '../features/watches/watch-loop.ts';
import { type App, type ComposeOptions, createApp } from './composition-root.ts';
import { type Services, tools } from './registry.ts';
import { type AccountApp, nameAccountOf, runOver } from './running-account.ts';
import { warnOfStoreChange } from './store-warning.ts';
import { openChannels } from './watching.ts';

export interface ToolRuntime {
  readonly run: RunTool;
  readResource(uri: string): Promise<ResourceText | undefined>;
  complete(what: CompletableArgument, value: string): Promise<string[]>;
  /** Calls `onEvent` whenever an event of the account was found, until the signal aborts. */
  followEvents(onEvent: () => void, signal: AbortSignal): Promise<void>;
  /** What the login of clients over the web uses. */
  readonly access: Pick<App, 'grants' | 'security'> & Pick<Services, 'clock'>;
  /** The number of open orders and approvals, and the state of the store. Reads only the store. */
  gauges(): Promise<RuntimeGauges>;
  /** Waits for orders in flight, as long as the host allows; starts nothing new. */
  close(): Promise<void>;
}

export interface RuntimeGauges {
  /** The number of unsettled orders by outcome; undefined when the store cannot be read. */
  readonly openOrders: Readonly<Record<string, number>> | undefined;
  readonly approvalsWaiting: number | undefined;
  readonly hasStoreError: boolean;
}

/** A host kills a server about four seconds after it closed its input. */
const shutdownTimeoutMs = 3_500;

export interface ToolRuntimeOptions extends Pick<ComposeOptions, 'hasPage' | 'observer' | 'otherSecrets'> {
  /** Also watches the account, and sends notifications. */
  readonly watch?: boolean | undefined;
}

/** Creates the apps of a server, one for each account, and starts their background loops. */
export function startToolRuntime(
  [config, ...others]: Configs,
  terminal: ProcessContext,
  options: ToolRuntimeOptions = {},
): ToolRuntime {
  const first = startAccount(config, terminal, options);
  return others.length === 0
    ? first
    : joinAccounts([first, ...others.map((one) => startAccount(one, terminal, options))]);
}

/** Creates the app of one account and starts its background loop. */
function startAccount(config: Config, terminal: ProcessContext, options: ToolRuntimeOptions = {}): AccountRuntime {
  if (terminal.isInspected())
    terminal.warn(
      'brokerage-mcp: Node’s inspector is open: other programs of this user can read keys and passphrases.',
    );
  const composed = createApp(config, {
    processes: createProcesses(terminal.processes),
    openBrowser: createBrowserOpener(terminal.platform, terminal.env),
    ...options,
  });
  log.info('started', { version, environment: config.environment, node: terminal.machine.node });
  const { services, close, watching: account } = composed;
  const ready = () => composed.ready().then(warn);
  let warned: Promise<void> | undefined;
  // Once, before the first call, because the store is not read at the start.
  const warn = () => (warned ??= warnOfStoreChange(composed, terminal));
  // A read-only server runs no background work: orders belong to the processes that may trade.
  const watching = config.readOnly
    ? undefined
    : startBackgroundLoop(async () => {
        await ready();
        const orders = await services.orderManager.tick();
        const open = orders + (await services.submissions.tick());
        // It can wait for the rate limit, and orders must not wait for it.
        if (config.toolsets.includes('drafting'))
          void services.recurringPlans.tick().catch(orElse('draft the recurring plans', undefined));
        return open;
      }, systemClock);
  const run: RunTool = (name, args, options) => runTool(tools, name, args, services, options);
  const loop = options.watch ? startWatchLoop(account.connect(openChannels(config, terminal), run)) : undefined;
  const { running, runWith } = createCalls(config, services, ready, () => watching?.wake());
  return {
    services,
    ready,
    runWith,
    run: runWith(),
    listEvents: account.listEvents,
    ...openGuides({ services, ready, run, listEvents: account.listEvents }),
    access: { grants: composed.grants, security: composed.security, clock: services.clock },
    gauges: () => readGauges(services),
    close: async () => {
      const done = new AbortController();
      const timeout = systemClock.sleep(shutdownTimeoutMs, done.signal).catch(ignoreAbort);
      await Promise.race([
        Promise.all([
          loop?.stop(),
          watching?.stop(),
          services.submissions.stop(),
          services.orderManager.stop(),
          ...running,
        ]),
        timeout,
      ]);
      await Promise.race([close(), timeout]);
      done.abort();
    },
  };
}

/** Runs the calls of an account, with the rows of others where the law counts them together; `onEnd` follows each. */
function createCalls(config: Config, services: Services, ready: () => Promise<void>, onEnd: () => void) {
  const running = new Set<Promise<unknown>>();
  const runWith =
    (pooledWith?: readonly Services[]): RunTool =>
    (name, args, options) => {
      // A client can have less than the process, and the account stays its own.
      const narrowed = options.config && { readOnly: options.config.readOnly, toolsets: options.config.toolsets };
      const own = narrowed ? { ...services, config: { ...config, ...narrowed } } : services;
      const call = ready().then(() => runTool(tools, name, args, pooledWith ? { ...own, pooledWith } : own, options));
      running.add(call);
      void call.finally(() => {
        running.delete(call);
        onEnd();
      });
      return call;
    };
  return { running, runWith };
}

/** What a client reads beside the tools. `accounts` are the names of those that the runtime has, where they are several. */
function openGuides({
  services,
  ready,
  run,
  listEvents,
  accounts,
}: Pick<AccountRuntime, 'services' | 'ready' | 'run' | 'listEvents'> & {
  readonly accounts?: readonly string[];
}): Pick<ToolRuntime, 'readResource' | 'complete' | 'followEvents'> {
  return {
    readResource: async (uri) => {
      await ready();
      const callTool = (name: string, args: object) => run(name, args, { signal: new AbortController().signal });
      const readEvents = () => readRecentEvents(listEvents, services.config.environment, services.clock.now());
      return readResource(uri, { ...services, accounts, callTool, readEvents, view: builtView });
    },
    complete: async (what, value) => {
      await ready();
      return complete(what, value, services);
    },
    followEvents: (onEvent, signal) => followEvents({ clock: systemClock, listEvents }, onEvent, signal),
  };
}

/** The runtime of one account. */
interface AccountRuntime extends ToolRuntime, AccountApp {
  readonly listEvents: ListEvents;
}

/** The accounts of one server. What belongs to the market or the store is read through the first. */
function joinAccounts(runtimes: readonly [AccountRuntime, ...AccountRuntime[]]): ToolRuntime {
  const [first] = runtimes;
  const run = runOver(runtimes, tools);
  const ready = async () => void (await Promise.all(runtimes.map((one) => one.ready())));
  const listEvents = joinEvents(runtimes.map((one) => ({ name: nameAccountOf(one), listEvents: one.listEvents })));
  return {
    ...first,
    run,
    ...openGuides({ services: first.services, ready, run, listEvents, accounts: runtimes.map(nameAccountOf) }),
    gauges: async () => joinGauges(await Promise.all(runtimes.map(({ gauges }) => gauges()))),
    close: async () => {
      await Promise.all(runtimes.map(({ close }) => close()));
    },
  };
}

/** The store of the accounts is one, so what waits for an approval is the same for all of them. */
function joinGauges([first, ...others]: readonly RuntimeGauges[]): RuntimeGauges {
  return {
    openOrders: first?.openOrders,
    approvalsWaiting: first?.approvalsWaiting,
    hasStoreError: [first, ...others].some((gauges) => gauges?.hasStoreError !== false),
  };
}

async function readGauges({ orderManager, approvals, getStoreError }: Services): Promise<RuntimeGauges> {
  const state = await orderManager.state().catch(orElse('the app', undefined));
  const waiting = await approvals.waiting().catch(orElse('the app', undefined));
  const openOrders: Record<string, number> = { pending_approval: 0, unknown: 0 };
  for (const { outcome } of state?.openIntents ?? []) openOrders[outcome] = (openOrders[outcome] ?? 0) + 1;
  return {
    openOrders: state && openOrders,
    approvalsWaiting: waiting?.length,
    hasStoreError: state === undefined || getStoreError() !== undefined,
  };
}

// Runs background work while a server runs: expiries, approved orders, the search for lost ones.

const busyMs = 500;
const idleMs = 5_000;

export interface BackgroundLoop {
  /** Runs the next round immediately. */
  wake(): void;
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

/**
 * Repeats `tick`, which returns how many intents are open: every 500 ms while some are, otherwise every 5 s,
 * because another process may create one.
 */
export function startBackgroundLoop(tick: () => Promise<number>, clock: Clock): BackgroundLoop {
  let stopped = false;
  let woken = false;
  let waiting = new AbortController();
  const run = async () => {
    while (!stopped) {
      // After a store error, the next round tries again.
      const open = await tick().catch(orElse('the background work', 0));
      if (stopped) return;
      waiting = new AbortController();
      // `wake` was called during this round, so its reason may not be covered: start the next round immediately.
      if (woken) waiting.abort();
      woken = false;
      await clock.sleep(open > 0 ? busyMs : idleMs, waiting.signal).catch(ignoreAbort);
    }
  };
  const running = run();
  return {
    wake: () => {
      woken = true;
      waiting.abort();
    },
    stop: async () => {
      stopped = true;
      waiting.abort();
      await running;
    },
  };
}

/** Set by the build (scripts/bundle.mjs). */
declare const IS_BUILT: true | undefined;

/** The HTML of a view; undefined when the program runs from source, where nothing is bundled. */
export const builtView = async (name: ViewName): Promise<string | undefined> =>
  typeof IS_BUILT === 'undefined' ? undefined : readBuiltFile(`views/${name}.html`);
