/**
 * Starts the tool runtime with the first call that needs it, so that a host that only lists the tools does not pay
 * for it.
 */

import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { orElse } from '../log.ts';
import type { McpServerDeps } from '../mcp/mcp-server.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { resolveStoreLocation, storeFile } from '../store/store-location.ts';
import { createExportFiles } from './export-files.ts';
import type { ToolRuntime, ToolRuntimeOptions } from './tool-runtime.ts';

export interface LazyToolRuntime {
  /** The functions that a server needs. They start the runtime when a call needs it. */
  readonly parts: Omit<McpServerDeps, 'config' | 'version' | 'listing'> & { readonly onClient: () => void };
  /** The runtime; undefined when nothing has needed it yet. */
  started(): Promise<ToolRuntime> | undefined;
}

/** Prepares the tool runtime without loading it. */
export function createLazyToolRuntime(
  config: Config,
  terminal: ProcessContext,
  options: ToolRuntimeOptions = {},
): LazyToolRuntime {
  let started: Promise<ToolRuntime> | undefined;
  const work = () => {
    started ??= import('./tool-runtime.ts').then(({ startToolRuntime: startWork }) =>
      startWork(config, terminal, options),
    );
    return started;
  };
  return {
    started: () => started,
    parts: {
      run: async (name, args, callOptions) => (await work()).run(name, args, callOptions),
      readResource: async (uri) => (await work()).readResource(uri),
      complete: async (what, value) => (await work()).complete(what, value),
      listExports: () => createExportFiles(config.stateDir).list(),
      // Orders can only be left to continue if an earlier process used the store.
      onClient: () => {
        if (!config.readOnly && mayHoldOrders(config)) void work().catch(orElse('start the tools', undefined));
      },
    },
  };
}

/** A shared store may hold orders of other machines, which shows only when it is read. */
function mayHoldOrders(config: Config): boolean {
  const place = resolveStoreLocation(config);
  return 'stateUrl' in place || existsSync(storeFile(place.stateDir));
}
