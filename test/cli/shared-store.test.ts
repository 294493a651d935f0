/** Machines that share one account through PostgreSQL: each has a state folder of its own, and its own processes. */
// @module-tag process
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measureSync } from '../../checks/bench/sync.ts';
import { systemClock } from '../../src/core/clock.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { runCommand } from '../support/command.ts';
import { type Connect, clients } from '../support/http.ts';
import { startHttpProcess } from '../support/http-process.ts';
import { findServerFolder } from '../support/open-folder.mjs';
import { createDatabase, startPostgres } from '../support/postgres.ts';
import { startServerHere } from '../support/server-here.ts';

const credentials = { key: 'shared-key', secret: 'shared-secret' };
const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11.5, timeValidity: 'DAY' };

async function account(stateUrl: string) {
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 200 });
  onTestFinished(() => simulator.close());
  simulator.inject.setPrice('QNOON_GB_EQ', 12);
  const machine = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-machine-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return {
      HOME: folder,
      BROKER_STATE_DIR: folder,
      BROKER_STATE_URL: stateUrl,
      BROKER_ENV: 'demo',
      BROKER_DEMO_BASE_URL: simulator.origin,
      BROKER_API_KEY: credentials.key,
      BROKER_API_SECRET: credentials.secret,
    };
  };
  const count = (endpoint: string) => simulator.log.filter((request) => request.endpoint === endpoint).length;
  return { simulator, machine, count };
}

/** A client of a server on another port. */
async function clientOf(url: URL, connect: Connect) {
  const client = await connect(url);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  return async (name: string, args: Record<string, unknown> = {}): Promise<any> => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    return result.structuredContent;
  };
}

const [[, newer], [, older]] = clients as unknown as [(typeof clients)[0], (typeof clients)[0]];

test('two servers on two ports serve everything at once, none is refused, and an order is placed once', {
  tags: ['slow'],
}, async () => {
  const { simulator, machine, count } = await account(await createDatabase());
  const servers = await Promise.all([0, 1].map(async () => startHttpProcess(await machine())));
  expect(new Set(servers.map(({ url }) => url.port)).size).toBe(2);
  const callers = await Promise.all(servers.flatMap(({ url }) => [clientOf(url, newer), clientOf(url, older)]));
  const answers = await Promise.all(
    callers.flatMap((call) => [
      call('get_account_summary'),
      call('list_positions'),
      call('list_orders'),
      call('fetch_history', { kind: 'orders', limit: 50 }),
    ]),
  );
  for (const answer of answers) expect(answer.env).toBe('demo');
  expect(simulator.log.filter(({ refused }) => refused)).toEqual([]);
  // On a busy machine the calls take longer than one period, and then the next one reads again.
  const reads = simulator.log.filter(({ endpoint }) => endpoint === 'getAccountSummary').map(({ at }) => at);
  const gaps = reads.slice(1).map((at, index) => at - (reads[index] ?? 0));
  expect(gaps.filter((gap) => gap < 5_000)).toEqual([]);
  expect(count('listHistoricalOrders')).toBeLessThanOrEqual(13);

  const orders = await Promise.all(callers.map((call) => call('place_limit_order', order)));
  expect(new Set(orders.map(({ intentId }) => intentId)).size).toBe(1);
  expect(orders.filter(({ coalesced }) => coalesced).length).toBe(3);
  expect(count('placeLimitOrder')).toBe(1);
  expect(simulator.log.filter(({ refused }) => refused)).toEqual([]);
});

test('two machines load a history together: each page once, and none refused', { tags: ['slow'] }, async () => {
  const stateUrl = await createDatabase();
  const figures = await measureSync('dist/brokerage-mcp.cjs', { processes: 2, periodSeconds: 0.5, stateUrl });
  expect(figures).toMatchObject({ allComplete: true, refused: 0 });
  // One second with several rows is read twice.
  expect(figures.requests).toBeLessThanOrEqual(figures.pages + 2);
});

// The campaign kills servers at every step; this one is over HTTP.
test('an order whose server dies during the send is found by the other, and not placed again', {
  tags: ['slow'],
}, async () => {
  const { simulator, machine, count } = await account(await createDatabase());
  const [first, second] = [await startHttpProcess(await machine()), await startHttpProcess(await machine())];
  const [doomed, other] = [await clientOf(first.url, older), await clientOf(second.url, newer)];
  await other('list_orders');
  simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'hang' });
  // Its client goes on trying to reach it.
  void doomed('place_limit_order', order).catch(() => undefined);
  await expect.poll(() => count('placeLimitOrder'), { interval: 20 }).toBe(1);
  first.child.kill('SIGKILL');
  const again = await other('place_limit_order', order);
  expect(again).toMatchObject({ coalesced: true });
  await expect.poll(async () => (await other('get_order', { intentId: again.intentId })).outcome).toBe('placed');
  expect(count('placeLimitOrder')).toBe(1);
  expect(simulator.log.filter(({ refused }) => refused)).toEqual([]);
});

test('orders are refused while the database is away and accepted when it is back; reads continue', {
  tags: ['slow'],
}, async () => {
  const data = join(await mkdtemp(join(findServerFolder() ?? tmpdir(), 'brokerage-mcp-data-')), 'data');
  onTestFinished(() => rm(dirname(data), { recursive: true, force: true }));
  const database = await startPostgres({ data });
  const { machine, count } = await account(database.url);
  const { call } = await startServerHere(await machine());
  await call('list_positions');
  await database.stop();
  expect(await call('place_limit_order', order)).toMatchObject({ outcome: 'refused', rule: 'store_unavailable' });
  expect((await call('get_account_summary')).env).toBe('demo');
  expect(count('placeLimitOrder')).toBe(0);
  const back = await startPostgres({ port: database.port, data });
  onTestFinished(() => back.stop());
  await expect.poll(async () => (await call('place_limit_order', order)).outcome, { interval: 1_000 }).toBe('placed');
  expect(count('placeLimitOrder')).toBe(1);
});

test('a halt on one machine stops the others, also from a shell in the sandbox', async () => {
  const { machine, count } = await account(await createDatabase());
  const { call } = await startServerHere(await machine());
  const { BROKER_DEMO_BASE_URL: _, BROKER_API_KEY: __, BROKER_API_SECRET: ___, ...shell } = await machine();
  await runCommand(['halt', 'fire', 'drill'], { ...shell, BROKER_ENV: 'sandbox' });
  expect(await call('place_limit_order', order)).toMatchObject({ outcome: 'refused', rule: 'halted' });
  expect(count('placeLimitOrder')).toBe(0);
});

test('a halt that cannot reach the other machines reports that', async () => {
  const { machine } = await account('postgres://owner@127.0.0.1:9/nowhere');
  const { stdout, stderr } = await runCommand(['halt'], await machine());
  expect(stdout).toContain('Halted: no new order is sent, from servers with this state folder on this machine.');
  expect(stderr).toContain('servers on OTHER machines are not halted');
  expect(stderr).toContain('Store: postgres://127.0.0.1:9/nowhere');
});
