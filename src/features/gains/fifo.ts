/** First in, first out: a sale takes the oldest shares held. */
import type { Trade } from '../analytics/trades.ts';
import type { CarriedPart } from './exchanges.ts';
import { prorate } from './fixed-point.ts';
import type { Movement } from './holding-events.ts';
import {
  addToLot,
  type CostChange,
  type CostChangeEffect,
  changeCost,
  consumeLot,
  emptyLot,
  type Lot,
  type LotMatch,
  type MatchedSale,
  type Matching,
  matchedSale,
} from './lot-matching.ts';

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
