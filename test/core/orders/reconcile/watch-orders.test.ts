/** Orders of another program that fill at once: noticed, counted in the limits, and a halt in live. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { listExternal, readExternalRecord } from '../../../../src/core/orders/account/external-record.ts';
import { attack, order as restingOrder, waitingOrder } from '../../../security/support.ts';
import { type Setup, setup } from '../../../support/setup.ts';

const ticker = 'QNOON_GB_EQ';
const order = { ticker, side: 'BUY', quantity: 2, limitPrice: 10, timeValidity: 'GOOD_TILL_CANCEL' };
/** Equal in nothing but the ticker, so that it is no duplicate. */
const another = { ...order, quantity: 3 };

/** An order of another program that fills at once. */
function trade({ simulator }: Setup, quantity = 7): void {
  simulator.inject.setPrice(ticker, 12);
  simulator.inject.order({ ticker, quantity, initiatedFrom: 'API' });
}

/** Lets the background work of a server run for this long. */
async function pass({ composed, clock }: Setup, ms: number): Promise<void> {
  const until = clock.now() + ms;
  for (let round = 0; clock.now() < until && round < 100; round++) {
    await composed.services.orderManager.tick();
    await clock.advance(4_000);
  }
}

/** Lets a server run until it has read the orders once more. */
async function watchMinute(made: Setup): Promise<void> {
  const since = made.clock.now();
  await pass(made, 64_000);
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
    trade(made);
    await watchMinute(made);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ rule: 'max_day_value' });
    expect((await made.call('get_server_status')).body).toMatchObject({ foreignOrders: 1 });
  });

  test('it counts for the first order after a pause, in which nothing was read', async () => {
    const made = await setup({ config });
    await made.call('place_limit_order', order);
    await made.clock.advance(3_600_000);
    trade(made);
    await made.clock.advance(5_000);
    expect((await made.call('place_limit_order', another)).body).toMatchObject({ rule: 'max_day_value' });
  });

  test('what another program traded counts in the number of orders', async () => {
    const made = await setup({ config: { limits: { ordersPerHour: 2 } } });
    await made.call('place_limit_order', order);
    trade(made, 1);
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
});
