/** What a goal asks of one ticker, before cash, rounding and minimums. */
import type { Fraction } from './fraction.ts';
import type { PlanReason } from './plan-types.ts';
import type { ValuedAsset } from './valued-asset.ts';

export interface WantedChange {
  readonly asset: ValuedAsset;
  /** The value that the goal asks for, in the account currency; undefined when it asks for none. */
  readonly target: Fraction | undefined;
  /** In the account currency at the known price: above zero to buy, below zero to sell. */
  readonly change: Fraction;
  /** Why the goal leaves a part of the way to the target. */
  readonly because?: PlanReason;
}

/** An asset and its weight as a fraction of one. */
export interface WeightedAsset {
  readonly asset: ValuedAsset;
  readonly weight: Fraction;
}
