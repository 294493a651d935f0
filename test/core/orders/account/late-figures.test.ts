/** A service that shows our orders late: nothing is spent or sold twice, or counted twice once it is shown. */
// @module-tag server
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Big from 'big.js';
import { expect, onTestFinished, test } from 'vitest';
import { makeSecrets } from '../../../../checks/campaign/secrets.ts';
import { startServer } from '../../../../checks/campaign/server-process.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { lagMs } from '../../../../src/core/orders/account/exposure.ts';
import { type Simulator, startSimulator } from '../../../../src/simulator/index.ts';
import { type Setup, setup } from '../../../support/setup.ts';

const ticker = 'QNOON_GB_EQ';
/** Longer than the limit makes a second process wait before it can read. */
const late = { reservedLateMs: 10_000, unreadableOrderMs: 10_000 };
const buy = (quantity: number) => ({ ticker, side: 'BUY', quantity, limitPrice: 10, timeValidity: 'DAY' });

/** Leaves this much free cash. */
const leaveCash = ({ simulator }: Pick<Setup, 'simulator'>, amount: number) =>
  simulator.inject.transfer(new Big(amount).minus(simulator.groundTruth().cash.available).toFixed());

function holding(simulator: Simulator) {
  const position = simulator.groundTruth().positions.find((one) => one.ticker === ticker);
  const held = Number(position?.quantity);
  return { held, price: Number(position?.currentValue) / held };
}

test('a purchase of another process counts in the cash while the service does not show it', async () => {
  const first = await setup({ quirks: late });
  leaveCash(first, 900);
  const second = await setup({ beside: first });
  expect((await first.call('place_limit_order', buy(46))).body).toMatchObject({ outcome: 'placed' });
  const preview = await second.call('preview_order', { type: 'LIMIT', ...buy(45) });
  expect(preview.body.checks[0]).toMatchObject({ check: 'cash', ok: false });
  expect((await second.call('place_limit_order', buy(45))).body).toMatchObject({
    outcome: 'refused',
    rule: 'cash',
    largestQuantity: '42',
  });
});

test('once the service shows the purchase, the remaining cash can be spent', { tags: ['slow'] }, async () => {
  const first = await setup({ quirks: late });
  leaveCash(first, 900);
  const second = await setup({ beside: first });
  await first.call('place_limit_order', buy(46));
  await first.clock.advance(12_000);
  expect((await second.call('place_limit_order', buy(41))).body).toMatchObject({ outcome: 'placed' });
});

test('a sale of another process counts in the free shares while the service does not show it', {
  tags: ['slow'],
}, async () => {
  const first = await setup({ quirks: late });
  const { held } = holding(first.simulator);
  const sell = (quantity: number) => ({ ticker, side: 'SELL', quantity, limitPrice: 13, timeValidity: 'DAY' });
  const second = await setup({ beside: first });
  const sold = Math.floor(held) - 2;
  expect((await first.call('place_limit_order', sell(sold))).body).toMatchObject({ outcome: 'placed' });
  expect((await second.call('place_limit_order', sell(4))).body).toMatchObject({
    outcome: 'refused',
    rule: 'shares',
    largestQuantity: new Big(held).minus(sold).toFixed(),
  });
  await first.clock.advance(12_000);
  expect((await second.call('place_limit_order', sell(1))).body).toMatchObject({ outcome: 'placed' });
});

const secrets = makeSecrets();

/** Six processes on one account of a real service, whose limits are short. */
async function sixProcesses() {
  const simulator = await startSimulator({
    clock: systemClock,
    credentials: { key: secrets.key, secret: secrets.secret },
    instrumentCount: 100,
    limitScale: 0.02,
    quirks: { reservedLateMs: lagMs - 1, unreadableOrderMs: lagMs - 1 },
  });
  const stateDir = await mkdtemp(join(tmpdir(), 'brokerage-mcp-late-'));
  const env = {
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: secrets.key,
    BROKER_API_SECRET: secrets.secret,
    BROKER_STATE_DIR: stateDir,
    BROKER_CONFIG_DIR: stateDir,
  };
  const start = () => startServer({ file: 'dist/brokerage-mcp.cjs', env, secrets });
  const servers = await Promise.all(Array.from({ length: 6 }, start));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await simulator.close();
    await rm(stateDir, { recursive: true, force: true });
  });
  return { simulator, servers };
}

/** The requests that the service accepted and refused. */
const sent = ({ simulator }: Pick<Setup, 'simulator'>) => {
  const posts = simulator.log.filter(({ endpoint }) => endpoint === 'placeLimitOrder');
  return {
    accepted: posts.filter(({ status }) => status === 200).length,
    refused: posts.filter(({ status }) => status === 400).length,
  };
};

test('eight purchases of 460 by six processes in turn spend no more than the 2,500 in cash', {
  timeout: 240_000,
  tags: ['slow'],
}, async () => {
  const { simulator, servers } = await sixProcesses();
  leaveCash({ simulator }, 2_500);
  const limitPrice = Number((holding(simulator).price * 0.9).toFixed(2));
  const quantity = Math.round(460 / limitPrice);
  const outcomes: (string | undefined)[] = [];
  for (let n = 0; n < 8; n++) {
    const args = { ticker, side: 'BUY', quantity: quantity + n / 100, limitPrice, timeValidity: 'GOOD_TILL_CANCEL' };
    outcomes.push((await servers[n % 6]?.call('place_limit_order', args).said)?.outcome);
  }
  expect(outcomes).toEqual([...Array(5).fill('placed'), ...Array(3).fill('refused')]);
  expect(sent({ simulator })).toEqual({ accepted: 5, refused: 0 });
});

test('six sales of 40 % each by six servers in turn sell no more than is held', { tags: ['slow'] }, async () => {
  const first = await setup({ quirks: { reservedLateMs: lagMs - 1, unreadableOrderMs: lagMs - 1 }, limitScale: 0.02 });
  const servers = [first];
  while (servers.length < 6) servers.push(await setup({ beside: first }));
  const { held, price } = holding(first.simulator);
  const limitPrice = Number((price * 1.1).toFixed(2));
  const outcomes: (string | undefined)[] = [];
  for (const [n, server] of servers.entries()) {
    const quantity = Number((held * 0.4 - n / 100).toFixed(2));
    const args = { ticker, side: 'SELL', quantity, limitPrice, timeValidity: 'GOOD_TILL_CANCEL' };
    outcomes.push((await server.call('place_limit_order', args)).body.outcome);
  }
  expect(outcomes).toEqual([...Array(2).fill('placed'), ...Array(4).fill('refused')]);
  expect(sent(first)).toEqual({ accepted: 2, refused: 0 });
});
