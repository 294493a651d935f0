/** A benchmark beside the account: its change, and the same money in it at the values of each day. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { compareBenchmark } from '../../../src/features/analytics/benchmark.ts';

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);
const points = (
  [
    ['2026-01-02', '100'],
    ['2026-01-30', '110'],
    ['2026-02-27', '121'],
  ] as const
).map(([day, value]) => ({ day, value: new Big(value) }));
const flow = (day: string, amount: string) => ({
  at: at(day),
  type: 'DEPOSIT',
  amount: new Big(amount),
  currency: 'GBP',
  isExternal: true,
});
const end = { at: at('2026-02-28'), value: new Big('2000') };

test('the value at the start and each deposit buy the benchmark at the value of their day', () => {
  const start = { at: at('2026-01-02'), value: new Big('1000') };
  const compared = compareBenchmark(points, {
    start,
    end,
    flows: [flow('2026-01-31', '550'), flow('2026-02-01', '-110')],
  });
  // 10 units, 5 more at 110, and 1 sold at 110: 14 units at 121.
  expect(compared).toMatchObject({ from: '2026-01-02', to: '2026-02-27' });
  expect(
    typeof compared === 'string' ? compared : [compared.periodPercent.toFixed(), compared.sameMoney.toFixed()],
  ).toEqual(['21', '1694']);
});

test('without a value at the start the first deposit begins the period', () => {
  const compared = compareBenchmark(points, { start: undefined, end, flows: [flow('2026-01-30', '1100')] });
  expect(
    typeof compared === 'string' ? compared : [compared.periodPercent.toFixed(), compared.sameMoney.toFixed()],
  ).toEqual(['10', '1210']);
});

test.each([
  ['before the first value', '2026-01-01', 'benchmark.csv has no value of 2026-01-01, nor of the 7 days before it.'],
  [
    'in a gap of more than a week',
    '2026-01-10',
    'benchmark.csv has no value of 2026-01-10, nor of the 7 days before it.',
  ],
])('a deposit %s has no value to buy at', (_, day, text) => {
  expect(compareBenchmark(points, { start: undefined, end, flows: [flow(day, '1')] })).toBe(text);
});

test('a week before is near enough, and an end after the file is not', () => {
  const flows = [flow('2026-01-09', '100')];
  expect(compareBenchmark(points, { start: undefined, end, flows })).toMatchObject({ from: '2026-01-02' });
  expect(compareBenchmark(points, { start: undefined, end: { ...end, at: at('2026-03-07') }, flows })).toBe(
    'benchmark.csv has no value of 2026-03-07, nor of the 7 days before it.',
  );
  expect(compareBenchmark(points, { start: undefined, end, flows: [] })).toBe(
    'There is no deposit in the period to compare.',
  );
});
