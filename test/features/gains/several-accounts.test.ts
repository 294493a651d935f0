/** The shares of several taxable accounts of one person, which the UK rules match together (TCGA 1992 s 104 to 106A). */
import { describe, expect, test } from 'vitest';
import { getListing } from '../../../src/features/analytics/trades.ts';
import { formatPool } from '../../../src/features/gains/format-gains.ts';
import { action, at, buy, gainsOf, leftLines, lines, sell, split } from './trades.ts';

const method = 'uk_section_104';
const one = { account: 'one' };
const two = { account: 'two' };

describe('one pool of all accounts', () => {
  test('a sale in one account has the average cost of the shares in both', () => {
    const gains = gainsOf(
      [buy('2024-01-02', 10, 100, one), buy('2024-01-03', 30, 700, two), sell('2024-06-03', 8, 200, one)],
      { method },
    );
    // 800 for 40 shares: 20 each.
    expect(lines(gains)).toEqual(['8 A: 200.00 - 160.00 = 40.00 (section_104 8)']);
    expect(gains.disposals.map((row) => [row.account, formatPool(row)])).toEqual([['one', '32 = 640.00']]);
    expect(leftLines(gains)).toEqual(['A 32: 640.00']);
  });

  test.each([
    ['the same day', '2024-06-03T15:00:00Z', 'same_day'],
    ['the 30th day after it', '2024-07-03', 'thirty_day'],
    ['the 31st day after it', '2024-07-04', 'section_104'],
  ])('a purchase in the other account on %s is matched by %s', (_, bought, rule) => {
    const trades = [buy('2024-01-02', 10, 100, one), sell('2024-06-03', 5, 80, one), buy(bought, 5, 75, two)];
    const cost = rule === 'section_104' ? '50.00 = 30.00' : '75.00 = 5.00';
    expect(lines(gainsOf(trades, { method }))).toEqual([`5 A: 80.00 - ${cost} (${rule} 5)`]);
  });

  test('sales of one day in two accounts are one disposal (s 105), with the names of both', () => {
    const trades = [buy('2024-01-02', 10, 100, one), buy('2024-01-02', 10, 300, two)];
    const sales = [sell('2024-06-03T09:00:00Z', 2, 50, two), sell('2024-06-03T10:00:00Z', 3, 60, one)];
    const gains = gainsOf([...trades, ...sales], { method });
    expect(lines(gains)).toEqual(['5 A: 110.00 - 100.00 = 10.00 (section_104 5)']);
    expect(gains.disposals.map(({ account }) => account)).toEqual(['two + one']);
  });

  test('more than was held in both is in no figure, and names the account', () => {
    const trades = [buy('2024-01-02', 4, 40, two), sell('2024-06-03', 6, 90, one)];
    const { unmatched } = gainsOf(trades, { method });
    expect(unmatched.map(({ account, reason, quantity }) => [account, reason, quantity.toFixed()])).toEqual([
      ['one', 'not_held', '2'],
    ]);
  });
});

describe('corporate actions of both accounts', () => {
  test.each([
    ['at one moment', '2024-03-04', '2024-03-04'],
    ['a day apart', '2024-03-04', '2024-03-05'],
  ])('a split that both book %s is one split', (_, first, second) => {
    const trades = [buy('2024-01-02', 10, 100, one), buy('2024-01-02', 5, 200, two)];
    const splits = [split(first, 10, one), split(second, 5, two)];
    const gains = gainsOf([...trades, ...splits, sell('2024-06-03', 6, 90, two)], { method });
    // 300 for 30 shares.
    expect(lines(gains)).toEqual(['6 A: 90.00 - 60.00 = 30.00 (section_104 6)']);
    expect(leftLines(gains)).toEqual(['A 24: 240.00']);
  });

  test.each([
    ['at one moment', '2024-03-04'],
    ['a day apart', '2024-03-05'],
  ])('shares that both exchange %s for others take their part of the pool along', (_, second) => {
    const exchange = (when: string, count: number, where: object) => [
      action(when, 'STOCK_ACQUISITION', count, 0, { ticker: 'A', side: 'SELL', ...where }),
      action(when, 'STOCK_ACQUISITION', count * 2, 0, { ticker: 'B', ...where }),
    ];
    const gains = gainsOf(
      [
        ...[buy('2024-01-02', 10, 100, one), buy('2024-01-02', 5, 200, two)],
        ...[...exchange('2024-03-04', 10, one), ...exchange(second, 5, two)],
        sell('2024-06-03', 6, 90, { ticker: 'B', ...two }),
      ],
      { method },
    );
    expect(lines(gains)).toEqual(['6 B: 90.00 - 60.00 = 30.00 (section_104 6)']);
  });

  test.each([
    ['at one moment', '2024-03-04'],
    ['a day apart', '2024-03-05'],
  ])('a new ticker with half as many shares, which both get %s, changes the unit once', (_, second) => {
    const renamed = (when: string, count: number, where: object) => [
      action(when, 'STOCK_ACQUISITION', count, 0, { ticker: 'A', isin: 'I', side: 'SELL', ...where }),
      action(when, 'STOCK_ACQUISITION', count / 2, 0, { ticker: 'B', isin: 'I', ...where }),
    ];
    const gains = gainsOf(
      [
        ...[buy('2024-01-02', 10, 100, { isin: 'I', ...one }), buy('2024-01-02', 6, 220, { isin: 'I', ...two })],
        ...[...renamed('2024-03-04', 10, one), ...renamed(second, 6, two)],
        sell('2024-06-03', 3, 150, { ticker: 'B', isin: 'I', ...two }),
      ],
      { method },
    );
    // 320 for 8 new shares.
    expect(lines(gains)).toEqual(['3 B: 150.00 - 120.00 = 30.00 (section_104 3)']);
  });
});

test('the check against the broker compares each account with its own average cost', () => {
  const trades = [
    ...[buy('2024-01-02', 10, 100, one), buy('2024-01-02', 10, 300, two)],
    sell('2024-06-03', 5, 80, { realised: 30, ...one }),
  ];
  const check = (rows: typeof trades) => gainsOf(rows, { method }).checks.map(({ holds }) => holds);
  expect(check(trades)).toEqual([true]);
  expect(check(trades.map((trade) => ({ ...trade, account: undefined })))).toEqual([false]);
});

test('a ticker in two accounts is two listings, and one where no account is named', () => {
  const [first, second, third] = [buy('2024-01-02', 1, 1, one), buy('2024-01-02', 1, 1, two), buy('2024-01-02', 1, 1)];
  expect(first?.at).toBe(at('2024-01-02'));
  expect([first, second, third].map(getListing)).toEqual(['one A', 'two A', 'A']);
});
