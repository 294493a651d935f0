/** What happened since a moment, from rows made by hand. */
import { expect, test } from 'vitest';
import { toCashFlows } from '../../../src/features/analytics/cash-flows.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';
import { type ChangesQuestion, findChanges, nameSeen } from '../../../src/features/changes/find-changes.ts';
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

type Given = Partial<Omit<ChangesQuestion, 'trades'>> & { readonly rows?: readonly object[] };

const ask = (change: Given): ChangesQuestion => ({
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
const find = (change: Given) => findChanges(ask(change));

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

test('a position that was closed and opened again is neither, and keeps its trades', () => {
  const rows = [
    order('A', '2026-11-02', { side: 'SELL', quantity: '5', net: '50' }),
    order('A', '2026-11-04', { quantity: '2', net: '20' }),
  ];
  expect(find({ rows, positions: [position({ ticker: 'A', quantity: '2' })] }).map(({ kind }) => kind)).toEqual([
    'bought',
    'sold',
  ]);
});

test('a trade that the positions do not show yet closes nothing', () => {
  const bought = [order('A', '2026-11-02', { quantity: '3', net: '30' })];
  expect(find({ rows: bought }).map(({ kind }) => kind)).toEqual(['bought']);
});

test('after a split, what was bought before the range is no new position', () => {
  const rows = [
    order('A', '2026-10-02', { quantity: '3', net: '30' }),
    order('A', '2026-11-02', { quantity: '3', type: 'STOCK_SPLIT' }),
    order('B', '2026-11-02', { side: 'SELL', quantity: '-4', type: 'STOCK_SPLIT' }),
  ];
  const positions = [position({ ticker: 'A', quantity: '6' }), position({ ticker: 'B', quantity: '1' })];
  expect(find({ rows, positions }).map(({ kind, ticker, quantity }) => [kind, ticker, quantity])).toEqual([
    ['corporate_action', 'A', '3'],
    ['corporate_action', 'B', '-4'],
  ]);
});

test('a dividend that is corrected has both rows, and one of unknown amount is named without an amount', () => {
  const dividends = [
    dividend({ ticker: 'A', amount: '9', paidOn: '2026-11-02T00:00:00Z' }),
    dividend({ ticker: 'A', amount: '-9', paidOn: '2026-11-02T01:00:00Z' }),
    { ticker: 'A', paidOn: '2026-11-02T02:00:00Z' },
    { ticker: 'A', amount: '1' },
  ] as never;
  expect(find({ dividends }).map(({ kind, amount, currency }) => [kind, amount, currency])).toEqual([
    ['dividend', undefined, 'GBP'],
    ['dividend', '-9.00', 'GBP'],
    ['dividend', '9.00', 'GBP'],
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
  const orders = [ended('CANCELLED'), ended('FILLED', {}), ended('FILLED'), ended('NEW'), ended('CANCELLING')] as never;
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

test('an order that was cancelled after a part of it was filled ended once, besides its fills', () => {
  const orders = ['10', '11'].map((hour) => ({
    ...order('A', '2026-11-02', { side: 'SELL', quantity: '-1' }),
    order: { id: '7', ticker: 'A', side: 'SELL', type: 'STOP_LIMIT', quantity: '-9', status: 'CANCELLED' },
    fill: { filledAt: `2026-11-02T${hour}:00:00Z` },
  })) as never;
  expect(find({ orders })).toEqual([
    {
      kind: 'order_ended',
      at: at('2026-11-02T11:00:00Z'),
      ticker: 'A',
      name: undefined,
      quantity: '9',
      detail: 'SELL STOP_LIMIT CANCELLED',
    },
  ]);
});

test('a row that comes after the last question with a time before it is news once', () => {
  const early = dividend({ ticker: 'A', amount: '1', paidOn: '2026-10-20T00:00:00Z' });
  const late = dividend({ ticker: 'B', amount: '2', paidOn: '2026-10-30T00:00:00Z' });
  const older = dividend({ ticker: 'C', amount: '3', paidOn: '2026-10-09T00:00:00Z' });
  const from = at('2026-10-10T00:00:00Z');
  const { seen, seenFrom } = nameSeen(ask({ dividends: [early] }), from);
  expect(seenFrom).toBe(from);
  const after = ask({ dividends: [late, early, older], late: { from, seen: new Set(seen) } });
  expect(findChanges(after).map(({ ticker, amount }) => [ticker, amount])).toEqual([['B', '2.00']]);
  const next = nameSeen(after, from);
  expect(findChanges({ ...after, late: { from, seen: new Set(next.seen) } })).toEqual([]);
});

test('of many rows the newest are kept as seen, and none of them is news again', () => {
  const dividends = Array.from({ length: 900 }, (_, n) =>
    dividend({ ticker: 'A', amount: String(n + 1), paidOn: new Date(since - (n + 1) * 60_000).toISOString() }),
  );
  const kept = nameSeen(ask({ dividends }), since - 86_400_000);
  expect(kept.seen).toHaveLength(300);
  expect(kept.seenFrom).toBe(since - 301 * 60_000 + 1);
  expect(find({ dividends, late: { from: kept.seenFrom, seen: new Set(kept.seen) } })).toEqual([]);
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
  // An unknown value is no value of nothing.
  expect(find({ weights: { before: { A: 10, B: null }, after: { A: null, B: 20 } } })).toEqual([]);
});
