/** What an order is estimated to cost or bring. */
import { expect, test } from 'vitest';
import { endpoints, type Position, type TradableInstrument } from '../../../src/catalogue/index.ts';
import { estimateOrder, worstCaseValue } from '../../../src/orders/account/estimate.ts';
import type { OrderRequest } from '../../../src/orders/intent/order-request.ts';

const [instrument] = endpoints.listInstruments.response.parse([
  { ticker: 'A', type: 'STOCK', currencyCode: 'USD', isin: 'US0000000001' },
]) as [TradableInstrument];

const position = (ticker: string, currentPrice: number, currentValue: number) => ({
  instrument: { ticker, currency: 'USD' },
  quantity: 10,
  currentPrice,
  walletImpact: { currency: 'GBP', currentValue },
});

const facts = {
  summary: endpoints.getAccountSummary.response.parse({ currency: 'GBP' }),
  // Rates of 75 / (10 × 10) and of 80 / (10 × 10).
  positions: endpoints.listPositions.response.parse([position('B', 10, 75), position('A', 10, 80)]) as Position[],
  pending: [],
  fills: [],
  instrument,
  askedAt: 0,
  asOf: 0,
  serviceOffsetMs: undefined,
};

const order = (terms: Partial<OrderRequest>): OrderRequest => ({
  type: 'MARKET',
  ticker: 'A',
  side: 'BUY',
  quantity: '5',
  ...terms,
});

test('the rate is that of the ticker’s own position before another one in its currency', () => {
  // 5 × 10 × 0.8.
  expect(estimateOrder(order({}), facts)).toMatchObject({ value: '40.00', rate: '0.8' });
});

test('an assumed price is a value to show where no price is known, and no limit counts it', () => {
  const unpriced = { ...facts, positions: facts.positions.slice(0, 1) };
  // 5 × 20 × 0.75.
  expect(estimateOrder(order({}), unpriced, '20')).toMatchObject({
    value: undefined,
    assumed: { price: '20', value: '75.00' },
  });
  expect(worstCaseValue(order({}), unpriced)).toBeUndefined();
  expect(estimateOrder(order({}), facts, '20')).not.toHaveProperty('assumed');
  expect(estimateOrder(order({ type: 'LIMIT', limitPrice: '9' }), unpriced, '20')).not.toHaveProperty('assumed');
  expect(estimateOrder(order({}), { ...facts, positions: [] }, '20')).not.toHaveProperty('assumed');
});

test.each<[string, Partial<OrderRequest>, string, string]>([
  // 5 × 9 × 0.8, and 5 × 10 × 0.8 at the last price.
  ['a sale below the last price', { side: 'SELL', limitPrice: '9' }, '36.00', '40.00'],
  // 5 × 11 × 0.8.
  ['a sale above it', { side: 'SELL', limitPrice: '11' }, '44.00', '44.00'],
  // 44 × 1.02.
  ['a purchase above it', { side: 'BUY', limitPrice: '11' }, '44.00', '44.88'],
  // 36 × 1.02.
  ['a purchase below it', { side: 'BUY', limitPrice: '9' }, '36.00', '36.72'],
])('a limit order is estimated at its limit, and limits never count less: %s', (_, terms, value, worst) => {
  const limited = order({ type: 'LIMIT', ...terms });
  expect([estimateOrder(limited, facts).value, worstCaseValue(limited, facts)?.toFixed(2)]).toEqual([value, worst]);
});

test.each<[string, Partial<OrderRequest>, string, string]>([
  // 5 × 8 × 0.8; a limit counts the last price, 5 × 10 × 0.8.
  ['a sale below the last price, at its stop', { side: 'SELL', type: 'STOP', stopPrice: '8' }, '32.00', '40.00'],
  // It triggers immediately, at 10; a limit counts 5 × 12 × 0.8.
  ['a sale above the last price, at that', { side: 'SELL', type: 'STOP', stopPrice: '12' }, '40.00', '48.00'],
  // 5 × 7 × 0.8.
  [
    'a sale with a limit, at the limit',
    { side: 'SELL', type: 'STOP_LIMIT', stopPrice: '8', limitPrice: '7' },
    '28.00',
    '40.00',
  ],
  // The limit is not reached yet: 5 × 12 × 0.8; a limit counts the stop, 5 × 13 × 0.8.
  [
    'a sale with a limit above the last price, at the limit',
    { side: 'SELL', type: 'STOP_LIMIT', stopPrice: '13', limitPrice: '12' },
    '48.00',
    '52.00',
  ],
  // 5 × 12 × 0.8, and × 1.02.
  ['a purchase above the last price, at its stop', { side: 'BUY', type: 'STOP', stopPrice: '12' }, '48.00', '48.96'],
  // It triggers immediately, at 10: 40 × 1.02.
  ['a purchase below the last price, at that', { side: 'BUY', type: 'STOP', stopPrice: '8' }, '40.00', '40.80'],
  // 5 × 13 × 0.8, and × 1.02.
  [
    'a purchase with a limit, at the limit',
    { side: 'BUY', type: 'STOP_LIMIT', stopPrice: '12', limitPrice: '13' },
    '52.00',
    '53.04',
  ],
])('a stop order is estimated where it would trade, and limits never count less: %s', (_, terms, value, worst) => {
  const stop = order(terms);
  expect([estimateOrder(stop, facts).value, worstCaseValue(stop, facts)?.toFixed(2)]).toEqual([value, worst]);
});

test('without a last price, a stop sale is estimated at its stop', () => {
  const unpriced = { ...facts, positions: facts.positions.slice(0, 1) };
  const stop = order({ side: 'SELL', type: 'STOP', stopPrice: '8' });
  // 5 × 8 × 0.75.
  expect([estimateOrder(stop, unpriced).value, worstCaseValue(stop, unpriced)?.toFixed(2)]).toEqual(['30.00', '30.00']);
});
