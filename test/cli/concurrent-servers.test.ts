/** Several server processes on one account: one allowance, one cache, one simulated account. */
// @module-tag process
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measureSync } from '../../checks/bench/sync.ts';
import { systemClock } from '../../src/core/clock.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { startServer } from '../support/stdio-server.ts';

async function stateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-several-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const credentials = { key: 'several-key', secret: 'several-secret' };

async function demoAccount() {
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200 });
  onTestFinished(() => simulator.close());
  const folder = await stateFolder();
  const env = {
    HOME: folder,
    BROKER_STATE_DIR: folder,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  };
  return { simulator, env };
}

test('eight processes that read everything at once all get results, and none is refused', {
  tags: ['slow'],
}, async () => {
  const { simulator, env } = await demoAccount();
  const servers = await Promise.all(Array.from({ length: 8 }, () => startServer(env)));
  const answers = await Promise.all(
    servers.flatMap(({ call }) => [
      call('get_account_summary'),
      call('list_positions'),
      call('fetch_history', { kind: 'orders', limit: 100 }),
      call('fetch_history', { kind: 'dividends', limit: 50 }),
    ]),
  );
  expect(answers.length).toBe(32);
  for (const answer of answers) expect(answer.env).toBe('demo');
  expect(simulator.log.filter(({ refused }) => refused)).toEqual([]);
  // Shared, not only queued: one request for all callers.
  const count = (endpoint: string) => simulator.log.filter((request) => request.endpoint === endpoint).length;
  expect(count('getAccountSummary')).toBe(1);
  expect(count('listPositions')).toBeLessThanOrEqual(2);
  // Each page once, and the newest perhaps again: one process reads for all.
  expect(count('listHistoricalOrders')).toBeLessThanOrEqual(13);
  expect(count('listDividends')).toBeLessThanOrEqual(6);
});

test('when one of them is killed in the middle, the others still get results', { tags: ['slow'] }, async () => {
  const { simulator, env } = await demoAccount();
  const [victim, ...others] = await Promise.all(Array.from({ length: 4 }, () => startServer(env)));
  const lost = victim?.call('fetch_history', { kind: 'orders', limit: 300, waitSeconds: 10 }).catch(() => 'killed');
  await systemClock.sleep(150);
  await victim?.kill();
  // More rows than a page of the service has; one result holds fewer.
  const counts = await Promise.all(
    others.map(async ({ call }) => {
      const { rows, nextCursor: cursor } = await call('fetch_history', { kind: 'orders', limit: 55 });
      const rest = await call('fetch_history', { kind: 'orders', limit: 55 - rows.length, cursor });
      return rows.length + rest.rows.length;
    }),
  );
  expect(counts).toEqual([55, 55, 55]);
  expect(await lost).toBe('killed');
  expect(simulator.log.filter(({ refused }) => refused)).toEqual([]);
});

test('two processes in the sandbox share one paper account, which outlives the process that served it', {
  tags: ['slow'],
}, async () => {
  const folder = await stateFolder();
  const env = { HOME: folder, BROKER_STATE_DIR: folder };
  const [first, second] = [await startServer(env), await startServer(env)];
  const { rows, columns } = await first.call('list_positions', { ticker: 'QNOON_GB_EQ' });
  const price = Number(rows[0][columns.indexOf('currentPrice')]);
  const limitPrice = Number((price * 0.9).toFixed(2));
  const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice, timeValidity: 'GOOD_TILL_CANCEL' };
  const { orderId } = await first.call('place_limit_order', order);
  const ids = async () => (await second.call('list_orders')).rows.map((row: string[]) => row[0]);
  expect(await ids()).toContain(orderId);
  await first.kill();
  expect(await ids()).toContain(orderId);
  expect((await second.call('cancel_order', { orderId })).outcome).toBe('requested');
});

test('four processes load a history page by page, each page once and none refused, although the reading one is killed', {
  tags: ['slow'],
}, async () => {
  const figures = await measureSync('dist/brokerage-mcp.cjs', { processes: 4, kill: true, periodSeconds: 0.5 });
  expect(figures.allComplete).toBe(true);
  expect(figures.refused).toBe(0);
  // A request of the killed process in flight is repeated, and one second with several rows is read twice.
  expect(figures.requests).toBeLessThanOrEqual(figures.pages + 3);
});
