/** Sells step by step until the amount is raised. */
import { Fraction, sum, zero } from './fraction.ts';
import type { SellStep } from './raise.ts';
import { leaveNoRemnant, orderValue, roundSale, type SizedOrder } from './size-order.ts';
import type { ValuedAsset } from './valued-asset.ts';

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
