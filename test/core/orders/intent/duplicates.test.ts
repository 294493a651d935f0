/** The same order again: a host that calls twice, a model that is unsure, and a wanted second one. */
// @module-tag server
import { expect, test } from 'vitest';
import { order, posts, setup } from '../../../support/setup.ts';

test('ten identical concurrent calls are one order, and every result names it', async () => {
  const { call, requests } = await setup();
  const answers = await Promise.all(Array.from({ length: 10 }, () => call('place_limit_order', order)));
  expect(posts({ requests })).toBe(1);
  expect(new Set(answers.map(({ body }) => body.intentId)).size).toBe(1);
  expect(answers.map(({ body }) => body.outcome)).toEqual(Array(10).fill('placed'));
  expect(answers.filter(({ body }) => body.coalesced === true).length).toBe(9);
});

test('two processes with the same concurrent order place one', async () => {
  const first = await setup();
  const second = await setup({ beside: first });
  const answers = await Promise.all([first, second].map(({ call }) => call('place_limit_order', order)));
  expect(posts(first)).toBe(1);
  expect(answers[0]?.body.orderId).toBe(answers[1]?.body.orderId);
});

test('a number and an equal decimal string are the same order', async () => {
  const { call, requests } = await setup();
  await call('place_limit_order', order);
  const again = await call('place_limit_order', { ...order, quantity: '2.00', limitPrice: '10.0' });
  expect(again.body).toMatchObject({ coalesced: true, outcome: 'placed' });
  expect(posts({ requests })).toBe(1);
});

test('after a cancellation the same order is a new one immediately', async () => {
  const { call, requests } = await setup();
  const { body } = await call('place_limit_order', order);
  await call('cancel_order', { orderId: body.orderId });
  await call('get_order', { orderId: body.orderId, waitSeconds: 20 });
  const again = await call('place_limit_order', order);
  expect(again.body).toMatchObject({ outcome: 'placed' });
  expect(again.body.orderId).not.toBe(body.orderId);
  expect(posts({ requests })).toBe(2);
});

test('a pending order counts as the same order for as long as it is pending', async () => {
  const { call, clock, requests } = await setup();
  const { body } = await call('place_limit_order', order);
  await clock.advance(3_600_000);
  expect((await call('place_limit_order', order)).body).toMatchObject({ coalesced: true, orderId: body.orderId });
  expect(posts({ requests })).toBe(1);
});

test('a rejected or refused order may be placed again', async () => {
  const { call, requests } = await setup();
  const odd = { ...order, quantity: 1.000001 };
  expect((await call('place_limit_order', odd)).body.outcome).toBe('rejected');
  expect((await call('place_limit_order', odd)).body).toMatchObject({ outcome: 'rejected' });
  expect(posts({ requests })).toBe(2);
});

test('a wanted repetition names the order that it repeats, and is placed once', async () => {
  const { call, requests } = await setup();
  const { body: first } = await call('place_limit_order', order);
  const { body: second } = await call('place_limit_order', { ...order, repeatOf: first.intentId });
  expect(second).toMatchObject({ outcome: 'placed' });
  expect(second.orderId).not.toBe(first.orderId);
  const { body: lostStream } = await call('place_limit_order', { ...order, repeatOf: first.intentId });
  expect(lostStream).toMatchObject({ coalesced: true, intentId: second.intentId });
  const { body: third } = await call('place_limit_order', { ...order, repeatOf: second.intentId });
  expect(third).toMatchObject({ outcome: 'placed' });
  expect(posts({ requests })).toBe(3);
});

test.each([
  [
    'of another order',
    async (call: Call) => (await call('place_limit_order', { ...order, quantity: 5 })).body.intentId,
  ],
  ['of nothing', async () => 'f'.repeat(32)],
])('a repetition %s is an error, and nothing is placed', async (_, idOf) => {
  const { call, requests } = await setup();
  const repeatOf = await idOf(call);
  const before = posts({ requests });
  const answer = await call('place_limit_order', { ...order, repeatOf });
  expect(answer).toMatchObject({ isError: true, body: { code: 'invalid_argument' } });
  expect(posts({ requests })).toBe(before);
});

test('a duplicate joins an order that waits for a retry after a refusal for the rate', async () => {
  const { call, simulator, requests } = await setup();
  simulator.inject.foreignUse('placeLimitOrder', 1);
  const answers = await Promise.all([call('place_limit_order', order), call('place_limit_order', order)]);
  expect(new Set(answers.map(({ body }) => body.intentId)).size).toBe(1);
  expect(simulator.groundTruth().pendingOrders.filter(({ ticker }) => ticker === order.ticker).length).toBe(1);
  expect(posts({ requests })).toBe(2);
});

type Call = Awaited<ReturnType<typeof setup>>['call'];
