/** The bytes of an order, and what makes two orders the same. */
import { expect, test } from 'vitest';
import {
  type OrderRequest,
  orderFingerprint,
  signedQuantity,
  toWireOrder,
} from '../../../../src/core/orders/intent/order-request.ts';

const ticker = 'ABC_EQ';
const prices = { limitPrice: '20.10', stopPrice: '19.90' };
const limit: OrderRequest = {
  type: 'LIMIT',
  ticker,
  side: 'BUY',
  quantity: '10',
  limitPrice: '20.1',
  timeValidity: 'DAY',
};

// docs/interface.md, Orders.
test.each<[OrderRequest, string, string]>([
  [limit, 'placeLimitOrder', '{"ticker":"ABC_EQ","quantity":10,"limitPrice":20.1,"timeValidity":"DAY"}'],
  [
    { type: 'MARKET', ticker, side: 'SELL', quantity: '0.10000000000000000001' },
    'placeMarketOrder',
    '{"ticker":"ABC_EQ","quantity":-0.10000000000000000001,"extendedHours":false}',
  ],
  [
    { type: 'MARKET', ticker, side: 'BUY', quantity: '1', extendedHours: true },
    'placeMarketOrder',
    '{"ticker":"ABC_EQ","quantity":1,"extendedHours":true}',
  ],
  [
    { type: 'STOP', ticker, side: 'SELL', quantity: '1', stopPrice: '19.9', timeValidity: 'GOOD_TILL_CANCEL' },
    'placeStopOrder',
    '{"ticker":"ABC_EQ","quantity":-1,"stopPrice":19.9,"timeValidity":"GOOD_TILL_CANCEL"}',
  ],
  [
    { type: 'STOP_LIMIT', ticker, side: 'BUY', quantity: '1', ...prices, timeValidity: 'DAY' },
    'placeStopLimitOrder',
    '{"ticker":"ABC_EQ","quantity":1,"stopPrice":19.90,"limitPrice":20.10,"timeValidity":"DAY"}',
  ],
])('%j is written digit for digit, with the fields of its type alone', (order, id, body) => {
  const wire = toWireOrder(order);
  expect([wire.endpoint.id, wire.body]).toEqual([id, body]);
});

test('a sale has a negative quantity', () => {
  expect(signedQuantity({ side: 'SELL', quantity: '3' })).toBe('-3');
  expect(signedQuantity({ side: 'BUY', quantity: '3' })).toBe('3');
});

test('a field that is missing is the same as its default', () => {
  const place = { environment: 'demo', accountKey: 'account' };
  const market: OrderRequest = { type: 'MARKET', ticker, side: 'BUY', quantity: '1' };
  expect(orderFingerprint({ ...market, extendedHours: false, limitPrice: undefined }, place)).toBe(
    orderFingerprint(market, place),
  );
});

test.each<[string, Partial<OrderRequest>, Partial<Record<'environment' | 'accountKey', string>>]>([
  ['type', { type: 'STOP_LIMIT' }, {}],
  ['ticker', { ticker: 'DEF_EQ' }, {}],
  ['side', { side: 'SELL' }, {}],
  ['quantity', { quantity: '11' }, {}],
  ['limit price', { limitPrice: '20' }, {}],
  ['stop price', { stopPrice: '20.1' }, {}],
  ['stop price in place of the limit price', { limitPrice: undefined, stopPrice: '20.1' }, {}],
  ['validity', { timeValidity: 'GOOD_TILL_CANCEL' }, {}],
  ['extended hours', { extendedHours: true }, {}],
  ['environment', {}, { environment: 'live' }],
  ['account', {}, { accountKey: 'other' }],
])('another %s is another order', (_, change, otherPlace) => {
  const place = { environment: 'demo', accountKey: 'account' };
  expect(orderFingerprint({ ...limit, ...change }, { ...place, ...otherPlace })).not.toBe(
    orderFingerprint(limit, place),
  );
});
