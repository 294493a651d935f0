/** Sells step by step until the amount is raised. */
import { type Fraction, zero } from './fraction.ts';
import type { SellStep } from './raise.ts';
import { leaveNoRemnant, roundSale, type SizedOrder } from './size-order.ts';
import type { ValuedAsset } from './valued-asset.ts';

/**
 * Sells in the order of the steps until the net proceeds reach `amount` (account currency). Quantities are rounded
 * up, and the later steps sell that much less. A sale is at least worth `minValue`; what is worth less in total is
 * not sold.
 */
export function raiseCash(steps: readonly SellStep[], amount: Fraction, minValue: Fraction): SizedOrder[] {
  const sold = new Map<string, { readonly asset: ValuedAsset; readonly shares: Fraction }>();
  let open = amount;
  for (const { asset, upTo } of steps) {
    const { price, net } = asset.order.SELL;
    if (!open.gt(zero)) break;
    if (!net.gt(zero) || asset.sellable.times(price).lt(minValue)) continue;
    const before = sold.get(asset.ticker)?.shares ?? zero;
    const wanted = before.plus(open.div(net)).min(upTo).max(minValue.div(price));
    const shares = leaveNoRemnant(asset, roundSale(asset, wanted, 'up'), minValue);
    if (!shares.gt(before)) continue;
    open = open.minus(shares.minus(before).times(net));
    sold.set(asset.ticker, { asset, shares });
  }
  return [...sold.values()].map(({ asset, shares }) => ({
    asset,
    side: 'SELL',
    shares,
    because: undefined,
    wanted: shares,
    affordable: shares,
  }));
}
