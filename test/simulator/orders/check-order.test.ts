// @module-tag server
import { describe, expect, test } from 'vitest';
import { setup } from '../support.ts';

const base = { ticker: 'QVIGL', quantity: 1 };
const gtc = { timeValidity: 'GOOD_TILL_CANCEL' };

/** Path, body, and the code of the refusal. */
const refusals: [title: string, path: string, body: unknown, status: number, code: string][] = [
  [
    'an extra field on a limit order',
    'limit',
    { ...base, limitPrice: 40, ...gtc, extendedHours: true },
    400,
    'invalid-request',
  ],
  ['a validity on a market order', 'market', { ...base, ...gtc }, 400, 'invalid-request'],
  ['the old validity GTC', 'limit', { ...base, limitPrice: 40, timeValidity: 'GTC' }, 400, 'invalid-request'],
  ['a missing price', 'stop', { ...base, ...gtc }, 400, 'invalid-request'],
  ['a quantity in quotes', 'market', { ...base, quantity: '1' }, 400, 'invalid-request'],
  ['a quantity of 0', 'market', { ...base, quantity: 0 }, 400, 'invalid-request'],
  ['a price of 0', 'limit', { ...base, limitPrice: 0, ...gtc }, 400, 'invalid-request'],
  ['a body that is no JSON', 'market', '{"ticker":', 400, 'invalid-request'],
  ['an unknown ticker', 'market', { ...base, ticker: 'qvigl' }, 404, 'entity-not-found'],
  ['five decimals of quantity', 'market', { ...base, quantity: 1.00001 }, 400, 'quantity-precision-mismatch'],
  ['a part of a warrant', 'market', { ticker: 'XWHOL_US_WT', quantity: 2.5 }, 400, 'quantity-precision-mismatch'],
  ['less than a unit of currency', 'market', { ...base, quantity: 0.001 }, 400, 'min-quantity-exceeded'],
  ['more than may be held', 'market', { ticker: 'XFEW_US_EQ', quantity: 11 }, 400, 'max-position-quantity-exceeded'],
  [
    'more than there is cash for',
    'market',
    { ticker: 'QVIGL', quantity: 20000 },
    400,
    'insufficient-free-for-stocks-buy',
  ],
  ['a sale of what is not owned', 'market', { ticker: 'QVIGL', quantity: -1 }, 400, 'selling-equity-not-owned'],
  ['a price far away', 'limit', { ...base, limitPrice: 4100, ...gtc }, 400, 'price-too-far'],
  ['a buy in close-only mode', 'market', { ticker: 'XCLOS_US_EQ', quantity: 1 }, 400, 'instrument-close-only-mode'],
  ['a disabled instrument', 'market', { ticker: 'XHALT_US_EQ', quantity: 1 }, 400, 'instrument-disabled'],
  [
    'extended hours where there are none',
    'market',
    { ticker: 'QHALD_US_EQ', quantity: 1, extendedHours: true },
    400,
    'extended-hours-trading-not-allowed',
  ],
];

describe('an order is refused for', () => {
  test.each(refusals)('%s', async (_, path, body, status, code) => {
    const { simulator, call } = await setup();
    const answer = await call('POST', `/equity/orders/${path}`, body);
    expect(answer.json).toMatchObject({ type: `/api-errors/${code}`, status });
    expect(answer.status).toBe(status);
    expect(simulator.log.at(-1)?.orderId).toBeUndefined();
    expect(simulator.groundTruth().pendingOrders).toEqual([]);
  });

  test('shares that a pending sale or a pie has reserved', async () => {
    const { simulator, market, limit } = await setup();
    const owned = simulator.groundTruth().positions.find(({ ticker }) => ticker === 'QDUSK_US_EQ');
    const whole = Math.floor(Number(owned?.quantity)) - 5;
    expect((await limit('QDUSK_US_EQ', -whole, 300)).status).toBe(200);
    expect((await market('QDUSK_US_EQ', -6)).json.type).toBe('/api-errors/selling-equity-not-owned');
    const inPie = simulator.groundTruth().positions.find(({ ticker }) => ticker === 'QDIVIl_EQ');
    const all = Math.floor(Number(inPie?.quantity));
    expect((await market('QDIVIl_EQ', -all)).json.type).toBe('/api-errors/selling-equity-not-owned');
  });

  test('leaving a fraction of a position that is too small', async () => {
    const { simulator, clock, market } = await setup();
    await market('QTIDEl_EQ', 10);
    await clock.advance(2000);
    expect(simulator.groundTruth().positions.at(-1)?.quantity).toBe('10');
    expect((await market('QTIDEl_EQ', -9.9999)).json.type).toBe('/api-errors/min-opened-position-exceeded');
    expect((await market('QTIDEl_EQ', -10)).status).toBe(200);
  });

  test('a fifty-first pending order on one ticker', async () => {
    const { limit } = await setup();
    for (let index = 0; index < 50; index++) expect((await limit('QVIGL', 0.1, 12)).status).toBe(200);
    expect((await limit('QVIGL', 0.1, 12)).json.type).toBe('/api-errors/too-many-pending-orders');
    expect((await limit('QNOON_GB_EQ', 1, 3)).status).toBe(200);
  });
});

describe('an order is accepted with', () => {
  test('numbers of every spelling that JSON allows', async () => {
    const { call } = await setup();
    const answer = await call(
      'POST',
      '/equity/orders/market',
      '{"ticker":"QVIGL","quantity":1.5E0,"extendedHours":true}',
    );
    expect(answer.json).toMatchObject({ quantity: 1.5, extendedHours: true });
  });

  test('prices in pence, of which a hundred cost one pound', async () => {
    const { simulator, limit } = await setup();
    simulator.inject.setPrice('QTIDEl_EQ', 300);
    expect((await limit('QTIDEl_EQ', 100, 250)).status).toBe(200);
    // 250 pounds and the stamp duty.
    expect(simulator.groundTruth().cash.reserved).toBe('251.25');
  });
});
