import { readConfig } from '../config.ts';
import { loadListing } from '../mcp/listing.ts';
import { serve } from '../mcp/server.ts';
import type { Command } from './main.ts';
import { version } from './version.ts';
import type { Work } from './work.ts';

/**
 * Serves MCP on standard input and output until the input ends. Nothing but the protocol is written
 * to standard output, and nothing is sent anywhere before a tool is called.
 */
export const serveCommand: Command = async ({ flags }, terminal) => {
  const config = readConfig(flags, terminal);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);

  let work: Promise<Work> | undefined;
  const handle = serve(
    {
      config,
      version,
      listing: await loadListing(),
      run: async (name, args, options) => {
        work ??= import('./work.ts').then(({ startWork }) => startWork(config));
        return (await work).run(name, args, options);
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
  await (await work)?.close();
  return 0;
};
