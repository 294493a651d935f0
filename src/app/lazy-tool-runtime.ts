/** The work, started when the first call needs it: a host that only lists the tools never pays for it. */
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { McpServerDeps } from '../mcp/mcp-server.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { resolveStoreLocation, storeFile } from '../store/store-location.ts';
import { createExportFiles } from './export-files.ts';
import type { ToolRuntime, ToolRuntimeOptions } from './tool-runtime.ts';

export interface LazyToolRuntime {
  /** What a server asks of it. */
  readonly parts: Omit<McpServerDeps, 'config' | 'version' | 'listing'> & { readonly onClient: () => void };
  /** Undefined as long as nobody needed it. */
  started(): Promise<ToolRuntime> | undefined;
}

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
      // Only where an earlier process left something behind can there be something to carry on.
      onClient: () => {
        if (!config.readOnly && mayHoldOrders(config)) void work().catch(() => undefined);
      },
    },
  };
}

/** What other machines left in a shared store can only be seen by looking. */
function mayHoldOrders(config: Config): boolean {
  const place = resolveStoreLocation(config);
  return 'stateUrl' in place || existsSync(storeFile(place.stateDir));
}
