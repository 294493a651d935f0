/** What happened since a moment, from rows made by hand. */
import { expect, test } from 'vitest';
import { toCashFlows } from '../../../src/features/analytics/cash-flows.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';
import { type ChangesQuestion, findChanges } from '../../../src/features/changes/find-changes.ts';
import { at, dividend, position } from '../analytics/support.ts';

const since = at('2026-11-01T00:00:00Z');

const order = (
  ticker: string,
  day: string,
  facts: { side?: 'BUY' | 'SELL'; quantity: string; net?: string; type?: string },
) => ({
  order: { id: day, side: facts.side ?? 'BUY', ticker },
  fill: {
    id: `${day} ${ticker}`,
    filledAt: `${day}T10:00:00Z`,
    quantity: facts.quantity,
    type: facts.type ?? 'TRADE',
    walletImpact: { currency: 'GBP', netValue: facts.net ?? '0' },
  },
});

const find = (change: Partial<Omit<ChangesQuestion, 'trades'>> & { readonly rows?: readonly object[] }) =>
  findChanges({
    since,
    currency: 'GBP',
    trades: toTrades((change.rows ?? []) as never),
    orders: [],
    dividends: [],
    flows: [],
    positions: [],
    weights: undefined,
    ...change,
  });

test('trades have their shares, and the money that the account paid or received', () => {
  const rows = [
    order('A', '2026-10-31', { quantity: '5', net: '50' }),
    order('A', '2026-11-02', { quantity: '3', net: '33.333' }),
    order('B', '2026-11-03', { side: 'SELL', quantity: '-2', net: '20' }),
    order('A', '2026-11-04', { quantity: '8', type: 'STOCK_SPLIT' }),
  ];
  const positions = [
    position({ ticker: 'A', quantity: '16', name: 'Alpha' }),
    position({ ticker: 'B', quantity: '1', name: 'Beta' }),
  ];
  expect(find({ rows, positions })).toEqual([
    {
      kind: 'corporate_action',
      at: at('2026-11-04T10:00:00Z'),
      ticker: 'A',
      name: 'Alpha',
      quantity: '8',
      detail: 'STOCK_SPLIT',
    },
    {
      kind: 'sold',
      at: at('2026-11-03T10:00:00Z'),
      ticker: 'B',
      name: 'Beta',
      quantity: '2',
      amount: '20.00',
      currency: 'GBP',
    },
    {
      kind: 'bought',
      at: at('2026-11-02T10:00:00Z'),
      ticker: 'A',
      name: 'Alpha',
      quantity: '3',
      amount: '-33.33',
      currency: 'GBP',
    },
  ]);
});

test('what was not held before is opened, what is not held now is closed, and what was bought and sold again is neither', () => {
  const rows = [
    order('NEW', '2026-11-02', { quantity: '3', net: '30' }),
    order('OLD', '2026-11-03', { side: 'SELL', quantity: '4', net: '40' }),
    order('MORE', '2026-11-03', { quantity: '1', net: '10' }),
    order('DAY', '2026-11-04', { quantity: '2', net: '20' }),
    order('DAY', '2026-11-05', { side: 'SELL', quantity: '2', net: '21' }),
  ];
  const positions = [position({ ticker: 'NEW', quantity: '3' }), position({ ticker: 'MORE', quantity: '9' })];
  expect(
    find({ rows, positions })
      .filter(({ at }) => at === undefined)
      .map(({ kind, ticker, quantity }) => [kind, ticker, quantity]),
  ).toEqual([
    ['opened', 'NEW', '3'],
    ['closed', 'OLD', undefined],
  ]);
});

test('bookings and dividends have their kind, from the first moment of the range on', () => {
  const flows = toCashFlows([
    { type: 'DEPOSIT', amount: '100', currency: 'GBP', dateTime: '2026-10-31T23:59:59.999Z' },
    { type: 'DEPOSIT', amount: '10', currency: 'GBP', dateTime: '2026-11-01T00:00:00Z' },
    { type: 'WITHDRAW', amount: '-20', currency: 'GBP', dateTime: '2026-11-02T00:00:00Z' },
    { type: 'INTEREST_ON_FREE_CASH', amount: '1.5', dateTime: '2026-11-03T00:00:00Z' },
    { type: 'FEE', amount: '-2', currency: 'USD', dateTime: '2026-11-04T00:00:00Z' },
    { type: 'BONUS', amount: '7', currency: 'GBP', dateTime: '2026-11-05T00:00:00Z' },
  ] as never);
  const dividends = [
    dividend({ ticker: 'A', amount: '3.005', paidOn: '2026-11-06T00:00:00Z' }),
    dividend({ ticker: 'A', amount: '9', paidOn: '2026-10-31T00:00:00Z' }),
  ];
  expect(
    find({ flows, dividends }).map(({ kind, amount, currency, detail }) => [kind, amount, currency, detail]),
  ).toEqual([
    ['dividend', '3.01', 'GBP', undefined],
    ['other_booking', '7.00', 'GBP', 'BONUS'],
    ['fee', '-2.00', 'USD', 'FEE'],
    ['interest', '1.50', 'GBP', 'INTEREST_ON_FREE_CASH'],
    ['paid_out', '-20.00', 'GBP', 'WITHDRAW'],
    ['paid_in', '10.00', 'GBP', 'DEPOSIT'],
  ]);
});

test('an order that ended without a fill says how; a filled one is a trade', () => {
  const ended = (status: string, fill?: object) => ({
    order: {
      id: status,
      ticker: 'A',
      side: 'BUY',
      type: 'LIMIT',
      quantity: '2',
      status,
      createdAt: '2026-11-02T08:00:00Z',
    },
    ...(fill ? { fill } : {}),
  });
  const orders = [ended('CANCELLED'), ended('FILLED', {}), ended('FILLED')] as never;
  expect(find({ orders })).toEqual([
    {
      kind: 'order_ended',
      at: at('2026-11-02T08:00:00Z'),
      ticker: 'A',
      name: undefined,
      quantity: '2',
      detail: 'BUY LIMIT CANCELLED',
    },
  ]);
});

test('weights that moved by a point and more come with the largest move first', () => {
  const weights = { before: { A: 10, B: 20, GONE: 3, SAME: 5 }, after: { A: 11, B: 16.5, SAME: 5.99, C: 2.25 } };
  expect(find({ weights }).map(({ kind, ticker, detail }) => [kind, ticker, detail])).toEqual([
    ['weight', 'B', '20.00 % to 16.50 %'],
    ['weight', 'GONE', '3.00 % to 0.00 %'],
    ['weight', 'C', '0.00 % to 2.25 %'],
    ['weight', 'A', '10.00 % to 11.00 %'],
  ]);
  expect(find({})).toEqual([]);
});
