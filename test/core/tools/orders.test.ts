/** Orders in results: a side with a positive quantity, the distance to the last price, and what each currency is of. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { against, filled, pageOf, readWhole } from '../../support/fake-history.ts';
import { setup } from '../../support/setup.ts';

const instrument = { ticker: 'A_US_EQ', name: 'Alder Inc', isin: 'US0000000001', currency: 'USD' };
const sell = {
  id: 7,
  ticker: 'A_US_EQ',
  instrument,
  type: 'LIMIT',
  status: 'NEW',
  quantity: -5,
  filledQuantity: -1,
  limitPrice: 110,
  currency: 'GBP',
  createdAt: '2026-01-15T14:00:00Z',
};
const market = { id: 8, ticker: 'B_US_EQ', type: 'MARKET', side: 'BUY', status: 'NEW', quantity: 2, currency: 'GBP' };
const positions = [{ instrument, quantity: 9, currentPrice: 100, walletImpact: { currency: 'GBP' } }];
const past = [
  filled(Date.parse('2026-01-06T12:00:00Z'), 2, { side: 'SELL', quantity: -1, instrument, currency: 'GBP' }),
];
const [pastRow] = past;
if (pastRow) pastRow.fill = { ...pastRow.fill, quantity: -1 };

const account = (body: { pending?: unknown; positions?: number } = {}) =>
  against((path, query) => {
    if (path.endsWith('/positions')) return { status: body.positions ?? 200, body: positions };
    if (path.endsWith('/history/orders')) return { body: pageOf(past, path, query) };
    if (path.endsWith('/orders/7')) return { body: sell };
    return path.endsWith('/orders') ? { body: body.pending ?? [sell, market] } : { status: 404, body: {} };
  });

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
const objects = (body: any) =>
  body.rows.map((row: unknown[]) => Object.fromEntries(row.map((value, at) => [body.columns[at], value])));

test('a pending sale has its company, its side, a positive quantity and the distance of its limit', async () => {
  const { body } = await (await account()).call('list_orders');
  expect(objects(body)).toMatchObject([
    {
      name: 'Alder Inc',
      side: 'SELL',
      quantity: '5',
      filledQuantity: '1',
      limitPrice: '110',
      lastKnownPrice: '100',
      // 110 is 10 % above 100.
      percentFromLast: '10.0',
      priceCurrency: 'USD',
    },
    { side: 'BUY', quantity: '2', lastKnownPrice: null, percentFromLast: null },
  ]);
});

test('without the positions the orders are listed, and without a price there is no request for positions', async () => {
  const refused = await account({ positions: 403 });
  expect(objects((await refused.call('list_orders')).body)).toMatchObject([{ percentFromLast: null }, {}]);
  const priceless = await account({ pending: [market] });
  await priceless.call('list_orders');
  expect(priceless.log.filter((path) => path.startsWith('/equity/positions'))).toEqual([]);
});

test('detailed has every field, in the form of get_order', async () => {
  const { body } = await (await account()).call('list_orders', { responseFormat: 'detailed' });
  const { body: one } = await (await account()).call('get_order', { orderId: '7' });
  expect(body.items[0]).toEqual(one.order);
  expect(body.items[0]).toMatchObject({ side: 'SELL', quantity: '5', priceCurrency: 'USD', valueCurrency: 'GBP' });
});

test('get_order names the currency of prices as list_orders does, and the currency of values beside it', async () => {
  const { body } = await (await account()).call('get_order', { orderId: '7' });
  expect(body.order).toMatchObject({ side: 'SELL', quantity: '5', priceCurrency: 'USD', valueCurrency: 'GBP' });
  expect(body.order).not.toHaveProperty('currency');
});

test('a sale of the history has a positive quantity, and detailed the one of the service', async () => {
  const made = await account();
  const concise = objects((await made.call('fetch_history', { kind: 'orders' })).body);
  expect(concise).toMatchObject([{ side: 'SELL', quantity: '1' }]);
  const { body } = await made.call('fetch_history', { kind: 'orders', responseFormat: 'detailed' });
  expect(body.items[0].order.quantity).toBe('-1');
});

test('the preview of a sale says what it brings after charges, and has no check of the largest holding', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  // The charges are those of own fills.
  await readWhole(made, 'orders');
  const order = { type: 'LIMIT', ticker: 'QNOON_GB_EQ', quantity: 2, limitPrice: 10, timeValidity: 'DAY' };
  const { body: sale } = await made.call('preview_order', { ...order, side: 'SELL' });
  const { estimate, charges } = sale;
  expect(sale.proceedsAfterCharges).toBe(new Big(estimate.value).minus(charges.total).toFixed(2));
  expect(sale.checks.map(({ check }: { check: string }) => check)).not.toContain('maxOpenQuantity');
  const { body: purchase } = await made.call('preview_order', { ...order, side: 'BUY' });
  expect(purchase).not.toHaveProperty('proceedsAfterCharges');
  expect(purchase.checks.map(({ check }: { check: string }) => check)).toContain('maxOpenQuantity');
});
