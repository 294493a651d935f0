/** Sales that are matched with a later purchase across a time without shares, in which no row could show a split. */
import { groupBy } from '../../core/text/group-by.ts';
import type { Movement } from './holding-events.ts';
import { toLondonDate } from './london-day.ts';
import type { MatchedSale } from './lot-matching.ts';

export interface EmptyTime {
  readonly ticker: string;
  /** Days in London. */
  readonly soldOn: string;
  readonly boughtOn: string;
}

/** `movements` are in the order of execution. */
export function findEmptyTimes(movements: readonly Movement[], sales: readonly MatchedSale[]): EmptyTime[] {
  const repurchased = sales.flatMap(({ at, ticker, pieces }) => {
    const last = pieces.findLast(({ rule }) => rule === 'thirty_day')?.acquiredAt;
    return last === undefined ? [] : [{ at, ticker, last }];
  });
  if (repurchased.length === 0) return [];
  const emptyAt: number[] = [];
  let held = 0n;
  for (const { kind, units, trade } of movements) {
    if (kind !== 'cost_changed') held += kind === 'acquired' ? units : -units;
    if (held <= 0n) emptyAt.push(trade.at);
  }
  return repurchased.flatMap(({ at, ticker, last }) => {
    const from = emptyAt[findFirst(emptyAt, at)];
    return from !== undefined && from < last
      ? [{ ticker, soldOn: toLondonDate(at), boughtOn: toLondonDate(last) }]
      : [];
  });
}

/** The place of the first moment that is not before the given one, in an ascending list. */
function findFirst(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many sales one sentence names. */
const maxSales = 3;

/** One sentence for each ticker. */
export function describeEmptyTimes(times: readonly EmptyTime[]): string[] {
  return [...groupBy(times, ({ ticker }) => ticker)].map(([ticker, list]) => {
    const named = list.slice(0, maxSales).map(({ soldOn, boughtOn }) => `sold ${soldOn}, bought ${boughtOn}`);
    const more = list.length > maxSales ? ' and later' : '';
    return `${ticker} (${named.join('; ')}${more}): no shares were held between the sale and the purchase within 30 days that it is matched with. No row shows a split of shares that are not held, so check that there was none.`;
  });
}
