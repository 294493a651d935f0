// @module-tag server
import { describe, expect, test } from 'vitest';
import { setup } from '../support.ts';

const saturday = Date.parse('2026-11-21T12:00:00Z');

describe('an order', () => {
  test('at market is pending first and filled a second later', async () => {
    const { simulator, clock, market, get, newest } = await setup();
    const before = simulator.groundTruth();
    const placed = await market('QNOON_GB_EQ', 2.5);
    expect(placed.json).toMatchObject({
      status: 'NEW',
      filledQuantity: 0,
      quantity: 2.5,
      side: 'BUY',
      strategy: 'QUANTITY',
    });
    const { id } = placed.json;
    expect(simulator.log.at(-1)).toMatchObject({ orderId: String(id), endpoint: 'placeMarketOrder' });
    expect((await get(`/equity/orders/${id}`)).json.status).toBe('NEW');
    expect(Number(simulator.groundTruth().cash.reserved)).toBeGreaterThan(25);
    await clock.advance(900);
    expect((await get(`/equity/orders/${id}`)).json.status).toBe('NEW');
    await clock.advance(200);
    expect((await get(`/equity/orders/${id}`)).status).toBe(404);
    expect(await newest()).toMatchObject({
      order: { id, status: 'FILLED', filledQuantity: 2.5 },
      fill: { quantity: 2.5, type: 'TRADE' },
    });
    const after = simulator.groundTruth();
    expect(after.cash.reserved).toBe('0');
    const quantityOf = (books: typeof after) =>
      Number(books.positions.find(({ ticker }) => ticker === 'QNOON_GB_EQ')?.quantity);
    expect(quantityOf(after) - quantityOf(before)).toBeCloseTo(2.5, 8);
  });

  test('at market waits for the opening when the market is closed', async () => {
    const { clock, market, get, newest } = await setup({ startAt: saturday });
    const { id } = (await market('QVELT_US_EQ', 1)).json;
    await clock.advance(24 * 3_600_000);
    expect((await get(`/equity/orders/${id}`)).status).toBe(200);
    await clock.advance(48 * 3_600_000);
    const row = await newest();
    expect(row.order.id).toBe(id);
    expect(row.fill.filledAt).toBe('2026-11-23T14:30:00.000Z');
  });

  test('fills on the round-the-clock venue on a Saturday', async () => {
    const { clock, market, newest } = await setup({ startAt: saturday });
    const { id } = (await market('QVIGL', 1)).json;
    await clock.advance(1000);
    expect((await newest()).order).toMatchObject({ id, status: 'FILLED' });
  });

  test('outside regular hours fills in the extended session on request', async () => {
    const { clock, market, newest } = await setup({ startAt: Date.parse('2026-11-20T12:00:00Z') });
    await market('ZORBI_US_EQ', 1);
    const { id } = (await market('ZORBI_US_EQ', 1, true)).json;
    await clock.advance(2000);
    expect((await newest()).order).toMatchObject({ id, extendedHours: true });
  });

  test('with a limit waits for its price and never gets a worse one', async () => {
    const { simulator, clock, limit, get, newest } = await setup();
    simulator.inject.setPrice('QVIGL', 40);
    const { id } = (await limit('QVIGL', 2, 38.5)).json;
    await clock.advance(60_000);
    expect((await get(`/equity/orders/${id}`)).json).toMatchObject({ status: 'NEW', limitPrice: 38.5 });
    expect(simulator.groundTruth().cash.reserved).toBe('77');
    simulator.inject.setPrice('QVIGL', 38.2);
    await clock.advance(1);
    await clock.advance(60_000);
    expect(await newest()).toMatchObject({ order: { id, status: 'FILLED', type: 'LIMIT' }, fill: { price: 38.2 } });
  });

  test('with a limit to sell reserves the shares', async () => {
    const { simulator, clock, limit, get, newest } = await setup();
    simulator.inject.setPrice('QDUSK_US_EQ', 70);
    const placed = await limit('QDUSK_US_EQ', -2, 75);
    expect(placed.json).toMatchObject({ side: 'SELL', quantity: -2 });
    const [position] = (await get('/equity/positions?ticker=QDUSK_US_EQ')).json;
    expect(position.quantity - position.quantityAvailableForTrading).toBeCloseTo(2, 8);
    await clock.advance(5000);
    simulator.inject.setPrice('QDUSK_US_EQ', 80);
    await clock.advance(1);
    await clock.advance(60_000);
    expect(await newest()).toMatchObject({ fill: { price: 80, quantity: -2 } });
  });

  test('with a stop waits until the last price passes it', async () => {
    const { simulator, clock, post, get, newest } = await setup();
    simulator.inject.setPrice('QNOON_GB_EQ', 12);
    const body = { ticker: 'QNOON_GB_EQ', quantity: -3, stopPrice: 11, timeValidity: 'GOOD_TILL_CANCEL' };
    const { id } = (await post('/equity/orders/stop', body)).json;
    await clock.advance(120_000);
    expect((await get(`/equity/orders/${id}`)).json.stopPrice).toBe(11);
    simulator.inject.setPrice('QNOON_GB_EQ', 10.5);
    await clock.advance(1);
    await clock.advance(120_000);
    expect(await newest()).toMatchObject({ order: { id, type: 'STOP', side: 'SELL' }, fill: { price: 10.5 } });
  });

  test('with a stop and a limit becomes a limit order', async () => {
    const { simulator, clock, post, get, newest } = await setup();
    simulator.inject.setPrice('QVIGL', 40);
    const body = { ticker: 'QVIGL', quantity: 2, stopPrice: 42, limitPrice: 42.5, timeValidity: 'GOOD_TILL_CANCEL' };
    const { id } = (await post('/equity/orders/stop_limit', body)).json;
    await clock.advance(5000);
    simulator.inject.setPrice('QVIGL', 44);
    await clock.advance(120_000);
    expect((await get(`/equity/orders/${id}`)).status).toBe(200);
    simulator.inject.setPrice('QVIGL', 42.25);
    await clock.advance(1);
    await clock.advance(60_000);
    expect(await newest()).toMatchObject({
      order: { id, type: 'STOP_LIMIT', status: 'FILLED' },
      fill: { price: 42.25 },
    });
  });

  test('for the day expires at midnight of its exchange', async () => {
    const { clock, limit, get, newest } = await setup();
    const { id } = (await limit('QVELT_US_EQ', 1, 30, 'DAY')).json;
    await clock.advance(13 * 3_600_000);
    expect((await get(`/equity/orders/${id}`)).status).toBe(200);
    await clock.advance(2 * 3_600_000);
    const row = await newest();
    expect(row.order).toMatchObject({ id, status: 'CANCELLED', timeInForce: 'DAY' });
    expect(row.fill).toBeUndefined();
  });

  test('that is cancelled passes through CANCELLING into the history', async () => {
    const { simulator, clock, limit, remove, get, newest } = await setup();
    const { id } = (await limit('QVIGL', 2, 20)).json;
    const answer = await remove(`/equity/orders/${id}`);
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect((await get(`/equity/orders/${id}`)).json.status).toBe('CANCELLING');
    expect((await remove(`/equity/orders/${id}`)).status).toBe(200);
    await clock.advance(600);
    expect((await get(`/equity/orders/${id}`)).status).toBe(404);
    expect((await newest()).order).toMatchObject({ id, status: 'CANCELLED' });
    expect((await newest()).fill).toBeUndefined();
    expect((await remove(`/equity/orders/${id}`)).status).toBe(404);
    expect(simulator.groundTruth().cash.reserved).toBe('0');
  });

  test('can be filled although its cancellation was accepted', async () => {
    const { clock, market, remove, newest } = await setup();
    const { id } = (await market('QNOON_GB_EQ', 1)).json;
    await clock.advance(800);
    expect((await remove(`/equity/orders/${id}`)).status).toBe(200);
    await clock.advance(1000);
    expect((await newest()).order).toMatchObject({ id, status: 'FILLED' });
  });

  test('in two parts is PARTIALLY_FILLED in between, and has a fill for each', async () => {
    const { simulator, clock, limit, get } = await setup({ quirks: { partialFills: 'always' } });
    const { id } = (await limit('QVIGL', 10, 90)).json;
    await clock.advance(1000);
    expect((await get(`/equity/orders/${id}`)).json).toMatchObject({ status: 'PARTIALLY_FILLED', filledQuantity: 4 });
    await clock.advance(2000);
    const rows = (await get('/equity/history/orders?limit=2')).json.items;
    expect(rows.map((row: { order: { id: number } }) => row.order.id)).toEqual([id, id]);
    expect(rows.map((row: { fill: { quantity: number } }) => row.fill.quantity)).toEqual([6, 4]);
    expect(rows[0].order).toMatchObject({ status: 'FILLED', filledQuantity: 10 });
    expect(simulator.groundTruth().pendingOrders).toEqual([]);
  });

  test('is rejected when the cash is gone before it can be filled', async () => {
    const { simulator, clock, market, newest } = await setup();
    simulator.inject.setPrice('QVIGL', 10);
    const { id } = (await market('QVIGL', 5)).json;
    await clock.advance(10);
    simulator.inject.setPrice('QVIGL', 1_000_000);
    await clock.advance(2000);
    expect((await newest()).order).toMatchObject({ id, status: 'REJECTED', filledQuantity: 0 });
  });

  test('can be rejected by the venue, and placed from the app', async () => {
    const { simulator, get, newest } = await setup();
    const id = simulator.inject.order({ ticker: 'QVIGL', quantity: 1 });
    expect((await get('/equity/orders')).json).toMatchObject([{ id: Number(id), initiatedFrom: 'IOS' }]);
    simulator.inject.rejectOrder(id);
    expect((await newest()).order).toMatchObject({ id: Number(id), status: 'REJECTED' });
  });

  test('is found again after weeks without a request', async () => {
    const { simulator, clock, limit, newest } = await setup();
    simulator.inject.setPrice('QVELT_US_EQ', 100);
    const { id } = (await limit('QVELT_US_EQ', 1, 90)).json;
    await clock.advance(1000);
    simulator.inject.setPrice('QVELT_US_EQ', 89);
    await clock.advance(60 * 86_400_000);
    expect((await newest()).order).toMatchObject({ id, status: 'FILLED' });
  });
});
