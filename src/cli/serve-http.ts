/** MCP over Streamable HTTP. The build puts it into a file of its own: a server on standard input never reads it. */
import { setFlagsFromString } from 'node:v8';
import { createCallCanceller } from '../app/call-canceller.ts';
import { createLazyToolRuntime } from '../app/lazy-tool-runtime.ts';
import { createMetrics } from '../app/metrics.ts';
import { systemClock } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import { bearerToken } from '../mcp/http/access-guards.ts';
import { type HttpServer, startHttp } from '../mcp/http/http-server.ts';
import { buildServer } from '../mcp/mcp-server.ts';
import { loadListing } from '../mcp/tool-listing.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { version } from '../process/version.ts';
import { type HttpSettings, readHttpSettings } from '../settings/http-settings.ts';
import type { Command } from './command.ts';

/** npm passes on to its child the signal that the terminal has sent to both: that one does not insist. */
const echoMs = 500;

/** Within the time that the work has for its goodbye, and long enough for every read that is on its way. */
const patienceMs = 2_000;

/**
 * The percentage by which the heap may grow before it is collected. V8 lets a small heap grow to several times
 * of what is used: under hostile clients the process took 264 MB, and takes 217 MB with this.
 */
const maxHeapGrowthPercent = 30;

/** Serves until a signal; then what is being answered is answered, and an order that is on its way is waited for. */
export const serveHttpCommand: Command = async ({ flags }, terminal) => {
  const config = readConfig(flags, terminal);
  const settings = readHttpSettings(flags, terminal);
  if (!settings) throw new UsageError('--http is missing.');
  setFlagsFromString(`--heap-growing-percent=${maxHeapGrowthPercent}`);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);

  const metrics = createMetrics(systemClock, { version, environment: config.environment });
  // Whoever approves has a terminal: an address of this machine is nothing for a client that may be anywhere.
  const { parts, started } = createLazyToolRuntime(config, terminal, {
    hasPage: false,
    observer: metrics.broker,
    otherSecrets: [settings.token],
  });
  const ender = createCallCanceller();
  const run = metrics.withCallMetrics(ender.withCancellation(parts.run));
  const shared = { ...parts, config, version, listing: await loadListing(), run };
  const server: HttpServer = await startHttp({
    ...settings,
    authorize: bearerToken(settings.token),
    buildServer: () => buildServer(shared),
    clock: systemClock,
    onAnswer: metrics.onHttpAnswer,
    onError: (error) => terminal.warn(`brokerage-mcp: ${error.name}: ${error.message}`),
    metrics: async () => {
      // Whoever holds the token is a client.
      parts.onClient();
      const work = await (await started())?.gauges();
      const [sessions, connections] = [server.sessions(), server.connections()];
      return metrics.text({ sessions, connections, memoryBytes: terminal.memoryBytes(), work });
    },
  });
  tell(server, settings, config, terminal);

  await new Promise<void>((resolve) => {
    if (terminal.shutdownSignal.aborted) resolve();
    terminal.shutdownSignal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.stop();
  void systemClock.sleep(echoMs).then(terminal.forceExitOnNextSignal);
  void systemClock.sleep(patienceMs).then(ender.endAll);
  await (await started())?.close();
  await server.close();
  // An answer that is still awaited would keep the process; its order is in the journal, and looked for at the next start.
  terminal.exitSoon();
  return 0;
};

function tell(
  { origin, isLoopback }: HttpServer,
  { host, hosts }: HttpSettings,
  config: Config,
  terminal: ProcessContext,
): void {
  terminal.warn(`brokerage-mcp: serving MCP (${config.environment}) at ${origin}/mcp`);
  if (isLoopback) return;
  terminal.warn(
    'brokerage-mcp: other machines can reach this address without encryption: put a TLS proxy in front of it.',
  );
  if (hosts.length === 0 && ['0.0.0.0', '[::]'].includes(host))
    terminal.warn(
      'brokerage-mcp: only requests to localhost are accepted; add the names that clients use with BROKER_HTTP_HOSTS.',
    );
}
