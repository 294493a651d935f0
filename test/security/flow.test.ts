/**
 * The flow of orders against itself: concurrent calls, repetitions, and rules that change between approval and send.
 */
// @module-tag server
import { expect, test } from 'vitest';
import { look, press } from './page.ts';
import { attack, expectNothingLeft, letItGoOn, marketOrder, order, ordersThatLeft, waitingOrder } from './support.ts';

test('one order has one ticket and is sent once: ten concurrent calls, ten spellings, and calls after it was placed', async () => {
  const attacked = await attack();
  const asked = await Promise.all(Array.from({ length: 10 }, () => attacked.call('place_limit_order', order)));
  for (const quantity of [2, '2', '2.0', '02', ' 2', '2.', '+2', '2e0', '0.2e1', '2.000'])
    await attacked.call('place_limit_order', { ...order, quantity });
  const addresses = new Set(asked.map((one) => one.approval?.address ?? one.inputRequests.approval.params.url));
  expect(addresses.size).toBe(1);
  expect((await attacked.intents()).length).toBe(1);
  await expectNothingLeft(attacked);
  await press(String([...addresses][0]));
  await letItGoOn(attacked);
  for (let again = 0; again < 3; again++)
    expect(await attacked.call('place_limit_order', order)).toMatchObject({ outcome: 'placed', coalesced: true });
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
});

test('a repetition needs its own approval, is labelled, and is placed once', async () => {
  const attacked = await attack();
  const first = await waitingOrder(attacked);
  await press(first.address);
  await letItGoOn(attacked);
  const again = { repeatOf: first.intentId };
  const [one, two] = [await waitingOrder(attacked, again), await waitingOrder(attacked, again)];
  expect(two.intentId).toBe(one.intentId);
  expect((await look(one.address)).text).toContain('SECOND IDENTICAL ORDER');
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBe(1);
  await press(one.address);
  await letItGoOn(attacked);
  expect(await attacked.call('place_limit_order', { ...order, ...again })).toMatchObject({ outcome: 'placed' });
  expect(ordersThatLeft(attacked.simulator).length).toBe(2);
});

test('a repetition of another order is refused', async () => {
  const attacked = await attack();
  const { intentId } = await waitingOrder(attacked);
  for (const change of [{ quantity: 3 }, { limitPrice: 11.4 }, { side: 'SELL' }, { timeValidity: 'GOOD_TILL_CANCEL' }])
    expect(await attacked.call('place_limit_order', { ...order, ...change, repeatOf: intentId })).toMatchObject({
      code: 'invalid_argument',
    });
  expect((await attacked.intents()).length).toBe(1);
  await expectNothingLeft(attacked);
});

test('an approved order is refused when a limit is used up before it is sent', async () => {
  const attacked = await attack({ enrolled: { limits: { maxDayValue: '60' } } });
  const [first, second] = [await waitingOrder(attacked), await waitingOrder(attacked, { limitPrice: 11.6 })];
  await press(second.address);
  await attacked.enrol({ approval: 'page', limits: { maxDayValue: '30' } });
  await expectNothingLeft(attacked);
  expect((await attacked.intents()).find(({ id }) => id === second.intentId)).toMatchObject({ rule: 'max_day_value' });
  expect((await attacked.intents()).find(({ id }) => id === first.intentId)?.approval?.approvedAt).toBeUndefined();
});

test('an approved order is refused when the shares are gone before it is sent', async () => {
  const attacked = await attack();
  const sale = { ...marketOrder, side: 'SELL', quantity: 60 };
  const { address } = await waitingOrder(attacked, sale, 'place_market_order');
  await attacked.clock.advance(10_000);
  await press(address);
  attacked.simulator.inject.order({ ticker: order.ticker, quantity: -60 });
  await expectNothingLeft(attacked);
});

test('waiting tickets count towards the limits, so a flood of them cannot add up', async () => {
  const attacked = await attack({ enrolled: { limits: { maxDayValue: '60' } } });
  const said = [];
  for (const limitPrice of [11.5, 11.6, 11.7, 11.8])
    said.push(await attacked.call('place_limit_order', { ...order, limitPrice }));
  expect(said.filter(({ outcome }) => outcome === 'refused').map(({ rule }) => rule)).toEqual([
    'max_day_value',
    'max_day_value',
  ]);
  await expectNothingLeft(attacked);
});

test('at most five approvals are requested in a minute', async () => {
  const attacked = await attack();
  for (let more = 0; more < 8; more++)
    await attacked.call('place_limit_order', { ...order, limitPrice: 11.5 + more / 100 });
  const intents = await attacked.intents();
  expect(intents.filter(({ state }) => state === 'AWAITING_APPROVAL').length).toBe(5);
  expect(new Set(intents.filter(({ state }) => state === 'REFUSED').map(({ rule }) => rule))).toEqual(
    new Set(['orders_per_minute']),
  );
  await expectNothingLeft(attacked);
});

test('after a lost response an approved order is never sent again, whatever is called', async () => {
  const attacked = await attack();
  attacked.simulator.faults.push({ endpoint: 'placeLimitOrder', kind: 'resetBeforeRead' });
  const { address, nonce, intentId } = await waitingOrder(attacked);
  const shown = await look(address);
  await press(address, { shown });
  await letItGoOn(attacked);
  await press(address, { shown });
  await attacked.call('place_limit_order', order, {
    requestState: nonce,
    inputResponses: { approval: { action: 'accept' } },
  });
  await attacked.call('place_limit_order', order);
  expect(await attacked.call('place_limit_order', { ...order, repeatOf: intentId })).toMatchObject({ coalesced: true });
  expect(await attacked.call('place_limit_order', { ...order, quantity: 3 })).toMatchObject({ rule: 'open_unknown' });
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator).length).toBeLessThanOrEqual(1);
  expect(attacked.simulator.log.filter(({ endpoint }) => endpoint === 'placeLimitOrder').length).toBe(1);
});

test('an approved order refused for the rate is retried once at most, and no approval is used twice', async () => {
  const attacked = await attack();
  attacked.simulator.inject.foreignUse('placeLimitOrder', 1);
  await press((await waitingOrder(attacked)).address);
  await letItGoOn(attacked);
  const posts = attacked.simulator.log.filter(({ endpoint }) => endpoint === 'placeLimitOrder');
  expect(posts.map(({ status }) => status)).toEqual([429, 200]);
  expect(attacked.simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === order.ticker).length).toBe(1);
});

test('the same call during the wait for a retry makes no second order', async () => {
  // Without an approval, only the journal prevents a second order from a repeated call.
  const attacked = await attack({ config: { environment: 'demo' }, can: undefined });
  attacked.simulator.inject.foreignUse('placeLimitOrder', 1);
  attacked.clock.jumps = false;
  const first = attacked.call('place_limit_order', order);
  const isWaiting = async () => (await attacked.intents()).some(({ state }) => state === 'NOT_SENT');
  await expect.poll(isWaiting, { interval: 1 }).toBe(true);
  const second = attacked.call('place_limit_order', order);
  attacked.clock.jumps = true;
  const again = await second;
  expect(again.intentId).toBe((await first).intentId);
  expect(attacked.simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === order.ticker).length).toBe(1);
});
