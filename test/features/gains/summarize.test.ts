/** Which rows are in a range, and what is said of all holdings. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { listPaperTimes, summarizeRealisedGains } from '../../../src/features/gains/summarize.ts';
import { action, at, buy, gainsOf, leftLines, lines, methods, sell, split } from './trades.ts';

describe('the range, whose begin is in it and whose end is not', () => {
  const since = at('2024-06-01T00:00:00Z');
  const until = at('2024-07-01T00:00:00Z');
  const inRange = (when: string) => ({ when, counts: at(when) >= since && at(when) < until });
  const moments = [
    '2024-05-31T23:59:59.999Z',
    '2024-06-01T00:00:00.000Z',
    '2024-06-30T23:59:59.999Z',
    '2024-07-01T00:00:00.000Z',
  ].map(inRange);

  test('has these moments', () => {
    expect(moments.map(({ counts }) => counts)).toEqual([false, true, true, false]);
  });

  test.each(moments)('of a sale at $when: $counts', ({ when, counts }) => {
    const rows = [buy('2024-01-02', 10, 100), sell(when, 5, 75)];
    expect(gainsOf(rows, { method: 'fifo', since, until }).totals.disposals).toBe(counts ? 1 : 0);
  });

  test.each(moments)('of a sale without a value at $when: $counts', ({ when, counts }) => {
    const { unmatched } = gainsOf([buy('2024-01-02', 10, 100), sell(when, 5, undefined)], {
      method: 'fifo',
      since,
      until,
    });
    expect(unmatched.map(({ reason }) => reason)).toEqual(counts ? ['no_value_of_sale'] : []);
  });

  test.each(moments)('of a sale of shares that were not held at $when: $counts', ({ when, counts }) => {
    const { unmatched } = gainsOf([sell(when, 5, 75)], { method: 'fifo', since, until });
    expect(unmatched.map(({ reason }) => reason)).toEqual(counts ? ['not_held'] : []);
  });

  test.each([
    ['2023-05-31', true],
    ['2024-06-30T23:59:59.999Z', true],
    ['2024-07-01T00:00:00.000Z', false],
  ])('of a purchase without a value at %s, which later sales can need: %s', (when, counts) => {
    const rows = [buy(when, 5, undefined)];
    const reasons = (method: 'fifo' | 'broker') =>
      gainsOf(rows, { method, since, until }).unmatched.map(({ reason }) => reason);
    expect(reasons('fifo')).toEqual(counts ? ['no_value_of_purchase'] : []);
    // The broker's own results need no purchase.
    expect(reasons('broker')).toEqual([]);
  });

  test.each([
    ['2024-06-30T23:59:59.999Z', 1],
    ['2024-07-01T00:00:00.000Z', 0],
    ['2023-01-01', 1],
  ])('of the remark on an action at %s', (when, count) => {
    const rows = [action(when, 'STOCK_DIVIDENDS', 5)];
    expect(gainsOf(rows, { method: 'fifo', since, until }).remarks).toHaveLength(count);
  });
});

test('one ticker has its own sales, its own trades without a figure and its own remarks', () => {
  const rows = ['A', 'B'].flatMap((ticker) => [
    buy('2024-01-02', 10, 100, { ticker }),
    sell('2024-02-02', 4, 60, { ticker }),
    sell('2024-03-02', 1, undefined, { ticker }),
    action('2024-04-02', 'STOCK_DIVIDENDS', 1, undefined, { ticker }),
  ]);
  const gains = gainsOf(rows, { method: 'fifo', ticker: 'B' });
  expect(gains.disposals.map(({ ticker }) => ticker)).toEqual(['B']);
  expect(gains.unmatched.map(({ ticker }) => ticker)).toEqual(['B']);
  expect(gains.left.map(({ tickers }) => tickers)).toEqual([['B']]);
  expect(gains.remarks.map((remark) => remark.slice(0, 2))).toEqual(['B ', 'Th']);
});

test('disposals and trades without a figure are the oldest first, and the sums in the order of the tickers', () => {
  const rows = [
    ...['B', 'A', 'C'].map((ticker) => buy('2024-01-02', 10, 100, { ticker })),
    sell('2024-02-04', 1, 20, { ticker: 'A' }),
    sell('2024-02-02', 1, 20, { ticker: 'C' }),
    sell('2024-02-03', 1, 20, { ticker: 'B' }),
    sell('2024-03-04', 1, undefined, { ticker: 'A' }),
    sell('2024-03-02', 1, undefined, { ticker: 'C' }),
    sell('2024-03-03', 1, undefined, { ticker: 'B' }),
  ];
  const gains = gainsOf(rows, { method: 'fifo' });
  expect(gains.disposals.map(({ ticker }) => ticker)).toEqual(['C', 'B', 'A']);
  expect(gains.unmatched.map(({ ticker }) => ticker)).toEqual(['C', 'B', 'A']);
  expect(gains.byTicker.map(({ ticker }) => ticker)).toEqual(['A', 'B', 'C']);
});

test('a sale for its cost is neither a gain nor a loss', () => {
  const { totals } = gainsOf([buy('2024-01-02', 10, 100), sell('2024-02-02', 5, 50)], { method: 'fifo' });
  expect([totals.disposals, totals.gain, totals.gains, totals.losses].map(Number)).toEqual([1, 0, 0, 0]);
});

test('without a disposal the totals are zero, and of no currency', () => {
  const gains = gainsOf([], { method: 'fifo' });
  expect(gains.totalsByCurrency).toEqual([]);
  expect([gains.totals.disposals, gains.totals.gain].map(Number)).toEqual([0, 0]);
  const held = gainsOf([buy('2024-01-02', 1, 9, { valueCurrency: 'GBP' })], { method: 'fifo' });
  expect(held.totalsByCurrency.map(({ currency, disposals }) => [currency, disposals])).toEqual([['GBP', 0]]);
});

test('a currency in which nothing was sold has no row beside one in which something was', () => {
  const dollars = { ticker: 'B', valueCurrency: 'USD' };
  const gains = gainsOf(
    [
      buy('2024-01-02', 1, 9, { valueCurrency: 'GBP' }),
      buy('2024-01-02', 1, 9, dollars),
      sell('2024-02-02', 1, 10, dollars),
    ],
    { method: 'fifo' },
  );
  expect(gains.totalsByCurrency.map(({ currency, disposals }) => [currency, disposals])).toEqual([['USD', 1]]);
});

test('a sale without a currency is not added to those of a currency, unless it is of nothing for nothing', () => {
  const rows = [
    buy('2024-01-02', 1, 9, { ticker: 'B', valueCurrency: 'USD' }),
    sell('2024-02-02', 1, 10, { ticker: 'B', valueCurrency: 'USD' }),
    buy('2024-01-02', 1, 9),
    sell('2024-02-02', 1, 9),
  ];
  const { totals, totalsByCurrency } = summarizeRealisedGains(rows, { method: 'fifo' });
  expect(totals).toBeUndefined();
  expect(totalsByCurrency.map(({ currency, disposals }) => [currency, disposals])).toEqual([
    ['USD', 1],
    [undefined, 1],
  ]);
});

test('the broker’s sales of one ticker in two currencies are apart', () => {
  const rows = [
    sell('2024-02-02', 1, 20, { realised: 5, valueCurrency: 'GBP' }),
    sell('2024-03-02', 1, 30, { realised: 7, valueCurrency: 'USD' }),
  ];
  const { totalsByCurrency, unmatched, remarks } = summarizeRealisedGains(rows, { method: 'broker' });
  expect([unmatched, totalsByCurrency.map(({ currency, gain }) => [currency, Number(gain)])]).toEqual([
    [],
    [
      ['GBP', 5],
      ['USD', 7],
    ],
  ]);
  expect(remarks).toHaveLength(1);
});

test('a sale of shares that were bought in another currency is listed with its quantity and its proceeds', () => {
  const rows = [
    buy('2024-01-02', 5, 50, { valueCurrency: 'GBP' }),
    split('2024-02-02', 5),
    sell('2024-03-02', 4, 60, { valueCurrency: 'USD' }),
  ];
  const gains = summarizeRealisedGains(rows, { method: 'fifo' });
  expect(gains.unmatched).toEqual([
    {
      at: at('2024-03-02'),
      ticker: 'A',
      side: 'SELL',
      quantity: new Big(4),
      proceeds: new Big(60),
      reason: 'several_currencies',
    },
  ]);
  expect([gains.disposals, gains.checks]).toEqual([[], []]);
  expect(gains.totalsByCurrency.map(({ currency, disposals }) => [currency, disposals])).toEqual([[undefined, 0]]);
  expect(gains.remarks.join()).toContain('The gains were not checked against the broker’s own results');
});

test.each([
  [10, ''],
  [11, ' and 1 more'],
])('of %i tickers without a check ten are named, in order', (count, more) => {
  const rows = Array.from({ length: count }, (_, n) =>
    sell('2024-02-02', 1, 9, { ticker: String.fromCharCode(90 - n) }),
  );
  const sorted = rows.map(({ ticker }) => ticker).sort();
  expect(gainsOf(rows, { method: 'fifo' }).remarks).toEqual([
    `The gains were not checked against the broker’s own results, because not all trades can be matched by average cost: ${sorted.slice(0, 10).join(', ')}${more}.`,
  ]);
});

test('a ticker with two ISINs is named only where it is one of those asked for, and not of the broker’s results', () => {
  const rows = [
    buy('2024-01-02', 1, 9, { isin: 'GB1' }),
    buy('2024-02-02', 1, 9, { isin: 'GB2' }),
    buy('2024-02-02', 1, 9, { ticker: 'B' }),
  ];
  const remark = 'A: it has had more than one ISIN, and is treated as a single class of shares.';
  expect(gainsOf(rows, { method: 'fifo' }).remarks).toEqual([remark]);
  expect(gainsOf(rows, { method: 'fifo', ticker: 'A' }).remarks).toEqual([remark]);
  expect(gainsOf(rows, { method: 'fifo', ticker: 'B' }).remarks).toEqual([]);
  expect(gainsOf(rows, { method: 'broker' }).remarks).toEqual([]);
});

test('shares of a take-over came where a row of one brought some', () => {
  const type = 'CASH_AND_STOCK_ACQUISITION';
  const rows = [
    action('2024-01-01', type, 4, 0),
    action('2024-01-02', type, 0, 9),
    action('2024-01-03', type, -4, 9),
    sell('2024-01-04', 4, 9, { type }),
    action('2024-01-05', 'SPIN_OFF', 4, 0),
    action('2024-01-06', 'STOCK_ACQUISITION', 4, 0),
  ];
  expect(listPaperTimes(rows)).toEqual([at('2024-01-01'), at('2024-01-06')]);
});

describe('shares that left for cash', () => {
  const type = 'CASH_AND_STOCK_ACQUISITION';
  const week = 7 * 86_400_000;
  const when = '2024-06-10T12:00:00Z';
  const out = sell(when, 10, 120, { type, realised: 20 });
  const paper = (offset: number, quantity = 4) =>
    action(new Date(at(when) + offset).toISOString(), type, quantity, 0, { ticker: 'B' });

  test.each([
    [week, 'apportionment_needed'],
    [week + 1, undefined],
    [-week, 'apportionment_needed'],
    [-week - 1, undefined],
  ])('and for shares that came %i ms later have an unknown gain: %s', (offset, reason) => {
    const rows = [buy('2022-01-10', 10, 100), out, paper(offset)];
    const { unmatched, disposals } = gainsOf(rows, { method: 'fifo', ticker: 'A' });
    expect(unmatched[0]?.reason).toBe(reason);
    expect(disposals).toHaveLength(reason ? 0 : 1);
  });

  test('and shares are in the broker’s results where it has one, and are otherwise in no figure', () => {
    const rows = [buy('2022-01-10', 10, 100), out, paper(0)];
    const own = gainsOf(rows, { method: 'broker' });
    expect([lines(own), own.unmatched]).toEqual([['10 A: 120.00 - 100.00 = 20.00 (broker 10)'], []]);
    const without = [buy('2022-01-10', 10, 100), { ...out, realisedProfitLoss: undefined }, paper(0)];
    const gains = gainsOf(without, { method: 'broker' });
    expect([gains.disposals, gains.unmatched.map(({ reason }) => reason)]).toEqual([[], ['apportionment_needed']]);
  });

  test('and shares leave the holding by each method', () => {
    for (const method of methods)
      expect(leftLines(gainsOf([buy('2022-01-10', 10, 100), out, paper(0)], { method }))[0]).toBe('A 0: 0.00');
  });
});

test('a payment of capital that can be a part disposal is of the range in which it was paid, as a sale', () => {
  const rows = [buy('2022-01-10', 10, 100), action('2024-06-10', 'CAPITAL_DISTRIBUTED', 0, 45)];
  const listed = (range: object) =>
    gainsOf(rows, { method: 'fifo', ...range }).unmatched.map(({ reason, side }) => [reason, side]);
  expect(listed({})).toEqual([['capital_distribution', 'SELL']]);
  expect(listed({ since: at('2024-06-11') })).toEqual([]);
  expect(listed({ until: at('2024-06-10') })).toEqual([]);
});

test('of a holding in one currency that is whole nothing is said', () => {
  const pounds = { valueCurrency: 'GBP' };
  const rows = [buy('2024-01-02', 10, 100, pounds), sell('2024-02-02', 5, 75, { ...pounds, realised: 25 })];
  const gains = gainsOf(rows, { method: 'fifo' });
  expect([gains.remarks, gains.checks.map(({ holds }) => holds)]).toEqual([[], [true]]);
});

test('one listing of a class has its own trades without a figure alone', () => {
  const isin = 'IE0000000001';
  const rows = [
    buy('2024-01-02', 10, 100, { isin }),
    sell('2024-02-02', 1, undefined, { isin }),
    sell('2024-02-03', 1, undefined, { isin, ticker: 'B' }),
  ];
  expect(gainsOf(rows, { method: 'fifo', ticker: 'B' }).unmatched.map(({ ticker }) => ticker)).toEqual(['B']);
});
