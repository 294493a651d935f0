/** Splits as units that no split changes: how many of them a share has before and after each. */
import { expect, test } from 'vitest';
import type { Trade } from '../../../src/features/analytics/trades.ts';
import { groupByHolding } from '../../../src/features/gains/columnar-trades.ts';
import { toSplitUnits } from '../../../src/features/gains/splits.ts';
import { buy, gainsOf, leftLines, sell, split } from './trades.ts';

function weightsOf(trades: readonly Trade[]) {
  const rows = groupByHolding(trades, () => 'all', { quantity: 0, money: 2 }).get('all');
  if (!rows) throw new Error('no rows');
  const { units, weightAt, lastWeight, held } = toSplitUnits(rows, new Map());
  return { units, weights: trades.map((_, index) => weightAt(index)), lastWeight, held };
}

const b = { ticker: 'B' };

test('listings that are split a week apart are split once', () => {
  const rows = [
    buy('2024-01-02', 10, 100),
    buy('2024-01-02', 10, 100, b),
    split('2024-02-01T12:00:00Z', 20),
    split('2024-02-08T12:00:00Z', 20, b),
  ];
  // Three shares for each one before.
  expect(weightsOf(rows)).toEqual({
    units: [30n, 30n, 20n, 20n],
    weights: [3n, 3n, 1n, 1n],
    lastWeight: 1n,
    held: 60n,
  });
});

test('listings that are split more than a week apart are split twice', () => {
  const rows = [
    buy('2024-01-02', 10, 100),
    buy('2024-01-02', 10, 100, b),
    split('2024-02-01T12:00:00Z', 20),
    split('2024-02-08T12:00:00.001Z', 10, b),
  ];
  expect(weightsOf(rows).weights).toEqual([6n, 6n, 2n, 1n]);
});

test('one listing that is split again within a week is split twice', () => {
  const rows = [buy('2024-01-02', 10, 100), split('2024-02-01', 20), split('2024-02-03', -15)];
  // 10, 30 and 15 shares are 30 units each time.
  expect(weightsOf(rows)).toEqual({ units: [30n, 20n, -30n], weights: [3n, 1n, 2n], lastWeight: 2n, held: 15n });
  expect(leftLines(gainsOf(rows, { method: 'fifo' }))).toEqual(['A 15: 100.00']);
});

test.each([
  ['nothing was held', [split('2024-02-01', 20), buy('2024-03-02', 10, 100)], 'no_ratio'],
  ['more was sold than held', [sell('2024-01-02', 5, 100), split('2024-02-01', 20)], 'no_ratio'],
  ['nothing is left', [buy('2024-01-02', 5, 100), split('2024-02-01', -5)], 'took_all'],
])('a split where %s has no ratio', (_, trades, unusual) => {
  const rows = groupByHolding(trades, () => 'all', { quantity: 0, money: 2 }).get('all');
  const found = rows && toSplitUnits(rows, new Map());
  expect([[...(found?.unusual.values() ?? [])], found?.lastWeight]).toEqual([[unusual], 1n]);
});
