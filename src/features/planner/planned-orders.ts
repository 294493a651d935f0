/** What the planner decided, before it is written as a plan. */
import type { Fraction } from './fraction.ts';
import type { Plan, PlanRequest } from './plan-types.ts';
import type { SizedOrder } from './size-order.ts';
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
