/** The result of every method: the parts of each sale and their cost. */
import { prorate } from './fixed-point.ts';
import type { MatchRule } from './gain-types.ts';
import type { Movement } from './holding-events.ts';

/** Units and cost as integers (fixed-point.ts). */
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

/** One sale, or all sales of a day if the method combines them. */
export interface MatchedSale {
  /** The time of the first sale (ms). */
  readonly at: number;
  /** Several tickers are joined by `lotNameSeparator`. */
  readonly ticker: string;
  readonly units: bigint;
  /** Units in 10^-scale.quantity of a share, at the last of these sales. */
  readonly weight: bigint;
  readonly amount: bigint;
  /** The broker's own result; undefined if the service reported none, and for combined sales. */
  readonly result?: bigint | undefined;
  readonly pieces: readonly LotMatch[];
  /** Units without a known cost. */
  readonly missing: bigint;
}

export const lotNameSeparator = ' + ';

/**
 * A single sale as a matched sale. It copies only the figures, because keeping the movements of decades of sales
 * would use most of the memory.
 */
export const matchedSale = (
  { trade, units, weight, amount, result }: Movement,
  pieces: readonly LotMatch[],
  missing: bigint,
): MatchedSale => ({ at: trade.at, ticker: trade.ticker, units, weight, amount, result, pieces, missing });

export interface Matching {
  readonly sales: readonly MatchedSale[];
  readonly left: Lot;
  readonly removedCost: bigint;
  /** Units that left other than by a sale and are not known to have been held. */
  readonly missingRemoved: bigint;
}

/** Removes up to `most` units and their part of the cost; what the division truncates stays in the lot. */
export function consumeLot(lot: Lot, most: bigint): Lot {
  const units = most < lot.units ? most : lot.units;
  const cost = prorate(lot.cost, units, lot.units);
  lot.units -= units;
  lot.cost -= cost;
  return { units, cost };
}
