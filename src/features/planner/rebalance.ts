/** The goal `rebalance`: tickers outside the band go to their target. */
import { type Fraction, hundred, sum, zero } from './fraction.ts';
import type { WantedChange, WeightedAsset } from './wanted-change.ts';

export interface RebalanceTerms {
  /** Cash that joins, in the account currency. */
  readonly amount: Fraction;
  /** Percentage points. */
  readonly band: Fraction;
  readonly allowSells: boolean;
}

/**
 * The wanted changes. Weights are of the value of the assets and `amount`. An asset whose deviation is at most the
 * band is left alone, so that small deviations cost nothing.
 */
export function wantRebalance(
  weighted: readonly WeightedAsset[],
  { amount, band, allowSells }: RebalanceTerms,
): readonly WantedChange[] {
  const base = sum(weighted.map(({ asset }) => asset.value)).plus(amount);
  const tolerance = base.times(band).div(hundred);
  return weighted.map(({ asset, weight }): WantedChange => {
    const target = base.times(weight);
    const change = target.minus(asset.value);
    if (!change.abs().gt(tolerance)) return { asset, target, change: zero, because: 'within_band' };
    if (change.lt(zero) && !allowSells) return { asset, target, change: zero, because: 'sells_not_allowed' };
    return { asset, target, change };
  });
}
