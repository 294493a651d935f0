/** UK share identification, worked out by hand. */
import { describe, expect, test } from 'vitest';
import { action, at, buy, gainsOf, leftLines, lines, sell, split } from './trades.ts';

const method = 'uk_section_104';

test('a sale that is bought back completely leaves the pool unchanged', () => {
  const gains = gainsOf(
    [buy('2022-07-05', 1000, 10_000), sell('2022-12-02', 1000, 2000), buy('2022-12-10', 1000, 1900)],
    {
      method,
    },
  );
  expect(lines(gains)).toEqual(['1000 A: 2000.00 - 1900.00 = 100.00 (thirty_day 1000)']);
  expect(leftLines(gains)).toEqual(['A 1000: 10000.00']);
});

describe('a disposal and a purchase on the same day', () => {
  const held = buy('2024-01-02', 100, 100);
  const expected = ['30 A: 60.00 - 60.00 = 0.00 (same_day 20, section_104 10)'];

  test('are matched first, in either order', () => {
    // 20 that cost 50, and 10 of the pool at 1.00.
    for (const [sold, bought] of [
      ['09', '15'],
      ['15', '09'],
    ]) {
      const trades = [held, sell(`2024-06-03T${sold}:00:00Z`, 30, 60), buy(`2024-06-03T${bought}:00:00Z`, 20, 50)];
      expect(lines(gainsOf(trades, { method }))).toEqual(expected);
    }
  });

  test('count as one disposal and one acquisition, at the average of the day', () => {
    const gains = gainsOf(
      [
        held,
        sell('2024-06-03T08:00:00Z', 10, 25),
        buy('2024-06-03T09:00:00Z', 5, 10),
        sell('2024-06-03T10:00:00Z', 20, 35),
        buy('2024-06-03T11:00:00Z', 15, 40),
      ],
      { method },
    );
    expect(lines(gains)).toEqual(expected);
    expect(gains.disposals[0]?.at).toBe(at('2024-06-03T08:00:00Z'));
  });

  test('add the remaining purchases to the pool', () => {
    const gains = gainsOf([held, buy('2024-06-03T09:00:00Z', 20, 50), sell('2024-06-03T15:00:00Z', 4, 12)], { method });
    expect(lines(gains)).toEqual(['4 A: 12.00 - 10.00 = 2.00 (same_day 4)']);
    expect(leftLines(gains)).toEqual(['A 116: 140.00']);
  });

  test('are matched before an earlier disposal under the 30-day rule', () => {
    const gains = gainsOf(
      [held, sell('2024-03-01', 10, 30), buy('2024-03-05T09:00:00Z', 12, 60), sell('2024-03-05T15:00:00Z', 10, 55)],
      { method },
    );
    expect(lines(gains)).toEqual([
      // Only 2 of the 12 are free for it: 10, and 8 of the pool.
      '10 A: 30.00 - 18.00 = 12.00 (thirty_day 2, section_104 8)',
      '10 A: 55.00 - 50.00 = 5.00 (same_day 10)',
    ]);
  });

  test.each([
    // 23:30 UTC in July is half past midnight of the 11th in London.
    ['2025-07-10T23:30:00Z', '2025-07-11T10:00:00Z', 'same_day'],
    ['2025-07-10T22:59:59Z', '2025-07-11T10:00:00Z', 'thirty_day'],
    ['2025-01-10T23:30:00Z', '2025-01-11T10:00:00Z', 'thirty_day'],
    ['2025-01-10T23:30:00Z', '2025-01-10T10:00:00Z', 'same_day'],
  ])('are those of one day in London: sold %s, bought %s', (sold, bought, rule) => {
    const gains = gainsOf([held, sell(sold, 1, 2), buy(bought, 1, 3)], { method });
    expect(gains.disposals[0]?.matches.map((match) => match.rule)).toEqual([rule]);
  });
});

describe('the 30-day rule', () => {
  const held = buy('2024-01-02', 100, 100);

  test.each([
    ['2024-03-31', 'thirty_day 10', '40.00'],
    ['2024-04-01', 'section_104 10', '10.00'],
  ])('after 1 March, extends past 31 March: bought on %s', (bought, rules, cost) => {
    const [line] = lines(gainsOf([held, sell('2024-03-01', 10, 20), buy(bought, 10, 40)], { method }));
    expect(line).toContain(`- ${cost} = `);
    expect(line).toContain(rules);
  });

  test('matches an acquisition to the earliest disposal first', () => {
    const gains = gainsOf([held, sell('2024-03-01', 10, 20), sell('2024-03-05', 10, 30), buy('2024-03-20', 15, 60)], {
      method,
    });
    expect(lines(gains)).toEqual([
      '10 A: 20.00 - 40.00 = -20.00 (thirty_day 10)',
      // The other 5 at 4.00, and 5 of the pool at 1.00.
      '10 A: 30.00 - 25.00 = 5.00 (thirty_day 5, section_104 5)',
    ]);
    expect(leftLines(gains)).toEqual(['A 95: 95.00']);
  });

  test('uses the earliest acquisition first', () => {
    const gains = gainsOf([held, sell('2024-03-01', 10, 20), buy('2024-03-20', 6, 60), buy('2024-03-10', 6, 12)], {
      method,
    });
    // 6 at 2.00 and 4 at 10.00; 2 at 10.00 join the pool.
    expect(lines(gains)).toEqual(['10 A: 20.00 - 52.00 = -32.00 (thirty_day 10)']);
    expect(leftLines(gains)).toEqual(['A 102: 120.00']);
  });

  test('applies across a split: half as many shares before equal as many after', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 100, 1000),
        sell('2024-03-01', 20, 300),
        split('2024-03-10', 80),
        // As many as 15 before the split.
        buy('2024-03-20', 30, 240),
      ],
      { method },
    );
    expect(lines(gains)).toEqual(['20 A: 300.00 - 290.00 = 10.00 (thirty_day 15, section_104 5)']);
    // 95 from before at 10.00.
    expect(leftLines(gains)).toEqual(['A 190: 950.00']);
  });

  test('applies across a consolidation', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 100, 1000),
        sell('2024-03-01', 30, 450),
        split('2024-03-10', -63),
        // As many as 20 before.
        buy('2024-03-20', 2, 320),
      ],
      { method },
    );
    expect(lines(gains)).toEqual(['30 A: 450.00 - 420.00 = 30.00 (thirty_day 20, section_104 10)']);
    expect(leftLines(gains)).toEqual(['A 9: 900.00']);
  });

  test('uses acquisitions after the end of the range', () => {
    const trades = [held, sell('2024-04-01', 10, 20), buy('2024-04-20', 10, 15)];
    expect(lines(gainsOf(trades, { method, until: at('2024-04-06') }))).toEqual([
      '10 A: 20.00 - 15.00 = 5.00 (thirty_day 10)',
    ]);
  });

  test('completes a sale that was made before any known purchase', () => {
    const gains = gainsOf([sell('2024-03-01', 10, 20), buy('2024-03-20', 6, 9)], { method });
    expect(lines(gains)).toEqual(['6 A: 12.00 - 9.00 = 3.00 (thirty_day 6)']);
    expect(gains.unmatched.map(({ quantity, proceeds }) => [Number(quantity), Number(proceeds)])).toEqual([[4, 8]]);
  });
});

describe('listings of one ISIN', () => {
  const isin = 'IE0000000001';
  const trades = [
    buy('2024-01-02', 10, 100, { isin }),
    buy('2024-01-03', 10, 200, { isin, ticker: 'B' }),
    buy('2024-01-04', 10, 900, { ticker: 'C' }),
  ];

  test('share one pool', () => {
    const gains = gainsOf([...trades, sell('2024-06-03', 5, 100, { isin, ticker: 'B' })], { method });
    expect(lines(gains)).toEqual(['5 B: 100.00 - 75.00 = 25.00 (section_104 5)']);
    expect(leftLines(gains)).toEqual(['A B 15: 225.00', 'C 10: 900.00']);
    // The broker averages by listing: 5 × 20.00.
    expect(gains.checks[0]?.name).toContain('average');
  });

  test('make one disposal when they are sold on one day', () => {
    const both = [...trades, sell('2024-06-03', 4, 60, { isin }), sell('2024-06-03', 6, 90, { isin, ticker: 'B' })];
    const gains = gainsOf(both, { method });
    expect(lines(gains)).toEqual(['10 A + B: 150.00 - 150.00 = 0.00 (section_104 10)']);
    expect(gains.byTicker.map(({ ticker }) => ticker)).toEqual(['A + B']);
    expect(lines(gainsOf(both, { method, ticker: 'B' }))).toHaveLength(1);
    expect(lines(gainsOf(both, { method, ticker: 'C' }))).toEqual([]);
  });

  test('share their cost also when the request names one ticker only', () => {
    const sold = [...trades, sell('2024-06-03', 5, 100, { isin, ticker: 'B' }), sell('2024-07-03', 5, 90, { isin })];
    expect(lines(gainsOf(sold, { method, ticker: 'B' }))).toEqual(['5 B: 100.00 - 75.00 = 25.00 (section_104 5)']);
  });

  test('are split once although each has a row for the split', () => {
    const gains = gainsOf(
      [
        ...trades.slice(0, 2),
        sell('2024-06-01', 4, 80, { isin }),
        split('2024-06-03', 6, { isin }),
        split('2024-06-04', 10, { isin, ticker: 'B' }),
        // As many as 2 before.
        buy('2024-06-10', 4, 36, { isin, ticker: 'B' }),
      ],
      { method },
    );
    // 2 for 36, and 2 of the pool at 15.00.
    expect(lines(gains)).toEqual(['4 A: 80.00 - 66.00 = 14.00 (thirty_day 2, section_104 2)']);
    expect(leftLines(gains)).toEqual(['A B 36: 270.00']);
  });

  test('are one class before and after a consolidation with a new ISIN, and a note says so', () => {
    const gains = gainsOf(
      [
        buy('2024-01-02', 100, 100, { isin: 'GB0000000001' }),
        split('2024-02-02', -90, { isin: 'GB0000000002' }),
        sell('2024-03-02', 10, 150, { isin: 'GB0000000002' }),
      ],
      { method },
    );
    expect(lines(gains)).toEqual(['10 A: 150.00 - 100.00 = 50.00 (section_104 10)']);
    expect(gains.remarks).toEqual(['A: it has had more than one ISIN, and is treated as a single class of shares.']);
  });
});

test('free shares join the pool, and no sale of the previous 30 days is matched with them', () => {
  const gains = gainsOf(
    [buy('2024-01-02', 90, 100), sell('2024-03-01', 9, 20), action('2024-03-10', 'STOCK_DISTRIBUTION', 19)],
    { method },
  );
  expect(lines(gains)).toEqual(['9 A: 20.00 - 10.00 = 10.00 (section_104 9)']);
  expect(leftLines(gains)).toEqual(['A 100: 90.00']);
});

describe('a sale of all shares before a purchase within 30 days', () => {
  const remark =
    'A (sold 2024-06-10, bought 2024-06-20): no shares were held between the sale and the purchase within 30 days that it is matched with. No row shows a split of shares that are not held, so check that there was none.';
  const bought = buy('2024-01-02', 10, 1000);

  test('is matched as if there was no split, and a remark says that none could be seen', () => {
    const gains = gainsOf([bought, sell('2024-06-10', 10, 1200), buy('2024-06-20', 10, 550)], { method });
    expect(lines(gains)).toEqual(['10 A: 1200.00 - 550.00 = 650.00 (thirty_day 10)']);
    expect(gains.remarks).toEqual([remark]);
  });

  test.each([
    ['some shares are kept', [bought, sell('2024-06-10', 9, 1200), buy('2024-06-20', 10, 550)]],
    ['the purchase is later', [bought, sell('2024-06-10', 10, 1200), buy('2024-07-20', 10, 550)]],
    ['the purchase is on the same day', [bought, sell('2024-06-10', 10, 1200), buy('2024-06-10T15:00:00Z', 10, 550)]],
  ])('has no remark when %s', (_, trades) => {
    expect(gainsOf(trades, { method }).remarks).toEqual([]);
  });

  test('has no remark in a range without the sale', () => {
    const trades = [bought, sell('2024-06-10', 10, 1200), buy('2024-06-20', 10, 550)];
    expect(gainsOf(trades, { method, until: at('2024-06-01') }).remarks).toEqual([]);
  });
});
