/** What a running server uses: memory while idle, and the time of a cached result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectStdio } from '../../src/cli/stdio-client.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { percentile } from './median.ts';
import { readMegabytes } from './process-figures.ts';

export interface IdleFigures {
  /**
   * Resident memory a few seconds after the tools were listed, and after some reads; undefined where the system does
   * not report it.
   */
  readonly megabytes: number | undefined;
  readonly megabytesAfterReads: number | undefined;
  readonly cachedReadP95Ms: number;
  /** From the end of its input to its exit. */
  readonly goodbyeMs: number;
}

const credentials = { key: 'bench-key', secret: 'bench-secret' };
const clock = { now: () => Date.now(), sleep: (ms: number) => pause(ms) };

export async function measureIdle(binary: string): Promise<IdleFigures> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-idle-'));
  const simulator = await startSimulator({ clock, credentials });
  const server = await connectStdio(process.execPath, [binary, '--state-dir', stateDir], {
    PATH: process.env.PATH,
    HOME: stateDir,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  });
  try {
    await server.listTools();
    await pause(2_000);
    const megabytes = readMegabytes(server.pid);
    await server.call('list_positions', {});
    await server.call('get_account_summary', {});
    const times: number[] = [];
    // A response stays fresh for five seconds per endpoint: the calls after the first need no request.
    for (let round = 0; round < 60; round++) {
      const from = performance.now();
      await server.call('get_account_summary', {});
      times.push(performance.now() - from);
    }
    await pause(3_000);
    const megabytesAfterReads = readMegabytes(server.pid);
    const from = performance.now();
    await server.close();
    return {
      megabytes,
      megabytesAfterReads,
      cachedReadP95Ms: percentile(times, 0.95),
      goodbyeMs: performance.now() - from,
    };
  } finally {
    await server.close();
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
