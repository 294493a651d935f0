/** Which excess reportable income belongs to a range, and its sum. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { formatIncomeTotal, selectFundIncome } from '../../../../src/features/gains/tools/gains-inputs.ts';

const income = (ticker: string, amount: string, currency = 'GBP') => ({
  isin: 'IE0000000001',
  ticker,
  periodEnd: '2025-06-30',
  taxedOn: '2025-12-31',
  shares: new Big(1),
  amount: new Big(amount),
  currency,
});
const noon = Date.UTC(2025, 11, 31, 12);
const both = [income('A', '1'), income('B', '2')];

test.each([
  [{ since: noon }, ['A', 'B']],
  [{ since: noon + 1 }, []],
  [{ until: noon + 1 }, ['A', 'B']],
  [{ until: noon }, []],
  [{ since: noon, until: noon + 1 }, ['A', 'B']],
  [{}, ['A', 'B']],
])('income of 31 December is in the range %j of %j', (range, tickers) => {
  expect(selectFundIncome(both, range).map(({ ticker }) => ticker)).toEqual(tickers);
});

test('of one ticker its income alone is selected', () => {
  expect(selectFundIncome(both, {}, 'B')).toEqual([both[1]]);
});

test('income of one currency has a sum, and that of two has none', () => {
  expect(formatIncomeTotal(both)).toBe('3.00');
  expect(formatIncomeTotal([income('A', '1'), income('B', '2'), income('C', '3', 'USD')])).toBeUndefined();
  expect(formatIncomeTotal([])).toBe('0.00');
});
