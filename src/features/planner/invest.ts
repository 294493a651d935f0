/**
 * The goal `invest`: fills up like water. Every ticker that is bought ends at the same part of its target, and a
 * ticker above that part is left alone.
 */
import { type Fraction, sum, zero } from './fraction.ts';
import type { WantedChange, WeightedAsset } from './wanted-change.ts';

/** The wanted purchases of `amount` (account currency), never beyond a target. */
export function wantInvest(weighted: readonly WeightedAsset[], amount: Fraction): readonly WantedChange[] {
  const base = sum(weighted.map(({ asset }) => asset.value)).plus(amount);
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
