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
  /** The part of a purchase that the cash suffices for, before rounding and minimums; of a sale all that is wanted. */
  readonly affordable: Fraction;
  /** What an order below the minimum would be worth, in the account currency; undefined for others. */
  readonly droppedValue?: Fraction;
}

export const orderValue = ({ asset, side, shares }: SizedOrder): Fraction => shares.times(asset.order[side].price);

/** The value of an order that was dropped: what the goal asked for, or what was too small. */
export const missedValue = ({ asset, wanted, droppedValue }: SizedOrder): Fraction =>
  droppedValue ?? wanted.times(asset.price);

/**
 * Sizes a sale: to the nearest quantity, at most what is sellable. A sale that would leave less than `minValue`
 * (account currency) sells everything, if everything is sellable.
 */
export function sizeSell(asset: ValuedAsset, wanted: Fraction, minValue: Fraction): SizedOrder {
  const rounded = roundSale(asset, wanted, 'half');
  const shares = leaveNoRemnant(asset, rounded, minValue);
  const because = wanted.gt(asset.sellable) ? 'not_sellable' : shares.eq(rounded) ? undefined : 'below_minimum';
  return dropBelow({ asset, side: 'SELL', shares, because, wanted, affordable: wanted }, minValue);
}

/** Rounds a sale to the decimals of the quantity. A sale of everything keeps the exact quantity held. */
export const roundSale = (asset: ValuedAsset, wanted: Fraction, mode: 'half' | 'up'): Fraction =>
  wanted.lt(asset.sellable) ? wanted.round(asset.asset.quantityDecimals, mode).min(asset.sellable) : asset.sellable;

/** Sells everything instead of leaving shares worth less than `minValue`. */
export function leaveNoRemnant(asset: ValuedAsset, shares: Fraction, minValue: Fraction): Fraction {
  const left = asset.held.minus(shares);
  const isRemnant = shares.gt(zero) && left.times(asset.price).lt(minValue);
  return isRemnant && asset.sellable.eq(asset.held) ? asset.sellable : shares;
}

/** Sizes a purchase: rounded down to the decimals of the quantity. */
export function sizeBuy(
  asset: ValuedAsset,
  { wanted, affordable }: Pick<SizedOrder, 'wanted' | 'affordable'>,
  minValue: Fraction,
): SizedOrder {
  const roundDown = (shares: Fraction) => shares.round(asset.asset.quantityDecimals, 'down');
  const shares = roundDown(affordable);
  // Charges make nearly every purchase a little smaller; what rounding would leave out anyway, the cash did not take.
  const because = shares.lt(roundDown(wanted)) ? 'cash' : undefined;
  return dropBelow({ asset, side: 'BUY', shares, because, wanted, affordable }, minValue);
}

function dropBelow(order: SizedOrder, minValue: Fraction): SizedOrder {
  if (!order.shares.gt(zero)) return { ...order, because: order.because ?? 'rounding' };
  const value = orderValue(order);
  return value.lt(minValue) ? { ...order, shares: zero, because: 'below_minimum', droppedValue: value } : order;
}
