/** Fits purchases into present cash and the proceeds of the sales. */
import { type Fraction, one, sum, zero } from './fraction.ts';
import { type SizedOrder, sizeBuy } from './size-order.ts';
import type { ValuedAsset } from './valued-asset.ts';

export interface CashTerms {
  /** Cash that may be used, in the account currency. */
  readonly available: Fraction;
  /** The part of it that the goal wants to spend. */
  readonly amount: Fraction;
  readonly minValue: Fraction;
}

export interface WantedPurchase {
  readonly asset: ValuedAsset;
  readonly wanted: Fraction;
}

/**
 * Sizes the purchases. One common factor scales all of them, so that the expected cost is at most `amount` and the
 * expected proceeds, and the highest cost is at most the available cash and the certain proceeds.
 */
export function buyWithCash(
  purchases: readonly WantedPurchase[],
  sells: readonly SizedOrder[],
  { available, amount, minValue }: CashTerms,
): SizedOrder[] {
  const proceeds = (term: 'net' | 'bound') =>
    sum(sells.map(({ asset, shares }) => shares.times(asset.order.SELL[term])));
  const cost = (term: 'net' | 'bound') =>
    sum(purchases.map(({ asset, wanted }) => wanted.times(asset.order.BUY[term])));
  const factor = one
    .min(computeFactor(amount.plus(proceeds('net')), cost('net')))
    .min(computeFactor(available.plus(proceeds('bound')), cost('bound')));
  return purchases.map(({ asset, wanted }) => sizeBuy(asset, { wanted, affordable: wanted.times(factor) }, minValue));
}

const computeFactor = (budget: Fraction, cost: Fraction): Fraction =>
  cost.gt(zero) ? budget.max(zero).div(cost) : one;
