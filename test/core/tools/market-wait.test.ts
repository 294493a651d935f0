/** A market order that waits for its market says so, in every answer about it. */
// @module-tag server
import { expect, test } from 'vitest';
import { setup } from '../../support/setup.ts';

/** A Thursday, 09:00 in London: New York opens at 09:30 of its own time, which is 14:30. */
const startAt = Date.UTC(2026, 0, 15, 9);
const config = { taxZone: 'Europe/London' };
/** The zone is named where this machine has another time. */
const opens = 'Waiting: the market opens today 14:30( London time)?\\.';
const sentence = expect.stringMatching(new RegExp(`^${opens}$`));

test('placed, read and listed before the market opens', async () => {
  const { call } = await setup({ startAt, config });
  const order = { ticker: 'QVELT_US_EQ', side: 'BUY', quantity: 1 };
  const { body: placed } = await call('place_market_order', order);
  expect(placed).toMatchObject({
    outcome: 'placed',
    message: expect.stringMatching(`^The broker accepted the order. ${opens}$`),
  });
  expect((await call('get_order', { intentId: placed.intentId })).body).toMatchObject({
    final: false,
    message: sentence,
  });
  expect((await call('get_order', { orderId: placed.orderId })).body).toMatchObject({ message: sentence });
  const { body: list } = await call('list_orders');
  expect(list.waiting).toEqual([expect.stringMatching(`^Order ${placed.orderId}: ${opens}$`)]);
});

test('an order of an open market, a limit order, and one with extended hours say nothing', async () => {
  const { call } = await setup({ startAt, config });
  const { body: open } = await call('place_market_order', { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1 });
  expect(open).toMatchObject({ outcome: 'placed', message: 'The broker accepted the order.' });
  const limit = { ticker: 'QVELT_US_EQ', side: 'BUY', quantity: 1, limitPrice: 100, timeValidity: 'DAY' };
  const { body: placed } = await call('place_limit_order', limit);
  expect(placed.message).not.toContain('Waiting');
  expect((await call('list_orders')).body).not.toHaveProperty('waiting');
});
