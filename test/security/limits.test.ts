/** Getting round the owner's limits: orders that seem smaller than they are, and floods that hide others. */
// @module-tag server
import { expect, test } from 'vitest';
import { look, press } from './page.ts';
import {
  attack,
  expectNothingLeft,
  letItGoOn,
  marketOrder,
  multiply,
  order,
  ordersThatLeft,
  roomy,
  waitingOrder,
} from './support.ts';

test('a stop below the price, which triggers immediately, does not make an expensive order seem cheap', async () => {
  const attacked = await attack();
  // 90 shares at 12 are more than 1,000, whatever the stop price says.
  const stop = { ...marketOrder, quantity: 90, stopPrice: 10.8, timeValidity: 'DAY' };
  expect(await attacked.call('place_stop_order', stop)).toMatchObject({ outcome: 'refused', rule: 'max_order_value' });
  await expectNothingLeft(attacked);
});

test('an order from another program during the approval stops the approved one', async () => {
  const attacked = await attack();
  await attacked.clock.advance(300_000);
  const { address } = await waitingOrder(attacked);
  await attacked.clock.advance(10_000);
  const { ticker, limitPrice } = order;
  attacked.simulator.inject.order({ ticker, quantity: 1, type: 'LIMIT', limitPrice, initiatedFrom: 'API' });
  await press(address);
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([]);
});

test('a hundred refused repetitions do not hide that the same order was placed a moment ago', async () => {
  const attacked = await attack({ enrolled: { limits: { ...roomy, ordersPerMinute: 1 } } });
  const first = await waitingOrder(attacked);
  await press(first.address);
  await letItGoOn(attacked);
  await attacked.clock.advance(1_000);
  let repeatOf = first.intentId;
  for (let more = 0; more < 2; more++) {
    const refused = await attacked.call('place_limit_order', { ...order, repeatOf });
    expect(refused).toMatchObject({ outcome: 'refused' });
    repeatOf = refused.intentId;
  }
  await multiply(attacked, repeatOf, 101);
  await attacked.clock.advance(61_000);
  expect(await attacked.call('place_limit_order', order)).toMatchObject({ coalesced: true, intentId: first.intentId });
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('ten thousand refused orders do not make the daily limits forget placed ones', { tags: ['slow'] }, async () => {
  const attacked = await attack({ enrolled: { limits: { maxDayValue: '40' } } });
  await press((await waitingOrder(attacked)).address);
  await letItGoOn(attacked);
  await attacked.clock.advance(61_000);
  const another = { ...order, limitPrice: 11.4 };
  const refused = await attacked.call('place_limit_order', another);
  expect(refused).toMatchObject({ outcome: 'refused', rule: 'max_day_value' });
  await multiply(attacked, refused.intentId, 10_001);
  expect(await attacked.call('place_limit_order', another)).toMatchObject({ rule: 'max_day_value' });
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('a wanted repetition is labelled as one also when its first attempt was refused', async () => {
  const attacked = await attack({ enrolled: { limits: { ...roomy, ordersPerMinute: 1 } } });
  const first = await waitingOrder(attacked);
  await press(first.address);
  await letItGoOn(attacked);
  const refused = await attacked.call('place_limit_order', { ...order, repeatOf: first.intentId });
  await attacked.clock.advance(61_000);
  const { address } = await waitingOrder(attacked, { repeatOf: refused.intentId });
  expect((await look(address)).text).toContain('SECOND IDENTICAL ORDER');
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});
