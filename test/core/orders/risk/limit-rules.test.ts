import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { priceDeviations, refuseByLimits, refusePriceDistance } from '../../../../src/core/orders/risk/risk-rules.ts';
import { runs } from '../../../support/runs.ts';

const limits = effectiveLimits('live', {}, {});
const order: OrderRequest = {
  type: 'STOP_LIMIT',
  ticker: 'ABC_EQ',
  side: 'BUY',
  quantity: '1',
  limitPrice: '20',
  stopPrice: '20',
  timeValidity: 'DAY',
};

describe('a price that is too far from the last one', () => {
  // Ten percent of 20, of 11.84 (10.656 and 13.024), of 1184 pence and of 0.0123.
  test.each([
    ['17.99', '20', '18.00'],
    ['22.01', '20', '22.00'],
    ['10', '11.84', '10.66'],
    ['14', '11.84', '13.02'],
    ['11.84', '1184', '1065.60'],
    ['2', '0.0123', '0.0135'],
  ])('%s beside %s names %s as the nearest that passes', (limitPrice, last, nearestPrice) => {
    expect(refusePriceDistance({ ...order, limitPrice, stopPrice: last }, last, limits)).toMatchObject({
      rule: 'price_distance',
      nearestPrice,
    });
  });

  test('is the stop price when only that one is too far', () => {
    expect(refusePriceDistance({ ...order, stopPrice: '30' }, '20', limits)).toMatchObject({ nearestPrice: '22.00' });
  });

  test('is named with its distance, what is allowed and the nearest price that passes', () => {
    expect(refusePriceDistance({ ...order, stopPrice: '30' }, '20', limits)?.reason).toBe(
      'The stop price is 50.0% above the last known price 20; at most 10% is allowed, so the nearest price that passes is 22.00.',
    );
  });

  test('names a price that passes', () => {
    const price = fc.integer({ min: 1, max: 10_000_000 }).map((units) => new Big(units).div(100).toFixed());
    fc.assert(
      fc.property(price, price, (limitPrice, last) => {
        const refusal = refusePriceDistance({ ...order, limitPrice, stopPrice: undefined }, last, limits);
        if (!refusal) return;
        const nearest = { ...order, limitPrice: refusal.nearestPrice, stopPrice: undefined };
        expect(refusePriceDistance(nearest, last, limits)).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });
});

test('without a known price only the other limits are compared', () => {
  expect(refuseByLimits({ ...order, limitPrice: '1' }, undefined, limits)).toBeUndefined();
  expect(refuseByLimits({ ...order, quantity: '1001' }, undefined, limits)).toEqual({
    rule: 'max_order_quantity',
    reason: 'An order may have at most 1000 shares.',
  });
  expect(refuseByLimits(order, '20', { ...limits, tickers: ['OTHER_EQ'] })).toEqual({
    rule: 'tickers',
    reason: 'The owner does not allow orders for ABC_EQ.',
  });
});

test.each([
  ['its ticker before its quantity and its price', { quantity: '1001', limitPrice: '1' }, ['OTHER_EQ'], 'tickers'],
  ['its quantity before its price', { quantity: '1001', limitPrice: '1' }, ['ABC_EQ'], 'max_order_quantity'],
  ['its price', { limitPrice: '1' }, ['ABC_EQ'], 'price_distance'],
])('an order is refused for %s', (_, change, tickers, rule) => {
  expect(refuseByLimits({ ...order, ...change }, '20', { ...limits, tickers })?.rule).toBe(rule);
});

// Pence and pounds differ by a factor of 100; a price is taken for the other unit from half of that to twice as much.
test.each([
  ['50', false],
  ['50.01', true],
  ['199.99', true],
  ['200', false],
  ['10', false],
  ['0.02', false],
  ['0.0199', true],
  ['0.0051', true],
  ['0.005', false],
])('a price of %s times the last one seems to be in the other unit: %s', (limitPrice, hundredfold) => {
  const limit = { ...order, limitPrice, stopPrice: undefined };
  expect(priceDeviations(limit, '1')).toMatchObject([{ name: 'limitPrice', hundredfold }]);
  const { reason = '', nearestPrice } = refusePriceDistance(limit, '1', limits) ?? {};
  const end = `${nearestPrice}.${hundredfold ? ' Pence or pounds?' : ''}`;
  expect(reason.slice(-end.length)).toBe(end);
});
