/** A sandbox that begins as a copy of an account. Another simulator is the account; it must see reads only. */
// @module-tag server
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Big from 'big.js';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/cli/dispatch.ts';
import { createTestClock, type SimulatorOptions, startSimulator } from '../../src/simulator/index.ts';
import { testTerminal } from '../support/command.ts';

const credentials = { key: 'real-key', secret: 'real-secret' };

/** The real account: a simulator with pending orders of every type, in the app and through the interface. */
async function startSource(options: Partial<SimulatorOptions> = {}) {
  const clock = createTestClock(Date.UTC(2026, 0, 15, 14));
  const simulator = await startSimulator({ clock, credentials, instrumentCount: 200, seed: 3, ...options });
  onTestFinished(() => simulator.close());
  const { order, setPrice } = simulator.inject;
  setPrice('QVIGL', 40);
  setPrice('QDUSK_US_EQ', 70);
  order({ ticker: 'QVIGL', quantity: 3, type: 'LIMIT', limitPrice: 21, initiatedFrom: 'API' });
  order({ ticker: 'QVIGL', quantity: 2, type: 'STOP_LIMIT', stopPrice: 60, limitPrice: 61 });
  order({ ticker: 'QDUSK_US_EQ', quantity: -1.5, type: 'STOP', stopPrice: 50, timeValidity: 'DAY' });
  return { source: simulator, clock };
}

type Simulator = Awaited<ReturnType<typeof startSimulator>>;
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
type Body = any;

async function read(origin: string, path: string, key = 'sandbox', secret = 'sandbox'): Promise<Body> {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const { statusCode, body } = await request(`${origin}/api/v0/equity/${path}`, { headers: { authorization } });
  expect(statusCode, path).toBe(200);
  return body.json();
}

/** The account as a client sees it. */
const readAll = async (origin: string, ...keys: string[]) => ({
  summary: await read(origin, 'account/summary', ...keys),
  positions: await read(origin, 'positions', ...keys),
  orders: await read(origin, 'orders', ...keys),
});

/** Runs `simulate` with a clock that is the same for all reads, and calls `work` while it runs. */
async function simulate(argv: string[], baseUrl: string, work: (origin: string, key: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'brokerage-mcp-copy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stop = new AbortController();
  const lines: string[] = [];
  let code = -1;
  let [origin, key] = ['', ''];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const finished = main(
    testTerminal({
      argv: ['simulate', '--clock', 'fixed', ...argv],
      env: {
        BROKER_STATE_DIR: join(folder, 'state'),
        BROKER_DEMO_BASE_URL: baseUrl,
        BROKER_LIVE_BASE_URL: baseUrl,
        BROKER_API_KEY: credentials.key,
        BROKER_API_SECRET: credentials.secret,
      },
      print: (line) => {
        lines.push(line);
        origin ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
        key ||= /^Key and secret: (\w+)/.exec(line)?.[1] ?? '';
        if (origin && key) open();
      },
      warn: (line) => void lines.push(line),
      shutdownSignal: stop.signal,
    }),
  ).then((result) => {
    code = result;
    open();
  });
  try {
    await opened;
    if (origin && key) await work(origin, key);
  } finally {
    stop.abort();
    await finished;
  }
  return { code, lines };
}

/** A penny for each amount that is computed from a rounded one. */
function expectNear(amounts: Body, wanted: Body): void {
  for (const [name, amount] of Object.entries(wanted)) {
    const difference = typeof amount === 'number' ? new Big(amounts[name]).minus(amount).abs() : undefined;
    if (difference) expect(difference.lte('0.02'), `${name}: ${amounts[name]} and ${amount}`).toBe(true);
    else expect(amounts[name]).toEqual(amount);
  }
}

function expectCopied(copy: Body, real: Body): void {
  expect(copy.orders).toEqual(real.orders);
  expect(copy.positions).toHaveLength(real.positions.length);
  for (const [index, { walletImpact, ...fields }] of real.positions.entries()) {
    const { walletImpact: copied, ...others } = copy.positions[index];
    expect(others).toEqual(fields);
    expect(copied.totalCost).toBe(walletImpact.totalCost);
    expectNear(copied, walletImpact);
  }
  const { id, currency, cash, investments } = copy.summary;
  expect({ id, currency, cash }).toEqual({
    id: real.summary.id,
    currency: real.summary.currency,
    cash: real.summary.cash,
  });
  expect(investments.realizedProfitLoss).toBe(real.summary.investments.realizedProfitLoss);
  expect(investments.totalCost).toBe(real.summary.investments.totalCost);
}

/** Reads the account, lets the command copy it, and returns both. */
async function copy(source: Simulator, advance: (ms: number) => void) {
  const real = await readAll(source.origin, credentials.key, credentials.secret);
  advance(10_000);
  const already = source.log.length;
  let copied: Awaited<ReturnType<typeof readAll>> | undefined;
  const { code, lines } = await simulate(['--from-account', 'demo'], source.origin, async (origin, key) => {
    copied = await readAll(origin, key, key);
  });
  return { real, copied, code, lines, requests: source.log.slice(already) };
}

test('positions, cash and pending orders equal those of the account, which is only read', {
  tags: ['slow'],
}, async () => {
  const { source, clock } = await startSource();
  const books = source.groundTruth();
  const { real, copied, code, lines, requests } = await copy(source, clock.advance);
  expect(code).toBe(0);
  expect(real.positions.length).toBeGreaterThan(10);
  expect(real.orders).toHaveLength(3);
  expect(real.summary.cash.reservedForOrders).toBeGreaterThan(100);
  expect(real.summary.cash.inPies).toBeGreaterThan(0);
  expectCopied(copied, real);
  expect(requests.map(({ method, endpoint }) => `${method} ${endpoint}`).sort()).toEqual([
    'GET getAccountSummary',
    'GET listInstruments',
    'GET listPendingOrders',
    'GET listPositions',
  ]);
  expect(source.groundTruth().pendingOrders).toEqual(books.pendingOrders);
  expect(lines.at(-1)).toMatch(/^It began as a copy of demo: \d+ positions, 3 pending orders /);
});

test('an account in another form gives the same copy: nulls, envelopes, no signs, no currency effect', {
  tags: ['slow'],
}, async () => {
  const { source, clock } = await startSource({
    quirks: { nullFields: true, listEnvelope: 'items', unsignedSells: true, ownFxImpact: 'absent' },
  });
  const books = source.groundTruth();
  const { copied } = await copy(source, clock.advance);
  expect(copied?.positions.map(({ quantity }: Body) => String(quantity))).toEqual(
    books.positions.map(({ quantity }) => String(Number(quantity))),
  );
  expect(copied?.orders.map(({ id, quantity }: Body) => [String(id), String(quantity)])).toEqual(
    books.pendingOrders.map(({ id, quantity }) => [id, quantity]),
  );
});

test.each(['demo', 'live'])('what is placed in a copy of %s stays there', async (environment) => {
  const { source } = await startSource();
  const books = source.groundTruth();
  await simulate(['--from-account', environment], source.origin, async (origin, key) => {
    const { statusCode, body } = await request(`${origin}/api/v0/equity/orders/limit`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify({ ticker: 'QBRAMl_EQ', quantity: -1, limitPrice: 5000 }),
    });
    expect([statusCode, await body.json()]).toEqual([200, expect.objectContaining({ status: 'NEW', quantity: -1 })]);
  });
  expect(source.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(source.groundTruth().pendingOrders).toEqual(books.pendingOrders);
});

test('each copy has a random key, and the key of the sandbox does not open it', async () => {
  const { source, clock } = await startSource();
  const keys: string[] = [];
  for (let copies = 0; copies < 2; copies++) {
    clock.advance(60_000);
    await simulate(['--from-account', 'demo'], source.origin, async (origin, key) => {
      keys.push(key);
      const { statusCode } = await request(`${origin}/api/v0/equity/positions`, {
        headers: { authorization: 'sandbox' },
      });
      expect(statusCode).toBe(401);
      expect(await read(origin, 'account/summary', key, key)).toMatchObject({ currency: 'GBP' });
    });
  }
  expect(keys.map((key) => /^[0-9a-f]{32}$/.test(key))).toEqual([true, true]);
  expect(keys[0]).not.toBe(keys[1]);
});

test('another source than demo or live is a usage error, and an account that cannot be read an error', async () => {
  const wrong = await simulate(['--from-account', 'sandbox'], 'http://127.0.0.1:9', async () => {});
  expect([wrong.code, wrong.lines]).toEqual([
    2,
    [expect.stringContaining('--from-account is "sandbox"; it must be demo or live.')],
  ]);
  const { source } = await startSource();
  source.faults.push({ endpoint: 'listPositions', kind: 'status', status: 403 });
  const refused = await simulate(['--from-account', 'demo'], source.origin, async () => {});
  expect(refused.code).toBe(1);
});
