/** What the planner decided, before it is written as a plan. */

import { type Fraction, one, sum, zero } from './fraction.ts';
import type { Plan, PlanRequest } from './plan-types.ts';
import { type SizedOrder, sizeBuy, type ValuedAsset } from './size-order.ts';
import type { WantedChange } from './wanted-change.ts';

/** The numbers of a request, with defaults. Amounts are in the account currency. */
export interface PlanTerms {
  readonly amount: Fraction;
  /** Percentage points. */
  readonly band: Fraction;
  readonly minValue: Fraction;
  readonly keepCash: Fraction;
  /** Cash that may be spent; below zero when more has to stay than there is. */
  readonly available: Fraction;
  /** Cash that counts in the weights before the plan: that of all accounts; zero where they are of one account. */
  readonly cashOfAll: Fraction;
  /** The part of it that the plan neither spends nor pays out. */
  readonly idle: Fraction;
}

/** The orders, and what the goal wanted. */
export interface PlannedOrders {
  readonly wanted: readonly WantedChange[];
  readonly orders: readonly SizedOrder[];
  /** The value that weights after the plan are of. */
  readonly base: Fraction;
}

export interface DecidedPlan extends PlannedOrders {
  readonly request: PlanRequest;
  readonly terms: PlanTerms;
  /** Present cash. */
  readonly cash: Fraction;
  /** What was left out before anything was computed. */
  readonly dropped: Plan['dropped'];
}

// Fits purchases into present cash and the proceeds of the sales.

interface CashTerms {
  /** Cash that may be used, in the account currency. */
  readonly available: Fraction;
  /** The part of it that the goal wants to spend. */
  readonly amount: Fraction;
  readonly minValue: Fraction;
}

interface WantedPurchase {
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
