/** Average cost: all shares of a holding have the same cost, and a sale does not change it. */
import type { Trade } from '../analytics/trades.ts';
import type { CarriedPart } from './exchanges.ts';
import type { Movement } from './holding-events.ts';
import {
  addToLot,
  type CostChangeEffect,
  carriedFromPool,
  changeCost,
  consumeLot,
  emptyLot,
  isPoolCostUnknown,
  type MatchedSale,
  type Matching,
  matchedSale,
} from './lot-matching.ts';

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
