/** Shares that came from another broker, with the cost that the owner entered. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { formatPool } from '../../../src/features/gains/format-gains.ts';
import { action, at, buy, gainsOf, leftLines, lines, sell } from './trades.ts';

const costBasis = () => ({ acquiredAt: at('2020-01-10'), cost: new Big(20) });

describe('shares that were acquired before others, and came after them', () => {
  const held = buy('2022-01-10', 10, 100);
  const transfer = action('2024-06-20', 'FOP', 10, 0);

  test.each(['fifo', 'average'] as const)('are in no sale before they came, by %s', (method) => {
    const gains = gainsOf([held, sell('2024-06-10', 5, 75), transfer], { method, costBasis });
    expect(gains.totals.cost.toFixed(2)).toBe('50.00');
  });

  test('are sold first by FIFO once they came', () => {
    const gains = gainsOf([held, transfer, sell('2024-07-10', 15, 150)], { method: 'fifo', costBasis });
    expect(gains.disposals[0]?.matches.map(({ quantity, cost }) => [Number(quantity), Number(cost)])).toEqual([
      [10, 20],
      [5, 50],
    ]);
  });

  test('are in the UK pool from the day they were acquired', () => {
    // TCGA 1992 s 104: (100 + 20) × 5 / 20 = 30.
    const gains = gainsOf([held, sell('2024-06-10', 5, 75), transfer], { method: 'uk_section_104', costBasis });
    expect(lines(gains)).toEqual(['5 A: 75.00 - 30.00 = 45.00 (section_104 5)']);
  });
});

test('a part of a sale that is in no figure has its part of the charges', () => {
  const charges = [{ name: 'STAMP_DUTY', amount: new Big(4), currency: 'GBP' }];
  const trades = [buy('2024-01-02', 5, 50), sell('2024-02-02', 20, 400, { charges })];
  for (const method of ['fifo', 'average', 'uk_section_104'] as const) {
    const [disposal] = gainsOf(trades, { method }).disposals;
    expect([disposal?.proceeds, disposal?.charges].map(Number)).toEqual([100, 1]);
  }
});

test('a pool with shares of an unknown cost has no cost', () => {
  const trades = [
    action('2024-01-02', 'FOP', 5, 0),
    sell('2024-02-02', 1, 20),
    buy('2024-02-02', 1, 10),
    buy('2024-01-03', 1, 10),
  ];
  const gains = gainsOf(trades, { method: 'uk_section_104' });
  expect(gains.disposals.map(formatPool)).toEqual(['6 = unknown']);
  expect(leftLines(gains)).toEqual(['A 6: unknown']);
});

describe('by the UK rules an entered cost', () => {
  const method = 'uk_section_104';
  const acquired = () => ({ acquiredAt: at('2024-06-20'), cost: new Big(60) });
  const rows = (type: string) => [
    buy('2022-01-10', 10, 100),
    sell('2024-06-10', 5, 75),
    action('2024-08-20', type, 5, 0),
  ];

  test('of shares that were bought elsewhere in the 30 days after a sale is the cost of that sale', () => {
    expect(lines(gainsOf(rows('FOP'), { method, costBasis: acquired }))).toEqual([
      '5 A: 75.00 - 60.00 = 15.00 (thirty_day 5)',
    ]);
  });

  test.each(['SPIN_OFF', 'STOCK_ACQUISITION', 'STOCK_DIVIDENDS'])('of shares from %s joins the pool', (type) => {
    expect(lines(gainsOf(rows(type), { method, costBasis: acquired }))).toEqual([
      '5 A: 75.00 - 50.00 = 25.00 (section_104 5)',
    ]);
  });

  test('of a payment of capital counts on the day of the payment', () => {
    const costBasis = () => ({ acquiredAt: at('2022-01-10'), cost: new Big(40) });
    const paid = action('2024-08-20', 'CAPITAL_DISTRIBUTED', 0, 45);
    const gains = gainsOf([buy('2022-01-10', 10, 100), sell('2024-06-10', 5, 75), paid], { method, costBasis });
    expect(lines(gains)).toEqual([
      '5 A: 75.00 - 50.00 = 25.00 (section_104 5)',
      '0 A: 45.00 - 40.00 = 5.00 (entered 0)',
    ]);
    expect(leftLines(gains)).toEqual(['A 5: 10.00']);
  });
});
