/** Turns wanted shares into the quantity of an order. */
import { type Fraction, zero } from './fraction.ts';
import type { PlanReason, PlanSide } from './plan-types.ts';
import type { ValuedAsset } from './valued-asset.ts';

/** An order of the plan, or the reason why there is none. */
export interface SizedOrder {
  readonly asset: ValuedAsset;
  readonly side: PlanSide;
  /** Zero for an order that is dropped. */
  readonly shares: Fraction;
  /** Why it is not what is wanted. */
  readonly because: PlanReason | undefined;
  /** Wanted shares, before cash, rounding and minimums. */
  readonly wanted: Fraction;
}

export const orderValue = ({ asset, side, shares }: SizedOrder): Fraction => shares.times(asset.order[side].price);

/** The value of the order that the goal asked for, at the known price. */
export const wantedValue = ({ asset, wanted }: SizedOrder): Fraction => wanted.times(asset.price);

/**
 * Sizes a sale: to the nearest quantity, at most what is sellable. A sale that would leave less than `minValue`
 * (account currency) sells everything, if everything is sellable.
 */
export function sizeSell(asset: ValuedAsset, wanted: Fraction, minValue: Fraction): SizedOrder {
  const rounded = roundSale(asset, wanted, 'half');
  const shares = leaveNoRemnant(asset, rounded, minValue);
  const because = wanted.gt(asset.sellable) ? 'not_sellable' : shares.eq(rounded) ? undefined : 'below_minimum';
  return dropBelow({ asset, side: 'SELL', shares, because, wanted }, minValue);
}

/** Rounds a sale to the decimals of the quantity. A sale of everything keeps the exact quantity held. */
export const roundSale = (asset: ValuedAsset, wanted: Fraction, mode: 'half' | 'up'): Fraction =>
  wanted.lt(asset.sellable) ? wanted.round(asset.asset.quantityDecimals, mode).min(asset.sellable) : asset.sellable;

/** Sells everything instead of leaving shares worth less than `minValue`. */
export function leaveNoRemnant(asset: ValuedAsset, shares: Fraction, minValue: Fraction): Fraction {
  const left = asset.held.minus(shares);
  const isRemnant = shares.gt(zero) && left.gt(zero) && left.times(asset.price).lt(minValue);
  return isRemnant && asset.sellable.eq(asset.held) ? asset.sellable : shares;
}

/** Sizes a purchase: rounded down to the decimals of the quantity. `because` says why `shares` is less than wanted. */
export function sizeBuy(
  asset: ValuedAsset,
  { wanted, shares, because }: Pick<SizedOrder, 'wanted' | 'shares' | 'because'>,
  minValue: Fraction,
): SizedOrder {
  const rounded = shares.round(asset.asset.quantityDecimals, 'down');
  return dropBelow({ asset, side: 'BUY', shares: rounded, because, wanted }, minValue);
}

function dropBelow(order: SizedOrder, minValue: Fraction): SizedOrder {
  if (!order.shares.gt(zero)) return { ...order, shares: zero, because: order.because ?? 'rounding' };
  return orderValue(order).lt(minValue) ? { ...order, shares: zero, because: 'below_minimum' } : order;
}
