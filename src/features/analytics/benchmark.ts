/**
 * What a benchmark did in a period, and what the same money in it would be worth: the value at the start and each
 * deposit and withdrawal buy and sell it at its value of that day. Pure.
 */

import type Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import type { BenchmarkPoint } from '../../core/settings/market-files.ts';
import type { CashFlow } from './cash-flows.ts';
import { toIsoDate } from './periods.ts';
import type { ReturnPeriod } from './return-period.ts';
import { quotient, zero } from './sums.ts';

export interface BenchmarkReturn {
  /** The days of the values that were compared. */
  readonly from: string;
  readonly to: string;
  readonly periodPercent: Big;
  /** In the account’s currency. */
  readonly sameMoney: Big;
}

/** Weekends and holidays have no value; a longer gap is one in the file. */
const maxAgeDays = 7;
const hundred = 100;

/**
 * `flows` are the deposits (above zero) and withdrawals between `start` and `end`; without a start the account was empty
 * before the first of them. Returns a sentence when the file has no value for a day that is needed.
 */
export function compareBenchmark(
  points: readonly BenchmarkPoint[],
  period: { readonly start: ReturnPeriod | undefined; readonly end: ReturnPeriod; readonly flows: readonly CashFlow[] },
): BenchmarkReturn | string {
  const { start, end, flows } = period;
  const from = start?.at ?? flows[0]?.at;
  if (from === undefined) return 'There is no deposit in the period to compare.';
  const find = (at: number) => findPoint(points, toIsoDate(at));
  const [first, last] = [find(from), find(end.at)];
  if (!first || !last) return describeMissing(toIsoDate(first ? end.at : from));
  let units = start ? quotient(start.value, first.value) : zero;
  for (const { at, amount } of flows) {
    const point = find(at);
    if (!point) return describeMissing(toIsoDate(at));
    units = units.plus(quotient(amount, point.value));
  }
  return {
    from: first.day,
    to: last.day,
    periodPercent: quotient(last.value.minus(first.value).times(hundred), first.value),
    sameMoney: units.times(last.value),
  };
}

const describeMissing = (day: string): string =>
  `benchmark.csv has no value of ${day}, nor of the ${maxAgeDays} days before it.`;

/** The last point of the day or of a few days before it, by bisection: a file has thousands. */
function findPoint(points: readonly BenchmarkPoint[], day: string): BenchmarkPoint | undefined {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.day ?? '') <= day) low = middle + 1;
    else high = middle;
  }
  const point = points[low - 1];
  const isNear = point !== undefined && Date.parse(day) - Date.parse(point.day) <= maxAgeDays * dayMs;
  return isNear ? point : undefined;
}
