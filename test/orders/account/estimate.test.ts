/** What an order is estimated to cost or bring. */
import { expect, test } from 'vitest';
import { endpoints, type Position, type TradableInstrument } from '../../../src/catalogue/index.ts';
import { estimateOrder } from '../../../src/orders/account/estimate.ts';
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
