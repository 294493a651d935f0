/**
 * How long the first load of a long history takes, against the least that the limit allows. Real processes, scaled
 * window.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectStdio, type StdioClient } from '../../src/cli/stdio-client.ts';
import { startSimulator } from '../../src/simulator/index.ts';

export interface SyncFigures {
  readonly processes: number;
  readonly rows: number;
  readonly pages: number;
  /** Until every process has the complete result. */
  readonly seconds: number;
  readonly leastSeconds: number;
  readonly ratio: number;
  readonly requests: number;
  readonly refused: number;
  readonly allComplete: boolean;
}

const credentials = { key: 'bench-key', secret: 'bench-secret' };
const rowCount = 1_000;
const pageSize = 50;
/** Six requests per period: docs/interface.md, Rate limits, the stricter statement. */
const requestsPerPeriod = 6;
/** A Thursday on which the exchanges are open: orders fill at once. */
const startAt = Date.UTC(2026, 0, 15, 15, 0, 0);

export interface SyncOptions {
  readonly processes: number;
  /** Kill one during the load: the one that reads. */
  readonly kill?: boolean;
  readonly periodSeconds: number;
  /** Every process acts as a machine of its own; this is what they share. */
  readonly stateUrl?: string;
}

export async function measureSync(binary: string, options: SyncOptions): Promise<SyncFigures> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-sync-'));
  const startedAt = performance.now();
  let ahead = 0;
  const now = () => startAt + ahead + Math.floor(performance.now() - startedAt);
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const simulator = await startSimulator({
    clock: { now, sleep },
    credentials,
    instrumentCount: 300,
    limitScale: options.periodSeconds / 60,
  });
  while (simulator.groundTruth().history.length < rowCount) {
    simulator.inject.order({ ticker: 'QNOON_GB_EQ', quantity: '1' });
    ahead += 61_000;
  }
  const servers = await Promise.all(
    Array.from({ length: options.processes }, (_, n) => {
      const own = options.stateUrl ? join(stateDir, String(n)) : stateDir;
      return connect(binary, own, simulator.origin, options.stateUrl);
    }),
  );
  try {
    // The first call of a process loads the program, which another benchmark measures.
    await Promise.all(servers.map((server) => server.call('get_server_status', {})));
    const from = performance.now();
    const asked = servers.map((server) => askWhole(server, options.kill === true));
    if (options.kill) await killReader(servers, simulator.log, options.periodSeconds);
    const answers = await Promise.all(asked);
    const seconds = (performance.now() - from) / 1000;
    const pages = Math.ceil(rowCount / pageSize);
    const leastSeconds = Math.floor((pages - 1) / requestsPerPeriod) * options.periodSeconds;
    const history = simulator.log.filter(({ endpoint }) => endpoint === 'listHistoricalOrders');
    return {
      processes: options.processes,
      rows: simulator.groundTruth().history.length,
      pages,
      seconds,
      leastSeconds,
      ratio: seconds / leastSeconds,
      requests: history.length,
      refused: simulator.log.filter(({ refused }) => refused).length,
      allComplete:
        answers.filter((answer) => answer === 'killed').length <= (options.kill ? 1 : 0) &&
        answers.every((answer) => answer !== false),
    };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

const connect = (binary: string, stateDir: string, origin: string, stateUrl?: string): Promise<StdioClient> =>
  connectStdio(process.execPath, [binary, '--state-dir', stateDir], {
    PATH: process.env.PATH,
    HOME: stateDir,
    ...(stateUrl ? { BROKER_STATE_URL: stateUrl } : {}),
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  });

/** True when the complete history was returned; a killed process returns nothing. */
async function askWhole(server: StdioClient, mayDie: boolean): Promise<boolean | 'killed'> {
  try {
    for (let calls = 0; calls < 20; calls++) {
      const { isError, body } = await server.call('fetch_history', { kind: 'orders', limit: 1, waitSeconds: 50 });
      if (!isError && body.complete === true) return (body.coverage as { rows: number }).rows >= rowCount;
    }
    return false;
  } catch (error) {
    if (mayDie) return 'killed';
    throw error;
  }
}

/** Kills the first server, which was called first and reads, once half of the pages are stored. */
async function killReader(
  servers: readonly StdioClient[],
  log: readonly { endpoint: unknown }[],
  periodSeconds: number,
): Promise<void> {
  const half = Math.ceil(rowCount / pageSize / 2);
  const read = () => log.filter(({ endpoint }) => endpoint === 'listHistoricalOrders').length;
  const until = performance.now() + periodSeconds * 4_000;
  while (read() < half && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  const { pid } = servers[0] as StdioClient;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}
