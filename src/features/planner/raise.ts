/** The goal `raise`: what to sell, and in which order, until the net proceeds are enough. */
import { type Fraction, sum, zero } from './fraction.ts';
import { largestFirst, type ValuedAsset } from './valued-asset.ts';
import type { WeightedAsset } from './wanted-change.ts';

/** One step of a sale: sell this asset until `upTo` shares of it are sold in total, or the amount is raised. */
export interface SellStep {
  readonly asset: ValuedAsset;
  readonly upTo: Fraction;
}

/** What the asset brings if all that is sellable is sold, after charges. */
const netSellable = ({ sellable, order }: ValuedAsset): Fraction => sellable.times(order.SELL.net);

/** The steps that sell each asset in proportion to what can be sold of it. `amount` is in the account currency. */
export function sellInProportion(assets: readonly ValuedAsset[], amount: Fraction): SellStep[] {
  const all = sum(assets.map(netSellable));
  if (!all.gt(zero)) return [];
  const part = amount.div(all);
  return assets.toSorted(largestFirst(netSellable)).map((asset) => ({ asset, upTo: asset.sellable.times(part) }));
}

/**
 * The steps that sell what is above its target first, the largest excess before the others. Targets are weights of
 * the value that is left after `amount`.
 */
export function sellLargestExcess(weighted: readonly WeightedAsset[], amount: Fraction): SellStep[] {
  const left = sum(weighted.map(({ asset }) => asset.value))
    .minus(amount)
    .max(zero);
  return weighted
    .map(({ asset, weight }) => ({ ticker: asset.ticker, asset, excess: asset.value.minus(left.times(weight)) }))
    .filter(({ excess }) => excess.gt(zero))
    .sort(largestFirst(({ excess }) => excess))
    .map(({ asset, excess }) => ({ asset, upTo: excess.div(asset.price).min(asset.sellable) }));
}

/** The steps that sell everything, the largest first: they follow the others, whose rounding can leave a rest. */
export const sellTheRest = (assets: readonly ValuedAsset[]): SellStep[] =>
  assets.toSorted(largestFirst(netSellable)).map((asset) => ({ asset, upTo: asset.sellable }));
