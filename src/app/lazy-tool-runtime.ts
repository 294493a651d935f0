/**
 * Starts the tool runtime with the first call that needs it, so that a host that only lists the tools does not pay
 * for it.
 */
import { existsSync } from 'node:fs';
import { type Clock, systemClock } from '../core/clock.ts';
import { orElse } from '../core/log.ts';
import type { McpServerDeps } from '../core/mcp/mcp-server.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Config, Configs } from '../core/settings/config.ts';
import { resolveStoreLocation, storeFile } from '../core/store/store-location.ts';
import { registerGuides } from '../features/guides/register-guides.ts';
import { recentEventsUri } from '../features/guides/resources/register-resources.ts';
import { createExportFiles } from '../features/reports/export-files.ts';
import type { ToolRuntime, ToolRuntimeOptions } from './tool-runtime.ts';

export interface LazyToolRuntime {
  /** The functions that a server needs. They start the runtime when a call needs it. */
  readonly parts: Omit<McpServerDeps, 'config' | 'version' | 'listing'> & { readonly onClient: () => void };
  /** Starts the runtime unless it runs. */
  start(): Promise<ToolRuntime>;
  /** The runtime; undefined when nothing has needed it yet. */
  started(): Promise<ToolRuntime> | undefined;
}

/**
 * How long (ms) after a client is ready the runtime starts for orders that an earlier process left. Hosts list the tools
 * first, and some do not wait: loading the runtime at once would delay that response by a fifth of a second or more.
 */
export const recoveryDelayMs = 2_000;

/** Prepares the tool runtime without loading it. */
export function createLazyToolRuntime(
  configs: Configs,
  terminal: ProcessContext,
  options: ToolRuntimeOptions = {},
  clock: Clock = systemClock,
): LazyToolRuntime {
  const [config] = configs;
  let started: Promise<ToolRuntime> | undefined;
  let isRecoveryPlanned = false;
  const work = () => {
    started ??= import('./tool-runtime.ts').then(({ startToolRuntime: startWork }) =>
      startWork(configs, terminal, options),
    );
    return started;
  };
  const follow: ToolRuntime['followEvents'] = async (onEvent, signal) => (await work()).followEvents(onEvent, signal);
  const names = configs.flatMap(({ account }) => account?.name ?? []);
  return {
    start: work,
    started: () => started,
    parts: {
      ...(configs.length > 1 && { accounts: names }),
      run: async (name, args, callOptions) => (await work()).run(name, args, callOptions),
      extend: (server, narrowed) =>
        registerGuides(server, {
          config: narrowed,
          ...(configs.length > 1 && { accounts: names }),
          readResource: async (uri) => (await work()).readResource(uri),
          complete: async (what, value) => (await work()).complete(what, value),
          listExports: () => createExportFiles(config.stateDir).list(),
          followEvents: follow,
        }),
      changes: { uri: recentEventsUri, follow },
      // Orders can only be left to continue if an earlier process used the store.
      onClient: () => {
        if (isRecoveryPlanned || config.readOnly || !mayHoldOrders(config)) return;
        isRecoveryPlanned = true;
        // The server may stop first.
        void clock
          .sleep(recoveryDelayMs, terminal.shutdownSignal)
          .then(work)
          .catch(orElse('start the tools', undefined));
      },
    },
  };
}

/** A shared store may hold orders of other machines, which shows only when it is read. */
function mayHoldOrders(config: Config): boolean {
  const place = resolveStoreLocation(config);
  return 'stateUrl' in place || existsSync(storeFile(place.stateDir));
}
