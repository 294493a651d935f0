/** The orders of the service as tools return them. */
import { expect, test } from 'vitest';
import type { Order } from '../../../src/core/endpoints/index.ts';
import { toOutwardFill, toOutwardOrder } from '../../../src/core/mcp/order-arguments.ts';

const order = {
  id: '7',
  ticker: 'QBRAMl_EQ',
  type: 'LIMIT',
  quantity: '-3',
  filledQuantity: '-1',
  limitPrice: '71.25',
  currency: 'GBP',
  instrument: { ticker: 'QBRAMl_EQ', currency: 'GBX' },
} as unknown as Order;

test('prices have the currency of the instrument, and values that of the account', () => {
  expect(toOutwardOrder(order)).toMatchObject({ priceCurrency: 'GBX', valueCurrency: 'GBP' });
});

test.each([
  ['without an instrument', undefined],
  ['with an instrument that has no currency', { ticker: 'QBRAMl_EQ' }],
])('the currency of the prices of an order %s is unknown: pence must not be read as pounds', (_, instrument) => {
  const outward = toOutwardOrder({ ...order, instrument } as Order);
  expect([outward.priceCurrency, outward.valueCurrency]).toEqual([undefined, 'GBP']);
});

test('quantities have no sign, and a missing side is read from the sign', () => {
  expect(toOutwardOrder(order)).toMatchObject({ side: 'SELL', quantity: '3', filledQuantity: '1' });
  expect(toOutwardOrder({ ...order, quantity: '3' })).toMatchObject({ side: 'BUY' });
  expect(toOutwardOrder({ ...order, quantity: undefined }).side).toBeUndefined();
});

test('the side that the service names counts, whatever the sign of the quantity', () => {
  expect(toOutwardOrder({ ...order, side: 'BUY' }).side).toBe('BUY');
});

test('what was filled is the number of shares and not their value', () => {
  const filled = { ...order, filledQuantity: '-1', filledValue: '-71.25' } as Order;
  expect(toOutwardOrder(filled)).toMatchObject({ filledQuantity: '1', filledValue: '-71.25' });
});

test('a fill has no sign, and everything else that the service says of it', () => {
  expect(toOutwardFill({ id: '1', quantity: '-2', price: '9.9' } as never)).toEqual({
    id: '1',
    quantity: '2',
    price: '9.9',
  });
});
