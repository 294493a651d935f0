/** What the next twelve months would pay if the last twelve repeated themselves. No forecast knows more here. */
import Big from 'big.js';
import type { Position } from '../catalogue/index.ts';
import type { Payment } from './dividend-payments.ts';
import { createSum } from './exact-sum.ts';
import { addYears, getPeriodName, periodsBetween } from './periods.ts';
import { accumulate, computeSum, quotient, zero } from './sums.ts';

export interface DividendProjection {
  /** How it was made, one sentence. */
  readonly method: string;
  readonly total: Big;
  /** UTC months, the present one first; it and the last are parts of a month. */
  readonly months: readonly { readonly month: string; readonly amount: Big }[];
  /** Tickers that are held and paid nothing in the last twelve months. */
  readonly notProjected: readonly string[];
  /** Payments that say no amount or no quantity, so that they cannot be scaled. */
  readonly notScaled: number;
}

const method =
  'An assumption, not a forecast: every payment of the last twelve months is repeated one year later, scaled by quantity held now / quantity then, for instruments still held; it ignores splits since then, changed exchange rates and changed dividends.';

/** Payments in one currency; `now` in ms. */
export function projectDividends(
  payments: readonly Payment[],
  options: { readonly positions: readonly Position[]; readonly ticker?: string | undefined; readonly now: number },
): DividendProjection {
  const { now } = options;
  const held = heldNow(options.positions, options.ticker);
  const from = addYears(now, -1);
  const to = addYears(now, 1);
  const months = new Map(periodsBetween(now, to, 'month').map(({ name }) => [name, createSum()]));
  const paying = new Set<string>();
  let notScaled = 0;
  for (const { at, ticker, amount, quantity } of payments) {
    const quantityNow = held.get(ticker);
    if (quantityNow === undefined || at === undefined || at < from || at >= now) continue;
    paying.add(ticker);
    if (amount === undefined || quantity === undefined || !new Big(quantity).gt(0)) notScaled++;
    else accumulate(months, getPeriodName(addYears(at, 1), 'month'), quotient(quantityNow.times(amount), quantity));
  }
  return {
    method,
    total: computeSum([...months.values()].map((sum) => sum.total())),
    months: [...months].map(([month, sum]) => ({ month, amount: sum.total() })),
    notProjected: [...held.keys()].filter((ticker) => !paying.has(ticker)).sort(),
    notScaled,
  };
}

function heldNow(positions: readonly Position[], onlyTicker: string | undefined): Map<string, Big> {
  const held = new Map<string, Big>();
  for (const { instrument, quantity } of positions) {
    const ticker = instrument?.ticker;
    if (ticker === undefined || (onlyTicker !== undefined && ticker !== onlyTicker)) continue;
    const sum = (held.get(ticker) ?? zero).plus(quantity ?? zero);
    if (sum.gt(0)) held.set(ticker, sum);
  }
  return held;
}
