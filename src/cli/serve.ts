import { existsSync } from 'node:fs';
import { type Config, readConfig } from '../config.ts';
import { loadListing } from '../mcp/listing.ts';
import { serve } from '../mcp/server.ts';
import { storeFile, storePlace } from '../store/place.ts';
import { createExportFiles } from './export-files.ts';
import type { Command } from './main.ts';
import { version } from './version.ts';
import type { Work } from './work.ts';

/**
 * Serves MCP on standard input and output until the input ends. Nothing but the protocol is written
 * to standard output, and nothing is sent anywhere before a tool is called, unless an earlier order
 * is still open.
 */
export const serveCommand: Command = async ({ flags }, terminal) => {
  const config = readConfig(flags, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);

  let started: Promise<Work> | undefined;
  const work = () => {
    started ??= import('./work.ts').then(({ startWork }) => startWork(config, terminal));
    return started;
  };
  const handle = serve(
    {
      config,
      version,
      listing: await loadListing(),
      run: async (name, args, options) => (await work()).run(name, args, options),
      readResource: async (uri) => (await work()).readResource(uri),
      complete: async (what, value) => (await work()).complete(what, value),
      listExports: () => createExportFiles(config.stateDir).list(),
      // Only where an earlier process left something behind can there be something to carry on.
      onClient: () => {
        if (!config.readOnly && mayHoldOrders(config)) void work().catch(() => undefined);
      },
    },
    { onError: (error) => terminal.warn(`brokerage-mcp: ${error.message}`) },
  );
  terminal.watchInput();
  await new Promise<void>((resolve) => {
    if (terminal.ending.aborted) resolve();
    terminal.ending.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
  await (await started)?.close();
  // An answer that is still awaited would keep the process; its order is in the journal, and looked for at the next start.
  terminal.leave();
  return 0;
};

/** What other machines left in a shared store can only be seen by looking. */
function mayHoldOrders(config: Config): boolean {
  const place = storePlace(config);
  return 'stateUrl' in place || existsSync(storeFile(place.stateDir));
}
