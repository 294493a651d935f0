import { createLazyToolRuntime } from '../app/lazy-tool-runtime.ts';
import { loadListing } from '../app/load-listing.ts';
import { warnOfMissingStore } from '../app/store-warning.ts';
import { serve } from '../core/mcp/mcp-server.ts';
import { version } from '../core/process/version.ts';
import { readConfigs } from '../core/settings/config.ts';
import { loadSettings } from '../core/settings/load-settings.ts';
import type { Command } from './command.ts';

/**
 * Serves MCP on standard input and output until the input ends, or over HTTP when an address is set. Standard output
 * carries only protocol messages. No request leaves before the first tool call, unless an earlier order is still open.
 */
export const serveCommand: Command = async (input, terminal) => {
  const { flags } = input;
  if (loadSettings(flags, terminal).http) return (await import('./serve-http.ts')).serveHttpCommand(input, terminal);
  const configs = readConfigs(flags, terminal);
  const [config] = configs;
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);
  warnOfMissingStore(config, terminal);

  const { parts, started } = createLazyToolRuntime(configs, terminal);
  const handle = serve(
    { ...parts, config, version, listing: await loadListing() },
    { input: terminal.input(), onError: (error) => terminal.warn(`brokerage-mcp: ${error.message}`) },
  );
  terminal.watchInput();
  await new Promise<void>((resolve) => {
    if (terminal.shutdownSignal.aborted) resolve();
    terminal.shutdownSignal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
  await (await started())?.close();
  // A pending request would keep the process running. Its order is in the journal, and the next start determines its
  // outcome.
  terminal.exitSoon();
  return 0;
};
