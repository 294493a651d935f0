/** What a history is told of a row: its date, its place, whether it can still change, and what makes it the same row. */
import { describe, expect, test } from 'vitest';
import { orderStatuses } from '../../../src/core/endpoints/orders.ts';
import { kinds, rowKeys, unfilledKey } from '../../../src/features/history/kinds.ts';
import { dividend, filled, startAt } from '../../support/fake-history.ts';

const order = (change: object = {}, fill: object | null = {}) => {
  const row = filled(startAt, 7, change);
  return { ...row, order: { ...row.order, id: '7' }, fill: fill && { ...row.fill, id: '9', ...fill } } as never;
};
const keysOf = (kind: keyof typeof kinds, ...rows: readonly unknown[]) =>
  rows.map((row) => rowKeys(kinds[kind] as never, [row as never])[0]);

test.each(orderStatuses.map((status) => [status]))('whether an order that is %s can still change', (status) => {
  const isOver = ['FILLED', 'CANCELLED', 'REJECTED', 'REPLACED'].includes(status);
  expect(kinds.orders.isFinal(order({ status }))).toBe(isOver);
});

test('an order of a status that nobody knows, or without one, is not read again', () => {
  expect([kinds.orders.isFinal(order({ status: 'LATER' })), kinds.orders.isFinal({} as never)]).toEqual([true, true]);
});

test('an order has the date of its fill and is listed by it; without one it has the date of its creation and no place', () => {
  const later = '2026-01-01T00:00:00.000Z';
  const [one, other] = [order({}, { filledAt: later }), order({ createdAt: later }, null)];
  expect([kinds.orders.getDate(one), kinds.orders.getSortDate(one)]).toEqual([later, later]);
  expect([kinds.orders.getDate(other), kinds.orders.getSortDate(other)]).toEqual([later, undefined]);
});

test('a row without an order has no ticker, type or date', () => {
  const { getTicker, getType, getDate, getIdentity } = kinds.orders;
  const row = {} as never;
  expect([getTicker(row), getType(row), getDate(row), getIdentity(row)]).toEqual(Array(4).fill(undefined));
});

test('orders and transactions are listed by date, and dividends are not and need more known rows in a row', () => {
  const { orders, dividends, transactions } = kinds;
  expect([orders, dividends, transactions].map(({ isListedByDate, overlap }) => [isListedByDate, overlap])).toEqual([
    [true, 5],
    [false, 20],
    [true, 5],
  ]);
});

describe('a row is the same row', () => {
  const same = (kind: keyof typeof kinds, one: unknown, other: unknown) => {
    const [a, b] = keysOf(kind, one, other);
    return a === b;
  };
  test.each<[string, unknown, unknown, boolean]>([
    ['whatever changes in it', order({ status: 'NEW' }), order({ status: 'FILLED' }), true],
    ['not with another fill', order(), order({}, { id: '10' }), false],
    ['not before its fill', order(), order({}, null), false],
    [
      'with a fill without an id of the same time, quantity and price',
      order({}, { id: undefined }),
      order({ status: 'X' }, { id: undefined }),
      true,
    ],
    [
      'not with such a fill of another time',
      order({}, { id: undefined }),
      order({}, { id: undefined, filledAt: '2026-01-01T00:00:00Z' }),
      false,
    ],
    [
      'not with such a fill of another quantity',
      order({}, { id: undefined }),
      order({}, { id: undefined, quantity: 2 }),
      false,
    ],
    [
      'not with such a fill of another price',
      order({}, { id: undefined }),
      order({}, { id: undefined, price: 2 }),
      false,
    ],
    ['not as another order', order({}, null), { order: { id: '8' } }, false],
  ])('%s', (_, one, other, expected) => {
    expect(same('orders', one, other)).toBe(expected);
  });

  const paid = (change: object = {}) => dividend(startAt, 1, { amount: '1', ...change });
  test.each<[string, object, boolean]>([
    ['with its time in another offset', { paidOn: '2026-01-15T17:00:00+02:00' }, true],
    ['not with another reference', { reference: 'other' }, false],
    ['not of another ticker', { ticker: 'B_US_EQ' }, false],
    ['not of another type', { type: 'BONUS' }, false],
    ['not at another time', { paidOn: '2026-01-01T00:00:00Z' }, false],
    ['not with another amount', { amount: '2' }, false],
    ['with another quantity', { quantity: 7 }, true],
  ])('of dividends %s', (_, change, expected) => {
    expect(same('dividends', paid(), paid(change))).toBe(expected);
  });

  test.each([
    ['reference', { reference: 'b' }],
    ['type', { type: 'FEE' }],
    ['time', { dateTime: '2026-01-02T00:00:00Z' }],
    ['currency', { currency: 'USD' }],
    ['amount', { amount: '2' }],
  ])('of transactions not with another %s', (_, change) => {
    const row = { reference: 'a', type: 'DEPOSIT', dateTime: '2026-01-01T00:00:00Z', currency: 'GBP', amount: '1' };
    expect(same('transactions', row, { ...row, ...change })).toBe(false);
    expect(same('transactions', row, { ...row, more: 1 })).toBe(true);
  });

  test('without a reference by all that is in it', () => {
    const row = { type: 'DEPOSIT', amount: '1' };
    expect(same('transactions', row, { ...row })).toBe(true);
    expect(same('transactions', row, { ...row, more: 1 })).toBe(false);
  });
});

test('the key of an order before its fill is that of its row without one', () => {
  expect(keysOf('orders', order({}, null))).toEqual([unfilledKey('7')]);
});

test('equal rows of a page are told apart where they can be two, and a fill with an id cannot', () => {
  const count = (kind: keyof typeof kinds, rows: readonly unknown[]) =>
    new Set(rowKeys(kinds[kind] as never, rows as never)).size;
  const unnamed = order({}, { id: undefined });
  expect(count('orders', [order(), order()])).toBe(1);
  expect(count('orders', [order({}, null), order({}, null)])).toBe(1);
  expect(count('orders', [unnamed, unnamed, unnamed])).toBe(3);
  expect(count('dividends', [dividend(startAt, 1), dividend(startAt, 1)])).toBe(2);
  expect(count('transactions', [{ type: 'FEE' }, { type: 'FEE' }])).toBe(2);
  // The first of equal rows has the key that it has alone.
  expect(rowKeys(kinds.orders, [unnamed, unnamed])[0]).toBe(keysOf('orders', unnamed)[0]);
});
