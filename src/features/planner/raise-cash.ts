/** Sells step by step until the amount is raised. */

import { Fraction, sum, zero } from './fraction.ts';
import {
  largestFirst,
  leaveNoRemnant,
  orderValue,
  roundSale,
  type SizedOrder,
  type ValuedAsset,
} from './size-order.ts';
import type { WeightedAsset } from './wanted-change.ts';

const pennyDecimals = 2;

/**
 * Sells in the order of the steps until the net proceeds reach `amount` (account currency), exactly and in the pennies
 * that each order is booked with. Without enough to sell it sells everything.
 */
export function raiseCash(steps: readonly SellStep[], amount: Fraction, minValue: Fraction): SizedOrder[] {
  let aim = amount;
  // Each turn aims at least a penny higher, and rounding takes less than a penny from the value and from each charge.
  for (;;) {
    const orders = sellUntil(steps, aim, minValue);
    const missing = amount.minus(sumBooked(orders));
    if (!missing.gt(zero) || sumNet(orders).lt(aim)) return orders;
    aim = aim.plus(missing.round(pennyDecimals, 'up'));
  }
}

/** What the sales bring after charges: exactly or in pennies, whichever is less. */
export const computeRaised = (orders: readonly SizedOrder[]): Fraction => sumNet(orders).min(sumBooked(orders));

const sumNet = (orders: readonly SizedOrder[]): Fraction =>
  sum(orders.map(({ asset, shares }) => shares.times(asset.order.SELL.net)));

/** A broker books the value and each charge of an order in pennies. */
const sumBooked = (orders: readonly SizedOrder[]): Fraction =>
  sum(
    orders.map((order) => {
      const value = orderValue(order);
      const charges = (order.asset.asset.charges.SELL ?? []).map(({ rate }) =>
        toPennies(value.times(Fraction.parse(rate))),
      );
      return toPennies(value).minus(sum(charges));
    }),
  );

const toPennies = (value: Fraction): Fraction => value.round(pennyDecimals, 'half');

/**
 * Quantities are rounded up, and the later steps sell that much less. A sale is at least worth `minValue`; what is worth
 * less in total is not sold.
 */
function sellUntil(steps: readonly SellStep[], amount: Fraction, minValue: Fraction): SizedOrder[] {
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

// The order of sales by rising gain for the proceeds. It realises the least gain where quantities are fine; one step of
// a quantity that brings more than the rest of the amount can realise more than another choice. A sale takes the lots
// of an asset in a fixed order, so a cheap lot can only be reached after the ones before it. The lots before it are
// therefore joined with it when their joint gain is smaller in relation to the proceeds (the lower convex hull of gain
// over proceeds).

/** Lots of one asset that are sold together. */
interface Stretch {
  readonly asset: ValuedAsset;
  readonly upTo: Fraction;
  readonly proceeds: Fraction;
  readonly gain: Fraction;
}

/** The steps by rising gain per proceeds, ties by ticker. Assets without lots are left out. */
export const sellLeastGain = (assets: readonly ValuedAsset[]): SellStep[] =>
  assets
    .flatMap(listStretches)
    .sort((a, b) => compareGain(a, b) || (a.asset.ticker < b.asset.ticker ? -1 : 1))
    .map(({ asset, upTo }) => ({ asset, upTo }));

function listStretches(asset: ValuedAsset): Stretch[] {
  const joined: Stretch[] = [];
  let sold = zero;
  for (const lot of asset.asset.lots ?? []) {
    const quantity = Fraction.parse(lot.quantity);
    const shares = quantity.min(asset.sellable.minus(sold));
    if (!shares.gt(zero)) break;
    sold = sold.plus(shares);
    const proceeds = shares.times(asset.order.SELL.net);
    const gain = proceeds.minus(Fraction.parse(lot.cost).times(shares).div(quantity));
    let next: Stretch = { asset, upTo: sold, proceeds, gain };
    for (let last = joined.at(-1); last && compareGain(next, last) <= 0; last = joined.at(-1)) {
      next = { asset, upTo: next.upTo, proceeds: last.proceeds.plus(next.proceeds), gain: last.gain.plus(next.gain) };
      joined.pop();
    }
    joined.push(next);
  }
  return joined;
}

const compareGain = (a: Stretch, b: Stretch): number => a.gain.times(b.proceeds).compare(b.gain.times(a.proceeds));

// The goal `raise`: what to sell, and in which order, until the net proceeds are enough.

/** One step of a sale: sell this asset until `upTo` shares of it are sold in total, or the amount is raised. */
interface SellStep {
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
 * `left`, the value (account currency) that is left after the amount.
 */
export function sellLargestExcess(weighted: readonly WeightedAsset[], left: Fraction): SellStep[] {
  return weighted
    .map(({ asset, weight }) => ({ ticker: asset.ticker, asset, excess: asset.value.minus(left.times(weight)) }))
    .filter(({ excess }) => excess.gt(zero))
    .sort(largestFirst(({ excess }) => excess))
    .map(({ asset, excess }) => ({ asset, upTo: excess.div(asset.price).min(asset.sellable) }));
}

/** The steps that sell everything, the largest first: they follow the others, whose rounding can leave a rest. */
export const sellTheRest = (assets: readonly ValuedAsset[]): SellStep[] =>
  assets.toSorted(largestFirst(netSellable)).map((asset) => ({ asset, upTo: asset.sellable }));
