/** First in, first out: a sale takes the oldest shares held. */

import type { Trade } from '../analytics/trades.ts';
import { prorate } from './fixed-point.ts';
import type { Movement } from './holding-events.ts';
import {
  addToLot,
  type CostChange,
  type CostChangeEffect,
  carriedFromPool,
  changeCost,
  consumeLot,
  emptyLot,
  isPoolCostUnknown,
  type Lot,
  type LotMatch,
  type MatchedSale,
  type Matching,
  matchedSale,
} from './lot-matching.ts';
import type { CarriedPart } from './share-exchanges.ts';

export function matchFifo(movements: readonly Movement[]): Matching {
  const lots: (Lot & { readonly at: number })[] = [];
  // Lots before this index are used up. Removing them from the front of the array would move all others.
  let oldest = 0;
  const sales: MatchedSale[] = [];
  const costChanges: CostChangeEffect[] = [];
  const carried = new Map<Trade, CarriedPart[]>();
  let removedCost = 0n;
  let missingRemoved = 0n;

  for (const movement of movements) {
    const { kind, at, units } = movement;
    if (kind === 'acquired') {
      const lot = { at, ...emptyLot() };
      addToLot(lot, movement);
      // Shares that were transferred in can be older than others in the account.
      const place = lots.findLastIndex((other) => other.at <= at) + 1;
      if (place === lots.length) lots.push(lot);
      else lots.splice(Math.max(place, oldest), 0, lot);
      continue;
    }
    if (kind === 'cost_changed') {
      costChanges.push({ trade: movement.trade, ...spreadCost(lots.slice(oldest), movement.amount) });
      continue;
    }
    const pieces: LotMatch[] = [];
    const parts: CarriedPart[] = [];
    let missing = units;
    let transferred = 0n;
    for (let lot = lots[oldest]; lot && missing > 0n; lot = lots[oldest]) {
      const { units: taken, cost, unknown } = consumeLot(lot, missing);
      if (lot.units === 0n) oldest++;
      if (unknown > 0n) transferred += unknown;
      else pieces.push({ rule: 'fifo', units: taken, cost, acquiredAt: lot.at });
      if (kind === 'carried') parts.push({ units: taken, cost: unknown > 0n ? undefined : cost, acquiredAt: lot.at });
      missing -= taken;
    }
    if (kind === 'sold') {
      sales.push(matchedSale(movement, pieces, missing + transferred, transferred));
      continue;
    }
    missingRemoved += missing;
    if (missing > 0n) parts.push({ units: missing, cost: undefined });
    if (kind === 'carried') carried.set(movement.trade, parts);
    else for (const { cost } of pieces) removedCost += cost;
  }
  const left = emptyLot();
  for (const lot of lots.slice(oldest)) {
    left.units += lot.units;
    left.cost += lot.cost;
    left.unknown += lot.unknown;
  }
  return { sales, costChanges, carried, left, removedCost, missingRemoved };
}

/** Each share has the same part of a change of cost. */
function spreadCost(lots: readonly Lot[], amount: bigint): CostChange {
  let units = lots.reduce((sum, lot) => sum + lot.units, 0n);
  if (units === 0n) return { changed: 0n, beyond: amount < 0n ? -amount : 0n };
  let [rest, changed, beyond] = [amount, 0n, 0n];
  for (const lot of lots) {
    const part = prorate(rest, lot.units, units);
    const change = changeCost(lot, part);
    changed += change.changed;
    beyond += change.beyond;
    rest -= part;
    units -= lot.units;
  }
  return { changed, beyond };
}

// Average cost: all shares of a holding have the same cost, and a sale does not change it.

export function matchAverage(movements: readonly Movement[]): Matching {
  const pool = emptyLot();
  const sales: MatchedSale[] = [];
  const costChanges: CostChangeEffect[] = [];
  const carried = new Map<Trade, CarriedPart[]>();
  let removedCost = 0n;
  let missingRemoved = 0n;
  for (const movement of movements) {
    const { kind, units, trade } = movement;
    if (kind === 'acquired') addToLot(pool, movement);
    else if (kind === 'cost_changed') costChanges.push({ trade, ...changeCost(pool, movement.amount) });
    else {
      const isUnknown = isPoolCostUnknown(pool);
      const taken = consumeLot(pool, units);
      const missing = units - taken.units;
      if (kind === 'sold' && isUnknown) sales.push(matchedSale(movement, [], units, taken.units));
      else if (kind === 'sold') {
        const piece = { rule: 'average', units: taken.units, cost: taken.cost } as const;
        sales.push(matchedSale(movement, taken.units > 0n ? [piece] : [], missing));
      } else {
        missingRemoved += missing;
        if (kind === 'carried') carried.set(trade, carriedFromPool(taken, missing, isUnknown));
        else removedCost += taken.cost;
      }
    }
  }
  return { sales, costChanges, carried, left: pool, removedCost, missingRemoved };
}

// Uses the broker's own result of each sale; the cost is the proceeds minus that result.

/** A sale without a result (docs/interface.md, Fields and shapes) has no cost, so all its units are missing. */
export function matchBroker(movements: readonly Movement[]): Matching {
  const sales = movements.flatMap((sale): MatchedSale | readonly never[] => {
    const { kind, units, amount, result } = sale;
    if (kind !== 'sold' && (kind !== 'exchanged' || result === undefined)) return [];
    if (result === undefined) return matchedSale(sale, [], units);
    return matchedSale(sale, [{ rule: 'broker', units, cost: amount - result }], 0n);
  });
  return {
    sales,
    costChanges: [],
    carried: new Map(),
    left: emptyLot(),
    removedCost: 0n,
    missingRemoved: 0n,
  };
}
