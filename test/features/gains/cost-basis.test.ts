/** Which row an entered cost belongs to, and which entries are not used. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import {
  type CostEntry,
  canHaveEntry,
  formatCostCommand,
  matchCostEntries,
} from '../../../src/features/gains/cost-entries.ts';
import { action, at, buy, sell } from './trades.ts';

const day = 86_400_000;
const transfer = action('2024-06-20T12:00:00Z', 'FOP', 5, 0, { fillId: '9' });

const entry = (fields: Partial<CostEntry>): CostEntry => ({
  fillId: undefined,
  ticker: undefined,
  at: undefined,
  acquiredAt: undefined,
  cost: new Big(45),
  currency: 'GBP',
  parent: undefined,
  ...fields,
});

function match(fields: Partial<CostEntry>, trades: readonly Trade[] = [transfer], parent?: string) {
  const { used, unused, costBasis } = matchCostEntries([entry(fields)], trades, () => parent);
  return { used, reason: unused[0]?.reason, basis: trades.map(costBasis) };
}

describe('an entry', () => {
  test('gives the row its cost and the day of the purchase, or of the row where it names none', () => {
    expect(match({ fillId: '9', acquiredAt: 5 }).basis).toEqual([{ acquiredAt: 5, cost: new Big(45) }]);
    expect(match({ fillId: '9' }).basis).toEqual([{ acquiredAt: transfer.at, cost: new Big(45) }]);
  });

  test.each([
    [day, undefined],
    [day + 1, 'acquired_later'],
  ])('can have a date up to a day after its row: %i ms', (later, reason) => {
    expect(match({ fillId: '9', acquiredAt: transfer.at + later }).reason).toBe(reason);
  });

  test.each([
    [-1, 'no_row'],
    [0, undefined],
    [999, undefined],
    [1000, 'no_row'],
  ])('names the second of its row: %i ms after it', (offset, reason) => {
    expect(match({ ticker: 'A', at: transfer.at + offset }).reason).toBe(reason);
  });

  test.each([
    ['another ticker', { ticker: 'B', at: transfer.at }],
    ['no time', { ticker: 'A' }],
    ['the id of a purchase', { fillId: '7' }],
    [
      'the id of another fill, although ticker and time are those of the row',
      { fillId: '8', ticker: 'A', at: transfer.at },
    ],
  ])('with %s has no row', (_, fields) => {
    const trades = [transfer, buy('2024-07-01', 1, 9, { fillId: '7' })];
    expect(match(fields, trades)).toEqual({ used: [], reason: 'no_row', basis: [undefined, undefined] });
  });

  test.each([
    ['of the row', [{ ...transfer, valueCurrency: 'USD' }], 'other_currency'],
    ['of other rows of the ticker', [transfer, buy('2024-07-01', 1, 9, { valueCurrency: 'USD' })], 'other_currency'],
    ['of another ticker', [transfer, buy('2024-07-01', 1, 9, { ticker: 'B', valueCurrency: 'USD' })], undefined],
    [
      'of the row before that of others',
      [{ ...transfer, valueCurrency: 'GBP' }, buy('2024-07-01', 1, 9, { valueCurrency: 'USD' })],
      undefined,
    ],
  ])('has to be in the currency %s', (_, trades, reason) => {
    expect(match({ fillId: '9' }, trades).reason).toBe(reason);
  });

  test('for one of two rows is not used, although it is in another currency too', () => {
    const twice = { ...transfer, valueCurrency: 'USD' };
    expect(match({ fillId: '9' }, [twice, { ...twice }]).reason).toBe('several_rows');
  });

  test('of a spin-off takes the cost from the company that the entry names, and otherwise from that of the rows', () => {
    const spinOff = [action('2024-06-20', 'SPIN_OFF', 5, 0, { fillId: '9' })];
    expect(match({ fillId: '9', parent: 'ENTERED' }, spinOff, 'SHOWN').used[0]?.parent).toBe('ENTERED');
    expect(match({ fillId: '9' }, spinOff, 'SHOWN').used[0]?.parent).toBe('SHOWN');
    expect(match({ fillId: '9' }, spinOff).reason).toBe('no_parent');
  });

  test('of a transfer takes no cost from a company', () => {
    expect(match({ fillId: '9', parent: 'ENTERED' }, [transfer], 'SHOWN').used[0]?.parent).toBeUndefined();
  });
});

test.each([
  ['FOP', 'BUY', 5, 0, true],
  ['FOP_CORRECTION', 'BUY', 5, 0, true],
  ['SPIN_OFF', 'BUY', 5, 0, true],
  ['STOCK_ACQUISITION', 'BUY', 5, 0, true],
  ['STOCK_DIVIDENDS', 'BUY', 5, 0, true],
  ['FOP', 'BUY', 0, 0, false],
  ['FOP', 'BUY', -5, 0, false],
  ['FOP', 'SELL', 5, 20, false],
  ['SPIN_OFF', 'SELL', 5, 20, false],
  ['EQUITY_RIGHTS', 'BUY', 5, 20, false],
  ['STOCK_SPLIT', 'BUY', 5, 0, false],
  ['TRADE', 'BUY', 5, 20, false],
  ['TRADE', 'SELL', 5, 20, false],
  ['UNHEARD_OF', 'BUY', 5, 0, false],
  ['CASH_AND_STOCK_ACQUISITION', 'SELL', 5, 20, true],
  ['CASH_AND_STOCK_ACQUISITION', 'SELL', 5, 0, false],
  ['CASH_AND_STOCK_ACQUISITION', 'SELL', 5, undefined, false],
  ['CAPITAL_DISTRIBUTED', 'BUY', 0, 50, true],
  ['CAPITAL_RETURNED', 'BUY', 0, 50, false],
] as const)('a row of %s, %s %s for %s, can have an entered cost: %s', (type, side, quantity, value, can) => {
  const make = side === 'BUY' ? buy : sell;
  expect(canHaveEntry(make('2024-06-20', quantity, value, { type }))).toBe(can);
});

test.each([
  ['A.B_C-1/x', 'A.B_C-1/x'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), 'TICKER'],
  ['-rf', 'TICKER'],
  ['A B', 'TICKER'],
  ['A\nB', 'TICKER'],
  ['', 'TICKER'],
])('the command names the ticker %j as %s', (ticker, shown) => {
  const row = { fillId: undefined, ticker, at: at('2024-06-20T12:00:00Z') };
  expect(formatCostCommand(row, 'GBP', { part: true })).toBe(
    `brokerage-mcp cost-basis set --ticker ${shown} --at 2024-06-20T12:00:00.000Z --part --cost AMOUNT --currency GBP`,
  );
  expect(formatCostCommand({ ...row, fillId: '9' }, undefined, { parent: ticker })).toBe(
    `brokerage-mcp cost-basis set --fill 9 --parent ${shown} --cost AMOUNT --currency CURRENCY`,
  );
});
