/** Dividends of the next twelve months, assuming that the last twelve repeat. The data allow no better forecast. */
import Big from 'big.js';
import { createSum } from '../../core/endpoints/exact-sum.ts';
import type { Position } from '../../core/endpoints/index.ts';
import type { Payment } from './dividend-payments.ts';
import { addYears, getPeriodName, periodsBetween } from './periods.ts';
import { accumulate, computeSum, quotient, zero } from './sums.ts';

/** Projected dividends, in the currency of the payments. */
export interface DividendProjection {
  /** How it was computed, in one sentence. */
  readonly method: string;
  readonly total: Big;
  /** Months of the zone of the question, starting with the current one; the first and the last are partial. */
  readonly months: readonly { readonly month: string; readonly amount: Big }[];
  /** Tickers held that paid nothing in the last twelve months. */
  readonly notProjected: readonly string[];
  /** Payments without an amount or a quantity, which cannot be scaled. */
  readonly notScaled: number;
}

const method =
  'An assumption, not a forecast: every payment of the last twelve months is repeated one year later, scaled by quantity held now / quantity then, for instruments still held; it ignores splits since then, changed exchange rates and changed dividends.';

/** Projects payments in one currency; `now` is in ms. */
export function projectDividends(
  payments: readonly Payment[],
  options: {
    readonly positions: readonly Position[];
    readonly ticker?: string | undefined;
    readonly now: number;
    /** IANA name; UTC by default. */
    readonly zone?: string | undefined;
  },
): DividendProjection {
  const { now, zone } = options;
  const held = heldNow(options.positions, options.ticker);
  const from = addYears(now, -1);
  const to = addYears(now, 1);
  const months = new Map(periodsBetween(now, to, 'month', zone).map(({ name }) => [name, createSum()]));
  const paying = new Set<string>();
  let notScaled = 0;
  for (const { at, ticker, amount, quantity } of payments) {
    const quantityNow = held.get(ticker);
    if (quantityNow === undefined || at === undefined || at < from || at >= now) continue;
    paying.add(ticker);
    // Services differ in the sign of the quantity of a reversal.
    const then = new Big(quantity ?? 0).abs();
    if (amount === undefined || then.eq(0)) notScaled++;
    else accumulate(months, getPeriodName(addYears(at, 1), 'month', zone), quotient(quantityNow.times(amount), then));
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
