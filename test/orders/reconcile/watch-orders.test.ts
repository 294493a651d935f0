/** Orders of another program that fill at once: noticed, counted in the limits, and a halt in live. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { listExternal, readExternalRecord } from '../../../src/orders/account/external-record.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';
import { watchOrders } from '../../../src/orders/reconcile/watch-orders.ts';
import { attack, marketOrder, order as restingOrder, waitingOrder } from '../../security/support.ts';
import { type Setup, setup } from '../../support/setup.ts';

const ticker = 'QNOON_GB_EQ';
const order = { ticker, side: 'BUY', quantity: 2, limitPrice: 10, timeValidity: 'GOOD_TILL_CANCEL' };
/** Equal in nothing but the ticker, so that it is no duplicate. */
const another = { ...order, quantity: 3 };

const historyReads = ({ requests }: Setup) => requests().filter((id) => id === 'listHistoricalOrders').length;

/** An order that fills at once, as another program or the app places it. */
function trade({ simulator }: Setup, initiatedFrom: 'API' | 'IOS', quantity = 7): void {
  simulator.inject.setPrice(ticker, 12);
  simulator.inject.order({ ticker, quantity, initiatedFrom });
}

/** Lets the background work of the servers run for this long. */
async function pass(ms: number, ...servers: readonly Setup[]): Promise<void> {
  const [{ clock }] = servers as [Setup];
  const until = clock.now() + ms;
  for (let round = 0; clock.now() < until && round < 100; round++) {
    for (const { composed } of servers) await composed.services.orderManager.tick();
    await clock.advance(4_000);
  }
}

/** Lets a server run until it has read the orders once more. */
async function watchMinute(made: Setup): Promise<void> {
  const since = made.clock.now();
  await pass(64_000, made);
  const key = await made.composed.services.drafts.accountKey();
  const readAt = async () => (await made.composed.journal.read((tx) => readExternalRecord(tx, key)))?.readAt;
  await expect.poll(readAt, { timeout: 5_000 }).toBeGreaterThan(since);
}

const countExternal = async ({ composed, clock }: Setup) => {
  const { accountKey } = composed.services.drafts;
  const key = await accountKey();
  return composed.journal.read((tx) => listExternal(tx, key, clock.now()));
};

describe('in the limits', () => {
  // Own: 2 x 10 x 1.02 = 20.40 and 3 x 10 x 1.02 = 30.60; the other's: 7 x 12 = 84 and its charges.
  const config = { limits: { maxDayValue: '130' } };

  test('what another program traded counts in the value of the day', async () => {
    const made = await setup({ config });
    await made.call('place_limit_order', order);
    trade(made, 'API');
    await watchMinute(made);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ rule: 'max_day_value' });
    expect((await made.call('get_server_status')).body).toMatchObject({ foreignOrders: 1 });
  });

  test('it counts for the first order after a pause, in which nothing was read', async () => {
    const made = await setup({ config });
    await made.call('place_limit_order', order);
    await made.clock.advance(3_600_000);
    trade(made, 'API');
    await made.clock.advance(5_000);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ rule: 'max_day_value' });
  });

  test('what a person traded in the app does not count', async () => {
    const made = await setup({ config });
    await made.call('place_limit_order', order);
    trade(made, 'IOS');
    await watchMinute(made);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ outcome: 'placed' });
    expect((await made.call('get_server_status')).body).not.toHaveProperty('foreignOrders');
  });

  test('what another program traded counts in the number of orders', async () => {
    const made = await setup({ config: { limits: { ordersPerHour: 2 } } });
    await made.call('place_limit_order', order);
    trade(made, 'API', 1);
    await watchMinute(made);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ rule: 'orders_per_hour' });
    await made.clock.advance(3_600_000);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ outcome: 'placed' });
  });

  test('a pending order of another program counts as the largest order, and as its fills once it is filled', async () => {
    const made = await setup({ config: { limits: { maxDayValue: '130', maxOrderValue: '100' } } });
    await made.call('place_limit_order', order);
    made.simulator.inject.setPrice(ticker, 12);
    made.simulator.inject.order({ ticker, quantity: 1, type: 'LIMIT', limitPrice: 11, initiatedFrom: 'API' });
    await made.clock.advance(31_000);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ rule: 'max_day_value' });
    made.simulator.inject.setPrice(ticker, 11);
    await watchMinute(made);
    const [external] = await countExternal(made);
    expect(Number(external?.value)).toBeGreaterThanOrEqual(11);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ outcome: 'placed' });
  });
});

describe('the reads', () => {
  test('two processes read one page a minute while they trade, and none ten minutes after the last order', async () => {
    const made = await setup();
    await made.call('place_limit_order', order);
    const beside = await setup({ beside: made });
    await beside.call('place_limit_order', another);
    const orderedAt = made.clock.now();
    for (let minute = 0; minute < 13; minute++) await pass(60_000, made, beside);
    const times = made.simulator.log.flatMap(({ endpoint, at }) => (endpoint === 'listHistoricalOrders' ? [at] : []));
    const watched = times.filter((at) => at > orderedAt);
    // One process reads at the beginning of each minute, and not two of them.
    const gaps = watched.slice(1).map((at, index) => at - (watched[index] ?? 0));
    expect(gaps.filter((gap) => gap < 50_000)).toEqual([]);
    expect(watched.length).toBeGreaterThanOrEqual(8);
    expect(watched.filter((at) => at > orderedAt + 660_000)).toEqual([]);
  });

  test('they go back to the last read, over more than one page', async () => {
    const made = await setup();
    await made.call('place_limit_order', order);
    for (let count = 0; count < 40; count++) trade(made, 'API', 1);
    await made.clock.advance(5_000);
    for (let count = 0; count < 20; count++) trade(made, 'API', 1);
    await watchMinute(made);
    expect(await countExternal(made)).toHaveLength(60);
  });

  test('orders of the app do not hide one behind them, however many pages they fill', async () => {
    const made = await setup();
    await made.call('place_limit_order', order);
    trade(made, 'API', 1);
    for (let count = 1; count <= 240; count++) {
      trade(made, 'IOS', 0.1);
      if (count % 40 === 0) await made.clock.advance(3_000);
    }
    // A minute reads three of the five pages, and those of the last two minutes again.
    for (let minute = 0; minute < 4; minute++) await watchMinute(made);
    expect(await countExternal(made)).toHaveLength(1);
    const key = await made.composed.services.drafts.accountKey();
    const record = await made.composed.journal.read((tx) => readExternalRecord(tx, key));
    expect(record).not.toHaveProperty('rest');
  });

  test('what was read counts when the next page cannot be read, and the next read goes back as far', async () => {
    const made = await setup();
    await made.call('place_limit_order', order);
    for (let count = 0; count < 40; count++) trade(made, 'API', 1);
    await made.clock.advance(5_000);
    for (let count = 0; count < 20; count++) trade(made, 'API', 1);
    made.simulator.faults.push({ endpoint: 'listHistoricalOrders', kind: 'status', status: 400, after: 1, times: 9 });
    await pass(64_000, made);
    await expect.poll(async () => (await countExternal(made)).length, { timeout: 5_000 }).toBe(50);
    made.simulator.faults.length = 0;
    await watchMinute(made);
    expect(await countExternal(made)).toHaveLength(60);
  });

  test('a read waits while the search for an own order is due, and is not made read-only or in the sandbox', async () => {
    const made = await setup();
    await made.call('place_limit_order', order);
    await made.clock.advance(61_000);
    const { services, journal, settings } = made.composed;
    const accountKey = await services.drafts.accountKey();
    const context = { priority: 'sync', deadlineAt: made.clock.now() + 500_000 } as const;
    const limits = async () => effectiveLimits('demo', {}, undefined);
    const deps = { broker: services.broker, journal, clock: made.clock, settings, limits, readOnly: false };
    const before = historyReads(made);
    expect(await watchOrders({ ...deps, readOnly: true }, accountKey, context)).toBeUndefined();
    const sandbox = { ...settings, environment: 'sandbox' } as const;
    expect(await watchOrders({ ...deps, settings: sandbox }, accountKey, context)).toBeUndefined();
    made.simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'resetBeforeRead' });
    const { body } = await made.call('place_limit_order', { ...order, quantity: 5 });
    const due = await journal.read((tx) => tx.find(body.intentId));
    made.clock.jumps = false;
    await made.clock.advance(Math.max(0, (due?.search?.nextAt ?? 0) + 61_000 - made.clock.now()));
    const between = historyReads(made);
    await watchOrders(deps, accountKey, context);
    expect(historyReads(made)).toBe(between);
    expect(between).toBeGreaterThan(before);
    await journal.change((tx) => tx.move(body.intentId, 'UNKNOWN', { state: 'PROBABLY_ABSENT', search: undefined }));
    await watchOrders(deps, accountKey, context);
    expect(historyReads(made)).toBe(between + 1);
  });
});

test('an own order whose response was lost is not taken for one of another program', async () => {
  const made = await setup();
  await made.call('place_limit_order', order);
  made.simulator.faults.push({ endpoint: 'placeMarketOrder', kind: 'resetAfterRead' });
  const { body } = await made.call('place_market_order', { ticker, side: 'BUY', quantity: 4 });
  expect(body).toMatchObject({ outcome: 'unknown' });
  // A person settles it before the search finds it: the order exists, and the journal has no id of it.
  await made.composed.journal.change((tx) =>
    tx.move(body.intentId, 'UNKNOWN', { state: 'AMBIGUOUS', search: undefined }),
  );
  await watchMinute(made);
  const { history } = made.simulator.groundTruth();
  const isOurs = ({ quantity, initiatedFrom }: { quantity?: string; initiatedFrom?: string }) =>
    quantity === '4' && initiatedFrom === 'API';
  expect(history.filter(({ order: booked }) => booked.ticker === ticker && isOurs(booked))).toHaveLength(1);
  await made.composed.journal.change((tx) => tx.move(body.intentId, 'AMBIGUOUS', { state: 'CLOSED' }));
  await watchMinute(made);
  expect(await countExternal(made)).toEqual([]);
  trade(made, 'API', 4);
  await watchMinute(made);
  expect(await countExternal(made)).toHaveLength(1);
});

describe('in live', () => {
  test('an order of another program that filled at once halts trading, until a person lifts the halt', async () => {
    const attacked = await attack();
    await attacked.clock.advance(300_000);
    attacked.simulator.inject.order({ ticker, quantity: 1, initiatedFrom: 'API' });
    await attacked.clock.advance(5_000);
    const refused = await attacked.call('place_limit_order', restingOrder);
    expect(refused).toMatchObject({ outcome: 'refused', rule: 'halted' });
    expect(await attacked.readAudit()).toContain('foreign_order');
    await attacked.composed.journal.change((tx) => tx.set('halt', undefined));
    await attacked.clock.advance(61_000);
    await waitingOrder(attacked);
  });

  test('with the rule switched off it counts and does not halt', async () => {
    const attacked = await attack({ enrolled: { limits: { haltOnForeignOrders: false, ordersPerHour: 1 } } });
    await attacked.clock.advance(300_000);
    attacked.simulator.inject.order({ ticker, quantity: 1, initiatedFrom: 'API' });
    await attacked.clock.advance(5_000);
    expect(await attacked.call('place_limit_order', restingOrder)).toMatchObject({ rule: 'orders_per_hour' });
  });

  test('an order from before the enrolment is nobody’s business', async () => {
    const attacked = await attack();
    attacked.simulator.inject.order({ ...marketOrder, initiatedFrom: 'API' });
    await attacked.clock.advance(300_000);
    await waitingOrder(attacked);
  });
});
