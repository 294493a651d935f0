/** What every method answers: of each sale, which parts have which cost. */
import { prorate } from './fixed-point.ts';
import type { MatchRule } from './gain-types.ts';
import type { Movement } from './holding-events.ts';

/** Units and cost in whole numbers (fixed-point.ts). */
export interface Lot {
  units: bigint;
  cost: bigint;
}

export interface LotMatch {
  readonly rule: MatchRule;
  readonly units: bigint;
  readonly cost: bigint;
  readonly acquiredAt?: number;
}

/** One sale, or all of a day where the method takes them as one. */
export interface MatchedSale {
  /** Of the first sale. */
  readonly at: number;
  /** Several tickers are joined by `jointly`. */
  readonly ticker: string;
  readonly units: bigint;
  /** Units for 10^-scale.quantity of a share, when the last of it was sold. */
  readonly weight: bigint;
  readonly amount: bigint;
  /** The broker's own; undefined where the service gave none, and for a day. */
  readonly result?: bigint | undefined;
  readonly pieces: readonly LotMatch[];
  /** Units for which there is no cost. */
  readonly missing: bigint;
}

export const lotNameSeparator = ' + ';

/** A sale by itself. (Its figures alone are kept: of decades of sales the rest would be most of the memory.) */
export const matchedSale = (
  { trade, units, weight, amount, result }: Movement,
  pieces: readonly LotMatch[],
  missing: bigint,
): MatchedSale => ({ at: trade.at, ticker: trade.ticker, units, weight, amount, result, pieces, missing });

export interface Matching {
  readonly sales: readonly MatchedSale[];
  readonly left: Lot;
  readonly removedCost: bigint;
  /** Units that left in another way than by a sale and are not known to have been held. */
  readonly missingRemoved: bigint;
}

/** Takes up to so many units out, with their part of the cost; what is cut off stays in the lot. */
export function consumeLot(lot: Lot, most: bigint): Lot {
  const units = most < lot.units ? most : lot.units;
  const cost = prorate(lot.cost, units, lot.units);
  lot.units -= units;
  lot.cost -= cost;
  return { units, cost };
}
