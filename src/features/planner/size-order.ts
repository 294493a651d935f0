/** Turns wanted shares into the quantity of an order. */

import { Fraction, hundred, one, sum, zero } from './fraction.ts';
import type { PlanAsset, PlanReason, PlanRequest, PlanSide } from './plan-types.ts';

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
  const stuck = isElsewhere(asset, wanted) ? 'in_other_account' : 'not_sellable';
  const because = wanted.gt(asset.sellable) ? stuck : shares.eq(rounded) ? undefined : 'below_minimum';
  return dropBelow({ asset, side: 'SELL', shares, because, wanted, affordable: wanted }, minValue);
}

/** Whether a sale of `wanted` shares would need those of another account. */
const isElsewhere = ({ elsewhere, held }: ValuedAsset, wanted: Fraction): boolean =>
  elsewhere.gt(zero) && wanted.gt(held);

/** What a sale would need of other accounts, in the account currency; zero for a purchase. */
export const valueElsewhere = ({ asset, side, wanted }: SizedOrder): Fraction =>
  side === 'SELL' && isElsewhere(asset, wanted) ? wanted.minus(asset.held).times(asset.price) : zero;

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

// An asset with its prices, charges and values as fractions in the account currency.

export interface ValuedAsset {
  readonly ticker: string;
  readonly asset: PlanAsset;
  readonly held: Fraction;
  readonly sellable: Fraction;
  /** Shares of other accounts that count in the weights. */
  readonly elsewhere: Fraction;
  /** Per share at the known price, in the account currency. */
  readonly price: Fraction;
  /** Of the shares held here and elsewhere, at the known price. */
  readonly value: Fraction;
  readonly order: Readonly<Record<PlanSide, OrderTerms>>;
}

/** What one share costs or brings in an order. */
interface OrderTerms {
  /** In the instrument's currency; undefined for a market order. */
  readonly limitPrice: Fraction | undefined;
  /** Per share before charges, in the account currency. */
  readonly price: Fraction;
  /** Per share with charges: what a buy is expected to take, or a sell to bring. */
  readonly net: Fraction;
  /** The same as the most that a buy takes, or the least that a sell brings. */
  readonly bound: Fraction;
}

/** A market order can cost or miss this part of its value, because the known price is not a quote. */
const marketMargin = Fraction.parse('0.02');

/** Values an asset; undefined when its price or its exchange rate is unknown. */
export function valueAsset(asset: PlanAsset, request: PlanRequest): ValuedAsset | undefined {
  if (asset.price === undefined || asset.rate === undefined) return undefined;
  const rate = Fraction.parse(asset.rate);
  const price = Fraction.parse(asset.price).times(rate);
  const held = Fraction.parse(asset.held).max(zero);
  const elsewhere = Fraction.parse(asset.elsewhere ?? '0').max(zero);
  return {
    ticker: asset.ticker,
    asset,
    held,
    sellable: Fraction.parse(asset.sellable).max(zero).min(held),
    elsewhere,
    price,
    value: held.plus(elsewhere).times(price),
    order: {
      BUY: toTerms('BUY', asset, asset.price, rate, request),
      SELL: toTerms('SELL', asset, asset.price, rate, request),
    },
  };
}

function toTerms(
  side: PlanSide,
  { charges, priceDecimals }: PlanAsset,
  known: string,
  rate: Fraction,
  { orderType = 'MARKET', limitOffsetPercent = '0' }: PlanRequest,
): OrderTerms {
  const chargeRate = sum((charges[side] ?? []).map((charge) => Fraction.parse(charge.rate)));
  const direction = side === 'BUY' ? one : zero.minus(one);
  const limitPrice =
    orderType === 'MARKET'
      ? undefined
      : Fraction.parse(known)
          .times(one.plus(direction.times(Fraction.parse(limitOffsetPercent)).div(hundred)))
          .round(priceDecimals, side === 'BUY' ? 'down' : 'up');
  const price = (limitPrice ?? Fraction.parse(known)).times(rate);
  const net = price.times(one.plus(direction.times(chargeRate)));
  const margin = price.times(limitPrice ? zero : marketMargin);
  // The charges of a buy grow with its cost; those of a sell are subtracted in full.
  const bound = side === 'BUY' ? price.plus(margin).times(one.plus(chargeRate)) : net.minus(margin).max(zero);
  return { limitPrice, price, net, bound };
}

/** By falling value, then by ticker, so that the order of the arguments does not matter. */
export const largestFirst =
  <Item extends { readonly ticker: string }>(getValue: (item: Item) => Fraction) =>
  (a: Item, b: Item): number =>
    getValue(b).compare(getValue(a)) || (a.ticker < b.ticker ? -1 : 1);
