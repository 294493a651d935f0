/** The days of the UK rules: what of a day, of 30 days and of two tax years belongs together. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { parseTaxYear } from '../../../src/core/text/dates.ts';
import { formatPool } from '../../../src/features/gains/format-gains.ts';
import { matchSection104 } from '../../../src/features/gains/section-104.ts';
import { action, at, buy, gainsOf, leftLines, lines, sell, split } from './trades.ts';

const method = 'uk_section_104';
const held = buy('2024-01-02', 100, 100);

describe('the 30 days after a sale', () => {
  test.each([
    // The last second of the 30th day in London; in summer it is an hour earlier in UTC.
    ['2025-12-10T00:00:00Z', '2026-01-09T23:59:59Z', 'thirty_day'],
    ['2025-12-10T23:59:59Z', '2026-01-10T00:00:00Z', 'section_104'],
    ['2025-03-10T12:00:00Z', '2025-04-09T22:59:59Z', 'thirty_day'],
    ['2025-03-10T12:00:00Z', '2025-04-09T23:00:00Z', 'section_104'],
    ['2024-02-01T12:00:00Z', '2024-03-02T12:00:00Z', 'thirty_day'],
    ['2024-02-01T12:00:00Z', '2024-03-03T12:00:00Z', 'section_104'],
    ['2025-12-10T12:00:00Z', '2025-12-09T12:00:00Z', 'section_104'],
  ])('sold %s, bought %s: %s', (sold, bought, rule) => {
    const gains = gainsOf([held, sell(sold, 1, 2), buy(bought, 1, 3)], { method });
    expect(gains.disposals[0]?.matches.map((match) => match.rule)).toEqual([rule]);
  });

  test('cross the end of the tax year: the sale is of the old year, its cost of the new one', () => {
    const trades = [held, sell('2025-04-05T22:59:59Z', 10, 30), buy('2025-04-06', 4, 40), sell('2025-04-08', 10, 50)];
    const of = (year: string) => lines(gainsOf(trades, { method, ...parseTaxYear(year) }));
    expect(of('2024/25')).toEqual(['10 A: 30.00 - 46.00 = -16.00 (thirty_day 4, section_104 6)']);
    expect(of('2025/26')).toEqual(['10 A: 50.00 - 10.00 = 40.00 (section_104 10)']);
  });

  test('a sale of the last day and one of the first day of a year are two disposals', () => {
    const trades = [held, sell('2025-04-05T22:59:59Z', 10, 30), sell('2025-04-05T23:00:00Z', 10, 50)];
    expect(gainsOf(trades, { method, ...parseTaxYear('2025/26') }).totals.proceeds.toFixed()).toBe('50');
    expect(gainsOf(trades, { method, ...parseTaxYear('2024/25') }).totals.proceeds.toFixed()).toBe('30');
  });

  test('a match has the day of its purchase, also where shares from a reorganisation came before it that day', () => {
    const rows = [
      held,
      sell('2024-03-01', 10, 20),
      action('2024-03-10T08:00:00Z', 'STOCK_DIVIDENDS', 5),
      buy('2024-03-10T10:00:00Z', 3, 9),
      buy('2024-03-10T15:00:00Z', 3, 9),
    ];
    const matches = gainsOf(rows, { method }).disposals[0]?.matches;
    expect(matches?.map(({ rule, acquiredAt }) => [rule, acquiredAt])).toEqual([
      ['thirty_day', at('2024-03-10T10:00:00Z')],
      ['section_104', undefined],
    ]);
  });
});

describe('the sales of one day', () => {
  const isin = 'IE0000000001';

  test('in which a split comes are counted in shares after it', () => {
    const rows = [
      buy('2024-01-02', 10, 100),
      sell('2024-06-03T08:00:00Z', 2, 30),
      split('2024-06-03T10:00:00Z', 8),
      sell('2024-06-03T12:00:00Z', 4, 30),
    ];
    const gains = gainsOf(rows, { method });
    expect(lines(gains)).toEqual(['8 A: 60.00 - 40.00 = 20.00 (section_104 8)']);
    expect(gains.disposals.map(formatPool)).toEqual(['12 = 60.00']);
  });

  test('of one listing name it once, and their charges are summed', () => {
    const charges = [{ name: 'FEE', amount: new Big(1), currency: 'GBP' }];
    const rows = [
      buy('2024-01-02', 10, 100, { isin }),
      sell('2024-06-03T08:00:00Z', 2, 30, { isin, charges }),
      sell('2024-06-03T09:00:00Z', 2, 30, { isin, ticker: 'B', charges }),
      sell('2024-06-03T10:00:00Z', 1, 15, { isin, charges }),
    ];
    const gains = gainsOf(rows, { method });
    expect(lines(gains)).toEqual(['5 A + B: 75.00 - 50.00 = 25.00 (section_104 5)']);
    expect([gains.disposals[0]?.charges?.toFixed(), gains.disposals.map(formatPool)]).toEqual(['3', ['5 = 50.00']]);
  });

  test('come before the shares that leave otherwise on it', () => {
    const rows = [
      buy('2024-01-02', 10, 100),
      action('2024-06-03T08:00:00Z', 'FOP', -8),
      sell('2024-06-03T12:00:00Z', 10, 150),
    ];
    expect(lines(gainsOf(rows, { method }))).toEqual(['10 A: 150.00 - 100.00 = 50.00 (section_104 10)']);
  });
});

test('the pool after a sale does not change with later trades', () => {
  const rows = [held, sell('2024-06-03', 10, 20), buy('2024-08-03', 10, 90), sell('2024-10-03', 10, 20)];
  expect(gainsOf(rows, { method }).disposals.map(formatPool)).toEqual(['90 = 90.00', '90 = 162.00']);
  const unknown = [held, action('2024-02-02', 'FOP', 10, 0), sell('2024-06-03', 11, 20), buy('2024-06-03', 1, 2)];
  const blind = [...unknown, buy('2024-08-03', 10, 90)];
  expect(gainsOf(blind, { method }).disposals.map(formatPool)).toEqual(['100 = unknown']);
});

test('a day of sales that purchases cover takes nothing from the pool, also when capital is returned on it', () => {
  const rows = [
    held,
    sell('2024-06-03T08:00:00Z', 5, 20),
    buy('2024-06-03T09:00:00Z', 5, 10),
    action('2024-06-03T10:00:00Z', 'CAPITAL_RETURNED', 0, -40),
  ];
  const gains = gainsOf(rows, { method });
  expect(lines(gains)).toEqual(['5 A: 20.00 - 10.00 = 10.00 (same_day 5)']);
  expect([gains.disposals[0]?.matches.length, leftLines(gains)]).toEqual([1, ['A 100: 60.00']]);
});

test('without movements nothing is matched and nothing is left', () => {
  expect(matchSection104([])).toEqual({
    sales: [],
    costChanges: [],
    carried: new Map(),
    left: { units: 0n, cost: 0n, unknown: 0n },
    removedCost: 0n,
    missingRemoved: 0n,
  });
});
