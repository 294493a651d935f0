/** The result of every method: the parts of each sale and their cost. */
import type { Trade } from '../analytics/trades.ts';
import { prorate } from './fixed-point.ts';
import type { MatchRule } from './gain-types.ts';
import type { Movement } from './holding-events.ts';
import type { CarriedPart } from './share-exchanges.ts';

/** Units and cost as integers (fixed-point.ts). */
export interface Lot {
  units: bigint;
  /** Of the units whose cost is known. */
  cost: bigint;
  /** Units that were transferred in, so that their cost is unknown. */
  unknown: bigint;
}

export const emptyLot = (): Lot => ({ units: 0n, cost: 0n, unknown: 0n });

/** Adds what a movement brought to a lot. */
export function addToLot(lot: Lot, { units, amount, isCostKnown }: Movement): void {
  lot.units += units;
  lot.cost += amount;
  if (!isCostKnown) lot.unknown += units;
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
  /** The sales themselves. */
  readonly trades: readonly Trade[];
  readonly units: bigint;
  /** Units in 10^-scale.quantity of a share, at the last of these sales. */
  readonly weight: bigint;
  readonly amount: bigint;
  /** The broker's own result; undefined if the service reported none, and for combined sales. */
  readonly result?: bigint | undefined;
  readonly pieces: readonly LotMatch[];
  /** Units without a known cost. */
  readonly missing: bigint;
  /** Those of them whose cost is unknown because shares were transferred in; the others were never held. */
  readonly transferred: bigint;
  /** Section 104 only: the pool after the sales of the day. */
  readonly poolAfter?: Lot | undefined;
}

export const lotNameSeparator = ' + ';

/** A single sale as a matched sale. */
export const matchedSale = (
  { trade, units, weight, amount, result }: Movement,
  pieces: readonly LotMatch[],
  missing: bigint,
  transferred = 0n,
  poolAfter: Lot | undefined = undefined,
): MatchedSale => ({
  at: trade.at,
  ticker: trade.ticker,
  trades: [trade],
  units,
  weight,
  amount,
  result,
  pieces,
  missing,
  transferred,
  poolAfter,
});

export interface Matching {
  readonly sales: readonly MatchedSale[];
  /** What each change of cost did. */
  readonly costChanges: readonly CostChangeEffect[];
  /** The shares that left in an exchange, by the row that removed them: their cost goes to other shares. */
  readonly carried: ReadonlyMap<Trade, readonly CarriedPart[]>;
  readonly left: Lot;
  /** The cost of what left other than by a sale or an exchange. */
  readonly removedCost: bigint;
  /** Units that left other than by a sale and are not known to have been held. */
  readonly missingRemoved: bigint;
}

/** In 10^-scale.money. */
export interface CostChange {
  /** What was added to the cost, below zero for what was deducted. */
  readonly changed: bigint;
  /** What would have taken the cost below zero; 0 or more. */
  readonly beyond: bigint;
}

export interface CostChangeEffect extends CostChange {
  readonly trade: Trade;
}

/** Adds an amount to the cost of a lot, or deducts it if it is negative. A lot without a known cost does not change. */
export function changeCost(lot: Lot, amount: bigint): CostChange {
  if (lot.unknown > 0n || (lot.units === 0n && amount > 0n)) return { changed: 0n, beyond: 0n };
  const changed = -amount > lot.cost ? -lot.cost : amount;
  lot.cost += changed;
  return { changed, beyond: changed - amount };
}

/** The shares that a pool gave in an exchange; those that were never held have no known cost. */
export function carriedFromPool({ units, cost }: Lot, missing: bigint, isUnknown: boolean): CarriedPart[] {
  const parts = [
    { units, cost: isUnknown ? undefined : cost },
    { units: missing, cost: undefined },
  ];
  return parts.filter((part) => part.units > 0n);
}

/**
 * Removes up to `most` units, their part of the cost and of the units without a cost; what the division truncates
 * stays in the lot.
 */
export function consumeLot(lot: Lot, most: bigint): Lot {
  const units = most < lot.units ? most : lot.units;
  if (units === 0n) return emptyLot();
  const cost = prorate(lot.cost, units, lot.units);
  const unknown = prorate(lot.unknown, units, lot.units);
  lot.units -= units;
  lot.cost -= cost;
  lot.unknown -= unknown;
  return { units, cost, unknown };
}

/**
 * Whether the cost of what is taken from a pool is unknown: a pool has one average cost, and none while a part of it
 * has no cost.
 */
export const isPoolCostUnknown = ({ unknown }: Lot): boolean => unknown > 0n;
