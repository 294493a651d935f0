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
