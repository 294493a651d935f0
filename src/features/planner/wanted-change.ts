/** What a goal asks of one ticker, before cash, rounding and minimums. */

import { type Fraction, hundred, sum, zero } from './fraction.ts';
import type { PlanReason } from './plan-types.ts';
import type { ValuedAsset } from './size-order.ts';

export interface WantedChange {
  readonly asset: ValuedAsset;
  /** The value that the goal asks for, in the account currency; undefined when it asks for none. */
  readonly target: Fraction | undefined;
  /** In the account currency at the known price: above zero to buy, below zero to sell. */
  readonly change: Fraction;
  /** Why the goal leaves a part of the way to the target. */
  readonly because?: PlanReason;
}

/** An asset and its weight as a fraction of one. */
export interface WeightedAsset {
  readonly asset: ValuedAsset;
  readonly weight: Fraction;
}

// The goal `invest`: fills up like water. Every ticker that is bought ends at the same part of its target, and a
// ticker above that part is left alone.

/** The wanted purchases of `amount`, never beyond a target. `idle` is cash that only counts (both account currency). */
export function wantInvest(
  weighted: readonly WeightedAsset[],
  { amount, idle }: { readonly amount: Fraction; readonly idle: Fraction },
): readonly WantedChange[] {
  const base = sum(weighted.map(({ asset }) => asset.value))
    .plus(amount)
    .plus(idle);
  const level = computeLevel(weighted, amount).min(base);
  return weighted.map(({ asset, weight }): WantedChange => {
    const target = base.times(weight);
    const change = level.times(weight).minus(asset.value).max(zero);
    const isAbove = asset.value.gt(target);
    return { asset, target, change, ...(isAbove ? { because: 'above_target' as const } : {}) };
  });
}

/** The level at which the assets below it, raised to their weight of it, take exactly `amount`. */
function computeLevel(weighted: readonly WeightedAsset[], amount: Fraction): Fraction {
  const lowestFirst = weighted
    .filter(({ weight }) => weight.gt(zero))
    .map(({ asset, weight }) => ({ value: asset.value, weight, level: asset.value.div(weight) }))
    .sort((a, b) => a.level.compare(b.level));
  let [values, weights, level] = [zero, zero, zero];
  for (const asset of lowestFirst) {
    if (weights.gt(zero) && !asset.level.lt(level)) break;
    values = values.plus(asset.value);
    weights = weights.plus(asset.weight);
    level = amount.plus(values).div(weights);
  }
  return level;
}

// The goal `rebalance`: tickers outside the band go to their target.

interface RebalanceTerms {
  /** Cash that joins, in the account currency. */
  readonly amount: Fraction;
  /** Cash that only counts, in the account currency. */
  readonly idle: Fraction;
  /** Percentage points. */
  readonly band: Fraction;
  readonly allowSells: boolean;
}

/**
 * The wanted changes. Weights are of the value of the assets, `amount` and `idle`. An asset whose deviation is at most the
 * band is left alone, so that small deviations cost nothing.
 */
export function wantRebalance(
  weighted: readonly WeightedAsset[],
  { amount, idle, band, allowSells }: RebalanceTerms,
): readonly WantedChange[] {
  const base = sum(weighted.map(({ asset }) => asset.value))
    .plus(amount)
    .plus(idle);
  const tolerance = base.times(band).div(hundred);
  return weighted.map(({ asset, weight }): WantedChange => {
    const target = base.times(weight);
    const change = target.minus(asset.value);
    if (!change.abs().gt(tolerance)) return { asset, target, change: zero, because: 'within_band' };
    if (change.lt(zero) && !allowSells) return { asset, target, change: zero, because: 'sells_not_allowed' };
    return { asset, target, change };
  });
}
