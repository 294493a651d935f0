/**
 * Examples that others published with their results: HMRC's helpsheet HS284 and manuals, and the examples of the open
 * source calculators cgtcalc, investir and cgt-calc. The figures are theirs. HMRC and cgtcalc publish pounds.
 */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { Dividend } from '../../../src/core/endpoints/index.ts';
import { parseTaxYear } from '../../../src/core/text/dates.ts';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { applyTaxRecords } from '../../../src/features/gains/apply-records.ts';
import { noTaxRecords } from '../../../src/features/gains/cost-entries.ts';
import { computeTaxReturnTotals } from '../../../src/features/gains/sa108.ts';
import { action, at, buy, gainsOf, leftLines, lines, sell, split } from './trades.ts';

const method = 'uk_section_104';
const uk = (trades: readonly Trade[]) => gainsOf(trades, { method });

/** The gain of each disposal in full pounds, rounded down, and its rules. */
const inPounds = (trades: readonly Trade[]) =>
  uk(trades).disposals.map(({ gain, matches }) => [
    Math.floor(Number(gain)),
    ...matches.map(({ rule, quantity }) => `${rule} ${quantity.toFixed()}`),
  ]);

describe('HMRC', () => {
  test('HS284, example 2: a part is bought back within 30 days', () => {
    // The example leaves the cost of the 9,500 open; here they are 2.00 each.
    const gains = uk([buy('2020-03-02', 9500, 19_000), sell('2020-08-30', 4000, 6000), buy('2020-09-11', 500, 850)]);
    // 500 of them cost 850, a loss of 100 on 750; the other 3,500 cost 7,000.
    expect(lines(gains)).toEqual(['4000 A: 6000.00 - 7850.00 = -1850.00 (thirty_day 500, section_104 3500)']);
    expect(gains.disposals[0]?.matches.map(({ cost, acquiredAt }) => [Number(cost), acquiredAt])).toEqual([
      [850, at('2020-09-11')],
      [7000, undefined],
    ]);
    expect(leftLines(gains)).toEqual(['A 6000: 12000.00']);
  });

  test('HS284, example 3: two disposals from one pool', () => {
    const gains = uk([
      // 1,000 at 400p and 150 of costs; 500 at 410p and 80 of costs.
      buy('2015-04-01', 1000, 4150),
      buy('2018-09-01', 500, 2130),
      // 480p less 100; 520p less 105.
      sell('2023-05-01', 700, 3260),
      sell('2024-02-01', 400, 1975),
    ]);
    expect(lines(gains)).toEqual([
      '700 A: 3260.00 - 2930.67 = 329.33 (section_104 700)',
      '400 A: 1975.00 - 1674.67 = 300.33 (section_104 400)',
    ]);
    expect(leftLines(gains)).toEqual(['A 400: 1674.67']);
    expect(gains.totals.gain.toFixed(2)).toBe('629.67');
  });

  test('CG51590, example 1: a bed and breakfast, then a part of the pool', () => {
    const gains = uk([
      buy('2006-04-15', 1000, 1300),
      buy('2006-08-04', 1000, 1450),
      buy('2007-01-19', 500, 950),
      sell('2010-03-16', 2000, 6850),
      buy('2010-04-07', 2000, 6790),
      sell('2010-12-10', 2200, 7700),
    ]);
    expect(lines(gains)).toEqual([
      '2000 A: 6850.00 - 6790.00 = 60.00 (thirty_day 2000)',
      '2200 A: 7700.00 - 3256.00 = 4444.00 (section_104 2200)',
    ]);
    expect(leftLines(gains)).toEqual(['A 300: 444.00']);
  });

  test('CG51590, examples 2 and 4: rights issues join the pool', () => {
    const one = uk([
      buy('2008-08-17', 10_000, 2500),
      buy('2009-04-01', 10_000, 2600),
      action('2009-10-08', 'EQUITY_RIGHTS', 4000, 1060),
      sell('2012-12-10', 7500, 3000),
    ]);
    expect(lines(one)).toEqual(['7500 A: 3000.00 - 1925.00 = 1075.00 (section_104 7500)']);
    const two = uk([
      buy('1997-09-24', 15_000, 6750),
      action('2001-01-30', 'EQUITY_RIGHTS', 9000, 3600),
      buy('2004-06-14', 12_000, 13_800),
      action('2005-11-26', 'EQUITY_RIGHTS', 9000, 9450),
      sell('2010-02-23', 20_000, 39_000),
    ]);
    // HMRC rounds the cost to 14,934, in favour of the taxpayer.
    expect(lines(two)).toEqual(['20000 A: 39000.00 - 14933.33 = 24066.67 (section_104 20000)']);
    expect(leftLines(two)).toEqual(['A 25000: 18666.67']);
  });

  test.each([
    ['example 1: on the thirtieth day', 1000, '2011-07-01', 1000, '2011-07-31', 1000, ['thirty_day 1000']],
    ['example 2: a part', 2500, '2012-03-27', 1700, '2012-03-30', 500, ['thirty_day 500', 'section_104 1200']],
    ['example 3: on the thirty-first day', 10_000, '2009-02-28', 2000, '2009-03-31', 3000, ['section_104 2000']],
  ])('CG51560, %s', (_, held, soldOn, sold, boughtOn, bought, rules) => {
    const [disposal] = inPounds([
      buy('2005-01-04', held, held),
      sell(soldOn, sold, sold),
      buy(boughtOn, bought, bought),
    ]);
    expect(disposal?.slice(1)).toEqual(rules);
  });

  test('OFM27600: seven years of accumulated income of an offshore fund are a cost', () => {
    const fund = { isin: 'GG00B0000000', valueCurrency: 'GBP' };
    // The example sells on the last day of a period and still has its income; here it is the day after.
    const trades = [buy('2010-05-01', 10_000, 25_000, fund), sell('2017-01-01', 10_000, 45_000, fund)];
    const reportableIncome = [630, 960, 1080, 1260, 1320, 1830, 1980].map((amount, index) => ({
      isin: fund.isin,
      periodEnd: `${2010 + index}-12-31`,
      amountPerShare: new Big(amount).div(10_000),
      currency: 'GBP',
    }));
    const applied = applyTaxRecords(trades, [], { ...noTaxRecords, reportableIncome }, method);
    expect(lines(uk(applied.trades))).toEqual(['10000 A: 45000.00 - 34060.00 = 10940.00 (section_104 10000)']);
    expect(applied.income.at(-1)).toMatchObject({ taxedOn: '2017-06-30' });
  });
});

/** A price and the charges of one deal. */
const paid = (quantity: number, price: number, charges: number) =>
  new Big(price).times(quantity).plus(charges).toFixed();
const got = (quantity: number, price: number, charges: number) => paid(quantity, price, -charges);

describe('cgtcalc', () => {
  test('MultipleMatches: each rule once', () => {
    const [bought, sold] = [paid(10, 4.1565, 12.5), got(10, 4.6702, 12.5)];
    expect(
      inPounds([
        buy('2018-08-28', 10, bought),
        sell('2018-08-28', 10, sold),
        sell('2019-08-28', 10, sold),
        buy('2019-09-20', 10, bought),
        buy('2020-08-28', 10, bought),
        sell('2020-10-28', 10, sold),
      ]),
    ).toEqual([
      [-20, 'same_day 10'],
      [-20, 'thirty_day 10'],
      [-20, 'section_104 10'],
    ]);
  });

  test('SameDayMergeInterleaved: the sales of a day are one disposal', () => {
    const trades = [
      buy('2018-08-28', 10, paid(10, 5, 12.5)),
      sell('2018-10-28', 10, got(10, 9, 2)),
      buy('2018-08-28', 10, paid(10, 10, 2)),
      sell('2018-10-28', 10, got(10, 7, 12.5)),
      buy('2018-08-28', 10, paid(10, 8, 2)),
    ];
    expect(inPounds(trades)).toEqual([[-19, 'section_104 20']]);
  });

  const held = buy('2019-01-01', 20, 200);

  test.each([
    ['WithSplitS104', [held, split('2019-02-01', 20), sell('2019-04-01', 40, 240)], 'section_104 40'],
    ['WithUnsplitS104', [held, split('2019-02-01', -10), sell('2019-04-01', 10, 240)], 'section_104 10'],
  ] as const)('%s: the pool after a split', (_, trades, rule) => {
    expect(inPounds(trades)).toEqual([[40, rule]]);
  });

  test.each([
    ['WithSplitBB', 20, 20],
    ['WithUnsplitBB', -10, 5],
  ])('%s: a split between a sale and its second purchase within 30 days', (_, added, bought) => {
    const trades = [
      held,
      sell('2019-02-01', 20, 240),
      buy('2019-02-10', 10, 100),
      split('2019-02-15', added === 20 ? 10 : -5),
      buy('2019-02-20', bought, 100),
    ];
    expect(inPounds(trades)).toEqual([[40, 'thirty_day 10', 'thirty_day 10']]);
  });

  test('BuySellAllBuyAgainCapitalReturn: accumulated income and returned capital change the cost', () => {
    const fund = { isin: 'GB00B3TYHH97', valueCurrency: 'GBP' };
    const trades = [
      buy('2018-01-01', 50, paid(50, 184.65, 12.5), fund),
      buy('2019-01-01', 50, paid(50, 181.56, 2), fund),
      sell('2019-02-01', 100, got(100, 194.22, 12.5), fund),
      buy('2019-04-01', 40, paid(40, 196.89, 2), fund),
      sell('2019-06-01', 40, got(40, 197.12, 12.5), fund),
    ];
    const returned = {
      ticker: 'A',
      type: 'RETURN_OF_CAPITAL',
      paidOn: '2019-05-31T12:00:00Z',
      amount: '149.75',
      currency: 'GBP',
    };
    const income = { isin: fund.isin, periodEnd: '2019-05-31', amountPerShare: new Big('3.756'), currency: 'GBP' };
    const records = { ...noTaxRecords, reportableIncome: [income] };
    const { trades: rows } = applyTaxRecords(trades, [returned as Dividend], records, method);
    expect(inPounds(rows).map(([gain]) => gain)).toEqual([1084, -6]);
    // 40 at 196.95225.
    expect(uk(rows).disposals[1]?.cost.toFixed(2)).toBe('7878.09');
  });
});

describe('investir', () => {
  /** Its amounts are after charges, as those of the service. */
  const deal = (side: typeof buy, when: string, ticker: string, quantity: string, amount: string, charges: string) =>
    side(when, quantity, amount, { ticker, charges: [{ name: 'FEES', amount: new Big(charges), currency: 'GBP' }] });
  const trades = [
    deal(buy, '2021-04-07', 'AAPL', '20.13713692', '1940.99', '4.76'),
    deal(buy, '2021-06-05', 'AAPL', '9.09199546', '998.48', '4.47'),
    deal(buy, '2021-06-11', 'MSFT', '15.00246544', '2715.44', '12.20'),
    deal(buy, '2021-08-12', 'SWKS', '11.21263989', '1497.76', '6.71'),
    deal(sell, '2021-08-25', 'MSFT', '13.00246544', '2939.35', '13.13'),
    deal(buy, '2021-08-26', 'SMT', '176', '2386.66', '11.90'),
    deal(sell, '2021-09-01', 'SWKS', '1.245848877', '152.47', '0.74'),
    deal(sell, '2021-09-13', 'SMT', '88', '1228.97', '0'),
    deal(buy, '2021-09-13', 'SMT', '34', '443.65', '0.78'),
    deal(buy, '2021-09-26', 'SMT', '40', '482.67', '0.56'),
    deal(sell, '2021-11-02', 'AAPL', '26.22913238', '3643.81', '9.54'),
    deal(sell, '2022-01-27', 'SWKS', '1.245848877', '177.34', '0.79'),
    deal(buy, '2022-04-10', 'PYPL', '4.13171759', '249.59', '1.46'),
    deal(buy, '2022-05-12', 'MSFT', '2.95081184', '843.26', '4.95'),
    deal(buy, '2022-07-09', 'AMZN', '48.31896981', '3464.02', '20.36'),
    deal(sell, '2022-09-20', 'AMZN', '48.31896981', '4912.43', '29.10'),
    deal(buy, '2022-09-28', 'SWKS', '3.97500146', '499.95', '2.94'),
    deal(sell, '2022-10-14', 'MSFT', '1.32642', '317.88', '1.88'),
    deal(sell, '2022-12-16', 'SWKS', '8.3', '973.95', '5.74'),
    deal(sell, '2023-03-03', 'SWKS', '2.1', '311.13', '1.82'),
  ].sort(compareExecution);

  // It counts the matches of a disposal as disposals; the form counts one for a day.
  test.each([
    ['2021/22', 5, 7, '8166.14', '6464.42', '1715.67', '-13.95'],
    ['2022/23', 4, 4, '6553.93', '5189.27', '1484.16', '-119.50'],
  ])('the figures of form SA108 for %s', (year, disposals, matches, proceeds, allowableCosts, gains, losses) => {
    const { disposals: rows } = gainsOf(trades, { method, ...parseTaxYear(year) });
    const totals = computeTaxReturnTotals(rows);
    expect(rows.flatMap((row) => row.matches)).toHaveLength(matches);
    expect([totals?.disposals, totals?.proceeds.toFixed(2), totals?.allowableCosts.toFixed(2)]).toEqual([
      disposals,
      proceeds,
      allowableCosts,
    ]);
    expect([totals?.gains.toFixed(2), totals?.losses.toFixed(2)]).toEqual([gains, losses]);
  });
});

test('cgt-calc, raw example of 2023-24: a same-day purchase, and the pool for the rest', () => {
  const gains = uk([
    buy('2023-05-01', 500, 50_550),
    sell('2023-06-25', 30, 2999),
    buy('2023-06-30', 50, 4950),
    sell('2023-06-30', 100, 9999),
  ]);
  expect(lines(gains)).toEqual([
    '30 A: 2999.00 - 3033.00 = -34.00 (section_104 30)',
    '100 A: 9999.00 - 10005.00 = -6.00 (same_day 50, section_104 50)',
  ]);
  expect(gains.disposals.map(({ poolAfter }) => [Number(poolAfter?.quantity), Number(poolAfter?.cost)])).toEqual([
    [470, 47_517],
    [420, 42_462],
  ]);
});
