/** Cases that gave a wrong figure once, with the figure that the rule gives. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { HistoricalOrder } from '../../../src/core/endpoints/index.ts';
import { type Trade, toTrades } from '../../../src/features/analytics/trades.ts';
import { formatPence } from '../../../src/features/gains/format-gains.ts';
import type { RealisedGains } from '../../../src/features/gains/gain-types.ts';
import { summarizeRealisedGains } from '../../../src/features/gains/summarize.ts';
import { action, at, buy, gainsOf, leftLines, lines, methods, sell, split } from './trades.ts';

const pence = (figure: Big | undefined) => figure && formatPence(figure);
const gainsOfAll = (trades: readonly Trade[]) => summarizeRealisedGains(trades, { method: 'fifo' });
const unmatchedSales = ({ unmatched }: RealisedGains) => unmatched.filter(({ side }) => side === 'SELL');

const row = (
  fillId: string | undefined,
  orderId: string | undefined,
  side: 'BUY' | 'SELL',
  quantity: string | undefined,
  netValue: string,
  filledAt = '2024-01-01T12:00:00Z',
): HistoricalOrder =>
  ({
    order: { id: orderId, ticker: 'A', side },
    fill: { id: fillId, filledAt, quantity, walletImpact: { netValue } },
  }) as unknown as HistoricalOrder;

describe('rows of one second', () => {
  test.each(methods)('follow the ids of their fills, by %s', (method) => {
    // Newest first, as the pages come; 9 is before 10.
    const rows = [row('10', '5', 'SELL', '-5', '170'), row('9', '6', 'BUY', '5', '150')];
    for (const order of [rows, rows.toReversed()])
      expect(lines(gainsOf(toTrades(order), { method })).map((line) => line.split(' (')[0])).toEqual([
        '5 A: 170.00 - 150.00 = 20.00',
      ]);
  });

  test.each(methods)('follow the ids of their orders where fills have none, by %s', (method) => {
    const rows = [row(undefined, '51', 'SELL', '-5', '170'), row(undefined, '50', 'BUY', '5', '150')];
    expect(gainsOf(toTrades(rows), { method }).totals.gain.toFixed(2)).toBe('20.00');
  });

  test('give the right cost where shares were held before', () => {
    // 10 for 100 in 2018; 5 are sold for 150, 5 bought for 150 and 5 sold for 170 in one second. The average is
    // (100 − 50 + 150) / 10 = 20 a share at the last sale, so 170 − 100 = 70.
    const rows = [
      row('4', '4', 'SELL', '-5', '170'),
      row('3', '3', 'BUY', '5', '150'),
      row('2', '2', 'SELL', '-5', '150'),
      row('1', '1', 'BUY', '10', '100', '2018-01-01T12:00:00Z'),
    ];
    const { disposals } = gainsOf(toTrades(rows), { method: 'average' });
    expect(disposals.map(({ gain }) => gain.toFixed(2))).toEqual(['100.00', '70.00']);
  });
});

describe('a split that is booked as a close and an open', () => {
  const held = buy('2023-01-02', 10, 100);
  const close = action('2024-01-02T12:00:00Z', 'STOCK_SPLIT', 10, 120, { side: 'SELL' });
  const open = (when: string) => action(when, 'STOCK_SPLIT', 20, 120);
  const sale = sell('2024-06-03', 10, 70);

  test.each(methods)('is one split in either order, at most a second apart, by %s', (method) => {
    const later = '2024-01-02T12:00:01Z';
    const closeLater = action(later, 'STOCK_SPLIT', 10, 120, { side: 'SELL' });
    for (const pair of [
      [close, open(later)],
      [close, open('2024-01-02T12:00:00Z')],
      [open('2024-01-02T12:00:00Z'), closeLater],
    ]) {
      const gains = gainsOf([held, ...pair, sale], { method });
      // TCGA 1992 ss 126 and 127: 20 new shares stand in the place of 10, so 10 of them cost 50.
      expect(lines(gains).map((line) => line.split(' (')[0])).toEqual(['10 A: 70.00 - 50.00 = 20.00']);
      expect(gains.unmatched).toEqual([]);
      expect(gains.remarks).toEqual([]);
      expect(leftLines(gains)).toEqual(['A 10: 50.00']);
    }
  });

  test.each(methods)('a row with the change alone stays one split, by %s', (method) => {
    const gains = gainsOf([held, split('2024-01-02', 90), sell('2024-06-03', 90, 120)], { method });
    expect(gains.totals.cost.toFixed(2)).toBe('90.00');
  });
});

describe('shares that were transferred in', () => {
  test('are no purchase for the rules of 30 days and of the same day', () => {
    const gains = gainsOf([buy('2022-01-10', 10, 100), sell('2024-06-10', 5, 75), action('2024-06-20', 'FOP', 5, 45)], {
      method: 'uk_section_104',
    });
    expect(lines(gains)).toEqual(['5 A: 75.00 - 50.00 = 25.00 (section_104 5)']);
    expect(gains.remarks[0]).toMatch(/^A \(2024-06-20\): 5 shares were transferred in \(FOP\)/);
  });

  test('count from their purchase once their cost is known', () => {
    // The pool on 10 June: 10 for 100 and 5 for 45. 5 of 15 cost 145 / 3 = 48.33.
    const gains = gainsOf([buy('2022-01-10', 10, 100), sell('2024-06-10', 5, 75), action('2024-06-20', 'FOP', 5, 45)], {
      method: 'uk_section_104',
      costBasis: () => ({ acquiredAt: at('2021-03-01'), cost: new Big(45) }),
    });
    expect(lines(gains)).toEqual(['5 A: 75.00 - 48.33 = 26.67 (section_104 5)']);
    expect(gains.remarks).toEqual([]);
  });

  test.each(methods)('have no cost of 0: their sale is in no figure, by %s', (method) => {
    const gains = gainsOf([action('2022-01-10', 'FOP', 10, 0), sell('2024-06-10', 4, 40)], { method });
    expect(gains.disposals).toEqual([]);
    expect(
      unmatchedSales(gains).map(({ reason, quantity, proceeds }) => [reason, Number(quantity), Number(proceeds)]),
    ).toEqual([['original_cost_unknown', 4, 40]]);
  });

  test('are sold after older shares by FIFO, so that only their own part is unknown', () => {
    const gains = gainsOf(
      [buy('2022-01-10', 10, 100), action('2023-01-10', 'FOP', 10, 0), sell('2024-06-10', 15, 300)],
      { method: 'fifo' },
    );
    expect(lines(gains)).toEqual(['10 A: 200.00 - 100.00 = 100.00 (fifo 10)']);
    expect(
      unmatchedSales(gains).map(({ reason, quantity, proceeds }) => [reason, Number(quantity), Number(proceeds)]),
    ).toEqual([['original_cost_unknown', 5, 100]]);
  });

  test.each(['average', 'uk_section_104'] as const)('leave no average cost in a pool, by %s', (method) => {
    const gains = gainsOf(
      [buy('2022-01-10', 10, 100), action('2023-01-10', 'FOP', 10, 0), sell('2024-06-10', 5, 100)],
      { method },
    );
    expect(gains.disposals).toEqual([]);
    expect(unmatchedSales(gains).map(({ reason }) => reason)).toEqual(['original_cost_unknown']);
  });
});

test('shares of a rights issue join the pool and match no sale of the 30 days before', () => {
  // TCGA 1992 ss 127 and 128.
  const gains = gainsOf(
    [buy('2022-01-10', 10, 100), sell('2024-06-10', 5, 75), action('2024-06-20', 'EQUITY_RIGHTS', 2, 12)],
    { method: 'uk_section_104' },
  );
  expect(lines(gains)).toEqual(['5 A: 75.00 - 50.00 = 25.00 (section_104 5)']);
  expect(leftLines(gains)).toEqual(['A 7: 62.00']);
});

describe('a take-over', () => {
  const held = buy('2022-01-10', 10, 100);
  const forCash = action('2024-06-10', 'CASH_AND_STOCK_ACQUISITION', 10, 120, { side: 'SELL', realised: 20 });

  test.each([...methods, 'broker'] as const)('for cash is a disposal, by %s', (method) => {
    // TCGA 1992 s 22.
    expect(gainsOf([held, forCash], { method }).totals.gain.toFixed(2)).toBe('20.00');
  });

  test.each(methods)('for cash and shares needs a figure that the rows do not have, by %s', (method) => {
    const paper = action('2024-06-11', 'CASH_AND_STOCK_ACQUISITION', 4, 0, { ticker: 'B' });
    const gains = gainsOf([held, forCash, paper], { method });
    expect(gains.disposals).toEqual([]);
    expect(gains.unmatched.map(({ reason, ticker }) => [reason, ticker])).toEqual([
      ['apportionment_needed', 'A'],
      ['exchanged_cost_unknown', 'B'],
    ]);
  });

  test('for cash and shares has the broker’s own result', () => {
    const paper = action('2024-06-11', 'CASH_AND_STOCK_ACQUISITION', 4, 0, { ticker: 'B' });
    const { totals } = gainsOf([held, forCash, paper], { method: 'broker' });
    expect([totals.proceeds, totals.cost, totals.gain].map(Number)).toEqual([120, 100, 20]);
  });
});

describe('amounts of several currencies', () => {
  const inPounds = { valueCurrency: 'GBP' };
  const inDollars = { valueCurrency: 'USD', ticker: 'B' };
  test('are not added', () => {
    const gains = gainsOfAll([
      buy('2023-01-02', 1, 100, inPounds),
      sell('2024-01-02', 1, 148.41, inPounds),
      buy('2023-01-02', 1, 100, inDollars),
      sell('2024-01-02', 1, 141.32, inDollars),
    ]);
    expect(gains.totals).toBeUndefined();
    expect(gains.totalsByCurrency.map(({ currency, gain }) => [currency, gain.toFixed(2)])).toEqual([
      ['GBP', '48.41'],
      ['USD', '41.32'],
    ]);
  });

  test('of one holding match nothing', () => {
    const gains = gainsOfAll([
      buy('2023-01-02', 1, 100, inPounds),
      sell('2024-01-02', 1, 141.32, { valueCurrency: 'USD' }),
    ]);
    expect(gains.disposals).toEqual([]);
    expect(gains.unmatched.map(({ reason }) => reason)).toEqual(['several_currencies']);
  });
});

test('without the whole history nothing is checked and nothing is said about it', () => {
  const trades = [buy('2024-05-01', 10, 120), sell('2024-06-01', 10, 150, { realised: 40 })];
  const gains = gainsOf(trades, { method: 'broker', isWhole: false });
  expect(gains.totals.gain.toFixed(2)).toBe('40.00');
  expect(gains.checks).toEqual([]);
  expect(gains.remarks).toEqual([]);
});

test('a remark about the check names the tickers that could not be matched', () => {
  const trades = [
    buy('2024-01-02', 5, 50, { ticker: 'A', isin: 'GB0000000001' }),
    sell('2024-02-02', 5, 60, { ticker: 'B', isin: 'GB0000000001', realised: 10 }),
  ];
  const gains = gainsOf(trades, { method: 'uk_section_104' });
  expect(gains.unmatched).toEqual([]);
  expect(gains.remarks).toEqual([
    'The gains were not checked against the broker’s own results, because not all trades can be matched by average cost: A, B.',
  ]);
});

test('by FIFO, shares of one ISIN that were bought as one ticker can be sold as another', () => {
  const method = 'fifo';
  const isin = 'GB0000000001';
  const gains = gainsOf([buy('2023-01-02', 5, 50, { isin }), sell('2024-01-02', 5, 60, { ticker: 'B', isin })], {
    method,
  });
  expect(gains.totals.gain.toFixed(2)).toBe('10.00');
});

test('a fill without a quantity is in the list of what could not be matched', () => {
  const gains = gainsOf(toTrades([row('1', '1', 'SELL', undefined, '75')]), { method: 'fifo' });
  expect(gains.unmatched.map(({ reason, proceeds }) => [reason, Number(proceeds)])).toEqual([['no_quantity', 75]]);
});

test('a purchase for nothing is matched as a purchase and named', () => {
  const gains = gainsOf([buy('2024-01-02', 1, 0), sell('2024-01-02T15:00:00Z', 1, 5)], { method: 'uk_section_104' });
  expect(lines(gains)).toEqual(['1 A: 5.00 - 0.00 = 5.00 (same_day 1)']);
  expect(gains.remarks).toEqual(['A (2024-01-02): 1 share bought for 0.00 count as a purchase at no cost.']);
});

test('figures are rounded once, from the exact figure', () => {
  // 1/3 of 0.075 is 0.025, which is 0.03; 0.024999989 is 0.02.
  const gains = gainsOf([buy('2023-01-02', 3, '0.075'), sell('2024-01-02', 1, '0.024999989')], { method: 'fifo' });
  expect(pence(gains.disposals[0]?.cost)).toBe('0.03');
  expect(pence(gains.disposals[0]?.proceeds)).toBe('0.02');
});
