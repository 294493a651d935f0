/** What every method answers: of each sale, which parts have which cost. */
import { partOf } from './fixed-point.ts';
import type { Movement } from './movements.ts';
import type { MatchRule } from './types.ts';

/** Units and cost in whole numbers (fixed-point.ts). */
export interface Lot {
  units: bigint;
  cost: bigint;
}

export interface Piece {
  readonly rule: MatchRule;
  readonly units: bigint;
  readonly cost: bigint;
  readonly acquiredAt?: number;
}

/** The sales of one movement, or of one day where the method takes a day as one. */
export interface MatchedSale {
  readonly sales: readonly [Movement, ...Movement[]];
  readonly pieces: readonly Piece[];
  /** Units for which there is no cost. */
  readonly missing: bigint;
}

export interface Matching {
  readonly sales: readonly MatchedSale[];
  readonly left: Lot;
  readonly removedCost: bigint;
  /** Units that left in another way than by a sale and are not known to have been held. */
  readonly missingRemoved: bigint;
}

/** Takes up to so many units out, with their part of the cost; what is cut off stays in the lot. */
export function takeFrom(lot: Lot, most: bigint): Lot {
  const units = most < lot.units ? most : lot.units;
  const cost = partOf(lot.cost, units, lot.units);
  lot.units -= units;
  lot.cost -= cost;
  return { units, cost };
}
