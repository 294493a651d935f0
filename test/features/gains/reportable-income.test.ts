/** Excess reportable income: the shares that have it, and the funds whose owner did not enter it. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import { compareExecution } from '../../../src/features/analytics/trades.ts';
import { applyTaxRecords } from '../../../src/features/gains/apply-records.ts';
import { formatPool } from '../../../src/features/gains/format-gains.ts';
import {
  addMonths,
  computeFundIncome,
  isForeign,
  listFundsWithoutIncome,
  toNoon,
} from '../../../src/features/gains/reportable-income.ts';
import { at, buy, gainsOf, leftLines, lines, sell } from './trades.ts';

const isin = 'IE00B3XXRP09';
const fund = { isin, valueCurrency: 'GBP' };
const income = (periodEnd: string, more = {}) => ({
  isin,
  periodEnd,
  amountPerShare: new Big('0.5'),
  currency: 'GBP',
  ...more,
});

describe('the income of a period', () => {
  const bought = buy('2023-01-10', 100, 1000, fund);

  test('is that of the shares of the ISIN, under the ticker of the newest row until the end of the period', () => {
    const trades = [
      bought,
      buy('2023-02-10', 7, 70, { isin: 'IE00B3RBWM25', valueCurrency: 'USD' }),
      sell('2023-03-10', 40, 500, { ...fund, ticker: 'NEW' }),
      sell('2023-07-01', 60, 500, { ...fund, ticker: 'LATER', valueCurrency: 'USD' }),
    ];
    expect(computeFundIncome([income('2023-06-30')], trades)).toEqual({
      income: [
        {
          isin,
          ticker: 'NEW',
          periodEnd: '2023-06-30',
          taxedOn: '2023-12-30',
          shares: new Big(60),
          amount: new Big(30),
          currency: 'GBP',
        },
      ],
      inOtherCurrency: [],
    });
  });

  test.each([
    ['all were sold', [bought, sell('2023-06-30T22:59:59Z', 100, 1, fund)], 0],
    ['all were sold the next day', [bought, sell('2023-06-30T23:00:00Z', 100, 1, fund)], 1],
    ['more was sold than bought', [bought, sell('2023-06-01', 101, 1, fund)], 0],
    ['none was bought yet', [buy('2023-07-01', 5, 1, fund)], 0],
  ])('where %s is of %s entries', (_, trades, count) => {
    expect(computeFundIncome([income('2023-06-30')], trades).income).toHaveLength(count);
  });

  test.each([
    ['no row names a currency', [buy('2023-01-10', 1, 1, { isin })], 'income'],
    ['one row names another', [bought, buy('2023-02-10', 1, 1, { isin, valueCurrency: 'USD' })], 'inOtherCurrency'],
  ] as const)('is in no figure only where a row is in another currency: %s', (_, trades, list) => {
    const found = computeFundIncome([income('2023-06-30')], trades);
    expect([found.income.length, found.inOtherCurrency.length]).toEqual(list === 'income' ? [1, 0] : [0, 1]);
  });

  test('belongs to what is held at the end of the day: a sale of that day does not have it, however late', () => {
    const trades = [bought, sell('2023-06-30T15:00:00Z', 40, 500, fund), sell('2023-07-10', 30, 600, fund)];
    const records = { costs: [], reportableIncome: [income('2023-06-30')] };
    const applied = applyTaxRecords(trades.toSorted(compareExecution), [], records, 'uk_section_104');
    const gains = gainsOf(applied.trades, { method: 'uk_section_104', ...applied.options });
    // 1,000 × 40 / 100; then (600 + 60 × 0.5) × 30 / 60.
    expect(lines(gains)).toEqual([
      '40 A: 500.00 - 400.00 = 100.00 (section_104 40)',
      '30 A: 600.00 - 315.00 = 285.00 (section_104 30)',
    ]);
    expect(gains.disposals.map(formatPool)).toEqual(['60 = 600.00', '30 = 315.00']);
    expect(leftLines(gains)).toEqual(['A 30: 315.00']);
  });
});

test.each([
  ['2023-06-30', 6, '2023-12-30'],
  ['2023-07-01', 6, '2024-01-01'],
  ['2024-03-31', -1, '2024-02-29'],
  ['2023-10-06', -18, '2022-04-06'],
  ['2023-01-31', 0, '2023-01-31'],
])('%s and %i months is %s', (date, months, expected) => {
  expect(addMonths(date, months)).toBe(expected);
});

test('noon of a date is at 12:00 UTC', () => {
  expect(toNoon('2024-06-30')).toBe(Date.UTC(2024, 5, 30, 12));
});

test('foreign is an ISIN that does not begin with GB', () => {
  expect([{ isin }, { isin: 'GB0000000001' }, { isin: 'IGB000000001' }, { isin: undefined }].map(isForeign)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

describe('a fund without income of the tax year 2025/26', () => {
  const year = { since: at('2025-04-05T23:00:00Z'), until: at('2026-04-05T23:00:00Z') };
  const isNamed = (trades: readonly Trade[], entries: Parameters<typeof listFundsWithoutIncome>[1] = []) =>
    listFundsWithoutIncome(trades, entries, () => true, year).length > 0;
  const bought = (when: string) => buy(when, 10, 1, fund);

  // Its periods end from 6 October 2024 to 5 October 2025; the first begins a year before.
  test.each([
    ['2023-10-06T11:59:59Z', false],
    ['2023-10-06T12:00:00Z', true],
  ])('is named if the last share was sold at %s: %s', (when, named) => {
    expect(isNamed([bought('2023-01-01'), sell(when, 10, 1, fund)])).toBe(named);
  });

  test.each([
    ['2025-10-06T11:59:59Z', true],
    ['2025-10-06T12:00:00Z', false],
  ])('is named if the first share was bought at %s: %s', (when, named) => {
    expect(isNamed([bought(when)])).toBe(named);
  });

  test('is named however long ago the shares were bought that are still held', () => {
    expect(isNamed([bought('2010-01-01')])).toBe(true);
    expect(isNamed([bought('2010-01-01'), sell('2011-01-01', 9, 1, fund)])).toBe(true);
    expect(isNamed([bought('2010-01-01'), sell('2011-01-01', 10, 1, fund)])).toBe(false);
  });

  test('counts from the first purchase, and not from the last', () => {
    expect(isNamed([bought('2025-10-01'), bought('2025-12-01')])).toBe(true);
  });

  test.each([
    ['2024-10-05', true],
    ['2024-10-06', false],
    ['2025-10-05', false],
    ['2025-10-06', true],
  ])('is named if the entered period ends on %s: %s', (periodEnd, named) => {
    expect(isNamed([bought('2020-01-01')], [income(periodEnd)])).toBe(named);
  });

  test('is named although another fund has an entry', () => {
    expect(isNamed([bought('2020-01-01')], [income('2025-06-30', { isin: 'IE00B3RBWM25' })])).toBe(true);
  });

  test('is listed once, with its newest ticker, and only if it is a fund with an ISIN', () => {
    const trades = [
      bought('2020-01-01'),
      buy('2021-01-01', 1, 1, { ...fund, ticker: 'NEW' }),
      buy('2021-01-01', 1, 1, { ticker: 'NONE' }),
      buy('2021-01-01', 1, 1, { ticker: 'SHARE', isin: 'US0000000001' }),
    ];
    const isFund = (ticker: string) => ticker !== 'SHARE';
    expect(listFundsWithoutIncome(trades, [], isFund, year)).toEqual([{ isin, ticker: 'NEW' }]);
  });

  test('without a begin of the range any entry before its end counts', () => {
    const range = { until: year.until };
    const trades = [bought('2010-01-01'), sell('2011-01-01', 10, 1, fund)];
    expect(listFundsWithoutIncome(trades, [], () => true, range)).toEqual([{ isin, ticker: 'A' }]);
    expect(listFundsWithoutIncome(trades, [income('2010-06-30')], () => true, range)).toEqual([]);
  });
});
