/** Invalid input gets one clear sentence and a next step, and no order is placed. */
// @module-tag server
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { setup } from '../../support/setup.ts';

const leg = { type: 'MARKET', ticker: 'X', side: 'BUY', quantity: 1 };
const limitOrder = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1, limitPrice: 10, timeValidity: 'DAY' };

test.each([
  ['a negative quantity says how to sell', 'place_limit_order', { ...limitOrder, quantity: -1 }, /side "SELL"/],
  ['a quantity of zero', 'place_limit_order', { ...limitOrder, quantity: 0 }, /quantity must be greater than 0/],
  ['not a number', 'place_limit_order', { ...limitOrder, quantity: 'NaN' }, /quantity must be a number/],
  ['an infinite quantity', 'place_limit_order', { ...limitOrder, quantity: '1e999' }, /quantity must be a number/],
  ['an amount beyond any number', 'plan_orders', { goal: 'invest', amount: 1e300 }, /^amount is too large; at most 15/],
  ['more digits than any order', 'plan_orders', { goal: 'invest', amount: 1e20 }, /^amount is too large; at most 15/],
  [
    'a price below any',
    'place_limit_order',
    { ...limitOrder, limitPrice: 1e-300 },
    /^limitPrice has too many decimals/,
  ],
  ['a price of zero', 'place_limit_order', { ...limitOrder, limitPrice: 0 }, /limitPrice must be greater than 0/],
  [
    'an unknown argument names the nearest',
    'place_limit_order',
    { ...limitOrder, limitprice: 3 },
    /did you mean "limitPrice"/,
  ],
  ['a missing argument', 'place_limit_order', { ...limitOrder, side: undefined }, /side is missing/],
  [
    'an old time validity',
    'place_limit_order',
    { ...limitOrder, timeValidity: 'GTC' },
    /must be DAY or GOOD_TILL_CANCEL/,
  ],
  ['a date that is none', 'fetch_history', { kind: 'orders', since: '2025-02-30' }, /since must be an ISO date/],
  ['a word for a date', 'fetch_history', { kind: 'orders', since: 'yesterday' }, /since must be an ISO date/],
  [
    'a range that is turned round',
    'fetch_history',
    { kind: 'orders', since: '2026-01-01', until: '2025-01-01' },
    /since must be before until/,
  ],
  [
    'a range of gains that is turned round',
    'summarize_realised_gains',
    { method: 'fifo', since: '2026-01-01', until: '2025-01-01' },
    /since must be before until/,
  ],
  ['a ticker of transactions', 'fetch_history', { kind: 'transactions', ticker: 'X' }, /Transactions have no ticker/],
  ['a grouping that is missing', 'summarize_dividends', {}, /groupBy is missing; it must be month, quarter/],
  ['a limit over the most', 'fetch_history', { kind: 'orders', limit: 501 }, /limit must be 1 to 500/],
  ['an unknown kind', 'fetch_history', { kind: 'fees' }, /kind must be orders, dividends or transactions/],
  ['a foreign cursor', 'fetch_history', { kind: 'orders', cursor: 'abc' }, /cursor is not a nextCursor/],
  ['an id with a path in it', 'cancel_order', { orderId: '1/../2' }, /orderId must be an id/],
  ['an unsafe integer', 'cancel_order', { orderId: 2 ** 60 }, /orderId must be sent as a string/],
  ['two names for an order', 'get_order', { orderId: '1', intentId: 'a'.repeat(32) }, /either orderId or intentId/],
  ['no name for an order', 'get_order', {}, /either orderId or intentId/],
  [
    'reports of too many years',
    'request_export',
    { timeFrom: '1950-01-01', timeTo: '2025-01-01', include: ['orders'] },
    /over 30 years/,
  ],
  [
    'shares that do not add up',
    'create_pie',
    { name: 'x', instrumentShares: { QNOON_GB_EQ: 0.4 } },
    /must add up to 1/,
  ],
  [
    'a field that a leg lacks, with the number that drafts show',
    'save_draft',
    { legs: [{ type: 'LIMIT', ticker: 'X', side: 'BUY', quantity: 1, limitPrice: 2 }] },
    /^leg 1: timeValidity is missing/,
  ],
  [
    'a wrong field of the second leg',
    'save_draft',
    { legs: [leg, { ...leg, quantity: 0 }] },
    /^leg 2: quantity must be greater than 0/,
  ],
  [
    'a leg without a ticker',
    'save_draft',
    { legs: [{ ...leg, ticker: undefined }] },
    /^leg 1: ticker is missing; it must/,
  ],
  [
    'a field that no leg has',
    'save_draft',
    { legs: [leg, { ...leg, price: 1 }] },
    /^"price" is not a field of leg 2\.$/,
  ],
  [
    'a weight of the second target',
    'plan_orders',
    {
      goal: 'rebalance',
      targets: [
        { ticker: 'X', weightPercent: 1 },
        { ticker: 'Y', weightPercent: 101 },
      ],
    },
    /^target 2: weightPercent must be 0 to 100/,
  ],
  [
    'a price on a market order',
    'preview_order',
    { type: 'MARKET', ticker: 'X', side: 'BUY', quantity: 1, limitPrice: 2 },
    /is not allowed for a MARKET order/,
  ],
])('%s', async (_, tool, args, sentence) => {
  const { call, requests } = await setup();
  const { isError, body, structured, text } = await call(tool, JSON.parse(JSON.stringify(args)));
  expect(isError).toBe(true);
  // Some hosts would check bare JSON against the output schema, and the model would never see it.
  expect(text).toBe(`Error: ${JSON.stringify(body)}`);
  expect(structured).toBeUndefined();
  expect(body.code).toBe('invalid_argument');
  expect(body.message).toMatch(sentence);
  expect(body.next.length).toBeGreaterThan(5);
  expect(requests()).toEqual([]);
});

test('an unknown ticker names the nearest ones and places nothing', async () => {
  const { call, requests } = await setup();
  const { isError, body } = await call('place_limit_order', { ...limitOrder, ticker: 'QNOON_GB_EX' });
  expect(isError).toBe(true);
  expect(body.code).toBe('unknown_ticker');
  expect(body.nearest).toContain('QNOON_GB_EQ');
  expect(body.next).toContain('QNOON_GB_EQ');
  expect(requests()).toEqual(['listInstruments']);
});

test('a ticker in the wrong case is not taken for another one', async () => {
  const { call } = await setup();
  const { body } = await call('list_orders', { ticker: 'qnoon_gb_eq' });
  expect(body).toMatchObject({ code: 'unknown_ticker' });
  expect(body.nearest).toContain('QNOON_GB_EQ');
});

test('a missing order is reported as not found', async () => {
  const { call } = await setup();
  const { body } = await call('get_order', { orderId: '123' });
  expect(body).toMatchObject({ code: 'not_found' });
});

test('a live order is refused with a sentence and never sent', async () => {
  const { call, simulator } = await setup({ config: { environment: 'live', liveTrading: true } });
  const { isError, body } = await call('place_limit_order', limitOrder);
  expect(isError).toBe(false);
  expect(body).toMatchObject({ outcome: 'refused', rule: 'approval_missing', env: 'live' });
  expect(simulator.log.filter((request) => request.method !== 'GET')).toEqual([]);
});

test('without keys every call names what is missing, and the status still works', async () => {
  const { call, requests } = await setup({ config: { baseUrl: undefined, credentials: undefined } });
  expect((await call('get_account_summary')).body).toMatchObject({ code: 'not_configured' });
  expect((await call('get_server_status')).body).toMatchObject({ configured: false });
  expect(requests()).toEqual([]);
});

test('a wrong key is reported as such, without the key', async () => {
  const { call } = await setup({ config: { credentials: { key: 'other', secret: 'very-secret-word' } } });
  const { body } = await call('get_account_summary');
  expect(body.code).toBe('unauthorized');
  expect(JSON.stringify(body)).not.toContain('very-secret-word');
});

test('the status sends no request', async () => {
  const { call, requests } = await setup();
  const { body } = await call('get_server_status');
  expect(body).toMatchObject({ env: 'demo', configured: true, openIntents: 0, trading: { state: 'on' } });
  expect(body.limits.length).toBe(Object.keys(endpoints).length);
  expect(requests()).toEqual([]);
});

test('all problems of the arguments are named at once, and an amount of money names the tool that takes it', async () => {
  const { call, requests } = await setup();
  const { body } = await call('preview_order', { type: 'MARKET', ticker: 'QNOON_GB_EQ', side: 'BUY', value: 200 });
  expect(body.code).toBe('invalid_argument');
  for (const said of ['quantity is missing', '"value" is not an argument']) expect(body.message).toContain(said);
  expect(body.next).toContain('plan_orders');
  const { body: placed } = await call('place_market_order', { ticker: 'QNOON_GB_EQ', colour: 'red' });
  for (const said of ['side is missing', 'quantity is missing', '"colour" is not'])
    expect(placed.message).toContain(said);
  expect(placed.next).not.toContain('plan_orders');
  expect(requests()).toEqual([]);
});

test('of many problems, five are named and the others counted', async () => {
  const { call } = await setup();
  const wrong = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, 1]));
  const { body } = await call('list_drafts', wrong);
  expect(body.message.match(/is not an argument/g)).toHaveLength(5);
  expect(body.message).toContain('4 other problems');
});
