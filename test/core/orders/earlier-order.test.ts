/**
 * The same order again, when the earlier one may be over: the result never reports an order that no longer exists as
 * placed.
 */
// @module-tag server
import { expect, test } from 'vitest';
import { order, type Setup, setup } from '../../support/setup.ts';

const posts = ({ requests }: Setup) => requests().filter((id) => id === 'placeLimitOrder').length;
const pending = ({ simulator }: Setup) =>
  simulator.groundTruth().pendingOrders.flatMap(({ ticker, id }) => (ticker === order.ticker ? [id] : []));

/** A search for an order that does not exist reads as many pages of the history as a minute allows. */
const spendHistoryLimit = (made: Setup) => made.call('get_order', { orderId: '1' });

async function placeAndCancel(made: Setup) {
  const { body } = await made.call('place_limit_order', order);
  await made.call('cancel_order', { orderId: body.orderId });
  await made.clock.advance(5_000);
  expect(pending(made)).toEqual([]);
  const { intentId, orderId } = body;
  return { intentId, orderId };
}

test('a cancelled order with unread history is not reported as placed; the result has the seconds', async () => {
  const made = await setup();
  await spendHistoryLimit(made);
  const earlier = await placeAndCancel(made);
  const { isError, body } = await made.call('place_limit_order', order);
  expect(isError).toBe(false);
  expect(body).toMatchObject({
    outcome: 'not_sent',
    coalesced: true,
    earlierOrder: { intentId: earlier.intentId, orderId: earlier.orderId, pending: false },
  });
  expect(body).not.toHaveProperty('orderId');
  expect(body.intentId).not.toBe(earlier.intentId);
  expect(body.retryAfterSeconds).toBeGreaterThan(20);
  expect([posts(made), pending(made)]).toEqual([1, []]);
  expect((await made.call('get_order', { intentId: body.intentId })).body).toMatchObject({ outcome: 'not_sent' });

  await made.clock.advance(body.retryAfterSeconds * 1000);
  const later = await made.call('place_limit_order', order);
  expect(later.body).toMatchObject({ outcome: 'placed' });
  expect(later.body).not.toHaveProperty('coalesced');
  expect(pending(made)).toEqual([later.body.orderId]);
});

test('a short wait for the history is part of the call, which reports it as progress and then places the order', async () => {
  const made = await setup();
  await spendHistoryLimit(made);
  const earlier = await placeAndCancel(made);
  await made.clock.advance(40_000);
  const { body, progress } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'placed' });
  expect(body.orderId).not.toBe(earlier.orderId);
  expect(progress.join(' ')).toContain(`Order ${earlier.orderId} is no longer pending`);
  expect(pending(made)).toEqual([body.orderId]);
});

test('when the earlier order cannot be looked up, the outcome is unknown and names it', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const earlier = await placeAndCancel(made);
  made.simulator.faults.push({ endpoint: 'getPendingOrder', kind: 'status', status: 403, times: 9 });
  const { body } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'unknown', coalesced: true, ...earlier });
  expect(posts(made)).toBe(1);
});

test('an order that was placed a moment ago and cannot be read yet is still returned', async () => {
  const made = await setup({ quirks: { unreadableOrderMs: 1_500 } });
  const { body } = await made.call('place_limit_order', order);
  const again = await made.call('place_limit_order', order);
  expect(again.body).toMatchObject({ outcome: 'placed', coalesced: true, orderId: body.orderId });
  expect(posts(made)).toBe(1);
});

test('a repetition that was cancelled is not reported as placed, and is not placed again', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const { body: first } = await made.call('place_limit_order', order);
  const { body: second } = await made.call('place_limit_order', { ...order, repeatOf: first.intentId });
  await made.call('cancel_order', { orderId: second.orderId });
  await made.clock.advance(5_000);
  const { body } = await made.call('place_limit_order', { ...order, repeatOf: first.intentId });
  expect(body).toMatchObject({
    outcome: 'not_sent',
    coalesced: true,
    earlierOrder: { intentId: second.intentId, orderId: second.orderId, pending: false, status: 'CANCELLED' },
  });
  expect(posts(made)).toBe(2);
});

test('an order that was pending for an hour and then cancelled is not taken for pending from an older list', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const { body } = await made.call('place_limit_order', order);
  await made.clock.advance(3_600_000);
  expect((await made.call('preview_order', { type: 'LIMIT', ...order })).body.pendingOnTicker).toBe(1);
  await made.call('cancel_order', { orderId: body.orderId });
  await made.clock.advance(2_000);
  const again = await made.call('place_limit_order', order);
  expect(again.body).toMatchObject({ outcome: 'placed' });
  expect(again.body.orderId).not.toBe(body.orderId);
  expect(pending(made)).toEqual([again.body.orderId]);
});

test('get_order gives no status to an order that is no longer pending while its history is unread', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  await spendHistoryLimit(made);
  const earlier = await placeAndCancel(made);
  const { body } = await made.call('get_order', { intentId: earlier.intentId });
  expect(body).toMatchObject({ outcome: 'placed', orderId: earlier.orderId, pending: false });
  expect(body).not.toHaveProperty('status');
  expect(body.retryAfterSeconds).toBeGreaterThan(10);
});

test('the end of an order is found although the history was read just before it', { tags: ['slow'] }, async () => {
  const made = await setup();
  const { body } = await made.call('place_limit_order', order);
  await made.call('cancel_order', { orderId: body.orderId });
  // The cancellation takes half a second; this page does not show it, and is fresh for a minute.
  await made.call('fetch_history', { kind: 'orders', limit: 1, waitSeconds: 0 });
  await made.clock.advance(2_000);
  expect((await made.call('get_order', { orderId: body.orderId })).body).toMatchObject({
    status: 'CANCELLED',
    foundIn: 'history',
  });
});

test('the end that get_order has read is known to the next order, without another request', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const earlier = await placeAndCancel(made);
  expect((await made.call('get_order', { orderId: earlier.orderId })).body.status).toBe('CANCELLED');
  const before = made.requests().filter((id) => id === 'listHistoricalOrders').length;
  const { body } = await made.call('place_limit_order', order);
  expect(body).toMatchObject({ outcome: 'placed' });
  expect(body).not.toHaveProperty('coalesced');
  expect(made.requests().filter((id) => id === 'listHistoricalOrders').length).toBe(before);
});
