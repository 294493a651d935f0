/**
 * How long an order takes just after another process began to watch the account, against the same order without it. Each
 * pair has an account and a store of its own, so the watch reads the histories from their beginning: it never reads more.
 * Real processes in real time, interleaved.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectStdio } from '../../src/cli/stdio-client.ts';
import { systemClock } from '../../src/core/clock.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { median } from './median.ts';

export interface WatchedOrderFigures {
  /** Pairs of an order with the watch and one without. */
  readonly pairs: number;
  /** Medians, and the longest. */
  readonly watchedMs: number;
  readonly plainMs: number;
  readonly longestWatchedMs: number;
  readonly longestPlainMs: number;
  /** Requests that the service refused for a limit. */
  readonly refused: number;
}

const credentials = { key: 'bench-key', secret: 'bench-secret' };
/** It is not held, so an order reads the newest fills too, from the limit that the watch uses most. */
const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice: 10, timeValidity: 'GOOD_TILL_CANCEL' };

export async function measureWatchedOrders(binary: string, pairs: number): Promise<WatchedOrderFigures> {
  const [watched, plain]: [number[], number[]] = [[], []];
  let refused = 0;
  for (let pair = 0; pair < pairs; pair++) {
    for (const isWatched of pair % 2 === 0 ? [true, false] : [false, true]) {
      const measured = await measureOne(binary, isWatched);
      (isWatched ? watched : plain).push(measured.ms);
      refused += measured.refused;
    }
  }
  return {
    ...{ pairs, refused },
    watchedMs: median(watched),
    plainMs: median(plain),
    longestWatchedMs: Math.max(...watched),
    longestPlainMs: Math.max(...plain),
  };
}

async function measureOne(binary: string, isWatched: boolean): Promise<{ ms: number; refused: number }> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-watched-'));
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 300 });
  simulator.inject.setPrice(order.ticker, 11);
  const env = {
    PATH: process.env.PATH,
    HOME: stateDir,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  };
  const args = ['--state-dir', stateDir];
  const server = await connectStdio(process.execPath, [binary, ...args], env);
  const end = isWatched ? await startWatch(simulator, [binary, 'watch', ...args], env) : async () => undefined;
  try {
    // The first call of a process loads the program, which another benchmark measures.
    await server.call('get_server_status', {});
    const from = performance.now();
    const { body } = await server.call('place_limit_order', order);
    const ms = performance.now() - from;
    if (body.outcome !== 'placed') throw new Error(`an order was not placed: ${JSON.stringify(body)}`);
    simulator.inject.setPrice('QX', '1');
    return { ms, refused: simulator.log.filter(({ status }) => status === 429).length };
  } finally {
    await end();
    await server.close();
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Resolves when the watch has read each history once, and goes on with the rest of them. */
async function startWatch(simulator: Simulator, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!simulator.log.some(({ endpoint }) => endpoint === 'listTransactions')) await pause(10);
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
