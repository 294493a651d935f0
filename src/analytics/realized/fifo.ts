/** First in, first out: a sale takes the oldest shares held. */
import { prorate } from './fixed-point.ts';
import type { Movement } from './holding-events.ts';
import {
  addToLot,
  type BeyondCost,
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
  const beyondCost: BeyondCost[] = [];
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
      const amount = spreadCost(lots.slice(oldest), movement.amount);
      if (amount > 0n) beyondCost.push({ trade: movement.trade, amount });
      continue;
    }
    const pieces: LotMatch[] = [];
    let missing = units;
    let transferred = 0n;
    for (let lot = lots[oldest]; lot && missing > 0n; lot = lots[oldest]) {
      const { units: taken, cost, unknown } = consumeLot(lot, missing);
      if (lot.units === 0n) oldest++;
      if (unknown > 0n) transferred += unknown;
      else pieces.push({ rule: 'fifo', units: taken, cost, acquiredAt: lot.at });
      missing -= taken;
    }
    if (kind === 'sold') sales.push(matchedSale(movement, pieces, missing + transferred, transferred));
    else {
      for (const { cost } of pieces) removedCost += cost;
      missingRemoved += missing;
    }
  }
  const left = emptyLot();
  for (const lot of lots.slice(oldest)) {
    left.units += lot.units;
    left.cost += lot.cost;
    left.unknown += lot.unknown;
  }
  return { sales, beyondCost, left, removedCost, missingRemoved };
}

/** Each share has the same part of a change of cost. Returns what no lot could give. */
function spreadCost(lots: readonly Lot[], amount: bigint): bigint {
  let units = lots.reduce((sum, lot) => sum + lot.units, 0n);
  if (units === 0n) return amount < 0n ? -amount : 0n;
  let [rest, beyond] = [amount, 0n];
  for (const lot of lots) {
    const part = prorate(rest, lot.units, units);
    beyond += changeCost(lot, part);
    rest -= part;
    units -= lot.units;
  }
  return beyond;
}
