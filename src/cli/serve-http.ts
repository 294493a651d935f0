/** MCP over Streamable HTTP. The build makes it a separate file, which a server on standard input never loads. */
import { setFlagsFromString } from 'node:v8';
import { createCallCanceller } from '../app/call-canceller.ts';
import { createLazyToolRuntime } from '../app/lazy-tool-runtime.ts';
import { loadListing } from '../app/load-listing.ts';
import { createMetrics } from '../app/metrics.ts';
import { warnOfMissingStore } from '../app/store-warning.ts';
import { systemClock } from '../core/clock.ts';
import { ignoreAbort, UsageError } from '../core/errors.ts';
import { bearerToken } from '../core/http/access-guards.ts';
import { type HttpServer, startHttp } from '../core/http/http-server.ts';
import { orElse } from '../core/log.ts';
import { buildServer } from '../core/mcp/mcp-server.ts';
import { configFor } from '../core/mcp/tool-listing.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { version } from '../core/process/version.ts';
import { type Config, readConfigs } from '../core/settings/config.ts';
import { type HttpSettings, readHttpSettings } from '../core/settings/http-settings.ts';
import type { Command } from './command.ts';

/** npm forwards the terminal's signal, so the process receives it twice; repeats within this time (ms) are ignored. */
const echoMs = 500;

/**
 * How long (ms) running calls may continue after a signal: long enough for a read in progress, and shorter than the
 * time for closing the store.
 */
const patienceMs = 2_000;

/**
 * The percentage by which the heap may grow before a collection. V8 lets a small heap grow to several times the memory
 * in use: under hostile clients the process took 264 MB, and takes 217 MB with this.
 */
const maxHeapGrowthPercent = 30;

/** Serves until a signal; then it completes running calls and waits for an order that is being sent. */
export const serveHttpCommand: Command = async ({ flags }, terminal) => {
  const configs = readConfigs(flags, terminal);
  const [config] = configs;
  const settings = readHttpSettings(flags, terminal);
  if (!settings) throw new UsageError('--http is missing.');
  setFlagsFromString(`--heap-growing-percent=${maxHeapGrowthPercent}`);
  for (const warning of config.warnings) terminal.warn(`brokerage-mcp: ${warning}`);
  warnOfMissingStore(config, terminal);

  const metrics = createMetrics(systemClock, { version, environment: config.environment });
  // No approval page on this machine alone: a client can be on another. Users approve in a terminal, or under the public name.
  const { parts, start, started } = createLazyToolRuntime(configs, terminal, {
    hasPage: false,
    observer: metrics.broker,
    otherSecrets: [settings.token],
    watch: settings.watch,
  });
  const ender = createCallCanceller();
  const run = metrics.withCallMetrics(ender.withCancellation(parts.run));
  const shared = { ...parts, config, version, listing: await loadListing(), run };
  const { publicUrl } = settings;
  const authorizeOwner = bearerToken(settings.token);
  const oauth =
    publicUrl === undefined
      ? undefined
      : (await import('../features/oauth/oauth.ts')).createOauth({
          origin: publicUrl,
          config,
          open: async () => (await start()).access,
          authorizeOwner,
        });
  const server: HttpServer = await startHttp({
    ...settings,
    authorize: oauth?.authorize ?? authorizeOwner,
    routes: oauth?.routes,
    changes: parts.changes,
    // A client of the web approves nothing, whatever the owner enrolled for the hosts of this machine.
    buildServer: (reach) =>
      buildServer(reach === 'owner' ? shared : { ...shared, config: configFor(config, reach), canAsk: false }),
    clock: systemClock,
    onAnswer: metrics.onHttpAnswer,
    metrics: async () => {
      // A request with the token counts as a client.
      parts.onClient();
      const work = await (await started())?.gauges();
      const [sessions, connections] = [server.sessions(), server.connections()];
      return metrics.text({ sessions, connections, memoryBytes: terminal.memoryBytes(), work });
    },
  });
  tell(server, settings, config, terminal);
  // Without it the watch begins with the first call.
  if (settings.watch) void start().catch(orElse('start to watch', undefined));
  if (oauth)
    void repeat(
      () => oauth.endRevoked(server).catch(orElse('the grants of clients', undefined)),
      terminal.shutdownSignal,
    );

  await new Promise<void>((resolve) => {
    if (terminal.shutdownSignal.aborted) resolve();
    terminal.shutdownSignal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.stop();
  void systemClock.sleep(echoMs).then(terminal.forceExitOnNextSignal);
  void systemClock.sleep(patienceMs).then(ender.endAll);
  await (await started())?.close();
  await server.close();
  // A pending request would keep the process running. Its order is in the journal, and the next start determines its
  // outcome.
  terminal.exitSoon();
  return 0;
};

/** How soon (ms) a client is disconnected whose grant was ended by a command; a new request of it is refused at once. */
const revokedMs = 5_000;

async function repeat(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(revokedMs, signal).catch(ignoreAbort);
    await work();
  }
}

function tell(
  { origin, isLoopback }: HttpServer,
  { host, hosts, publicUrl }: HttpSettings,
  config: Config,
  terminal: ProcessContext,
): void {
  terminal.warn(`brokerage-mcp: serving MCP (${config.environment}) at ${origin}/mcp`);
  if (publicUrl !== undefined) terminal.warn(`brokerage-mcp: clients of the web connect to ${publicUrl}/mcp`);
  if (isLoopback) return;
  terminal.warn(
    'brokerage-mcp: other machines can reach this address without encryption: put a TLS proxy in front of it.',
  );
  if (hosts.length === 0 && ['0.0.0.0', '[::]'].includes(host))
    terminal.warn(
      'brokerage-mcp: only requests to localhost are accepted; add the names that clients use with BROKER_HTTP_HOSTS.',
    );
}
