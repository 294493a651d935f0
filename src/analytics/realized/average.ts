/** Average cost: all shares of a holding have the same cost, and a sale does not change it. */
import type { Movement } from './holding-events.ts';
import {
  addToLot,
  type BeyondCost,
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
  const beyondCost: BeyondCost[] = [];
  let removedCost = 0n;
  let missingRemoved = 0n;
  for (const movement of movements) {
    const { kind, units } = movement;
    if (kind === 'acquired') addToLot(pool, movement);
    else if (kind === 'cost_changed') {
      const amount = changeCost(pool, movement.amount);
      if (amount > 0n) beyondCost.push({ trade: movement.trade, amount });
    } else {
      const isUnknown = isPoolCostUnknown(pool);
      const taken = consumeLot(pool, units);
      const missing = units - taken.units;
      if (kind === 'sold' && isUnknown) sales.push(matchedSale(movement, [], units, taken.units));
      else if (kind === 'sold') {
        const piece = { rule: 'average', units: taken.units, cost: taken.cost } as const;
        sales.push(matchedSale(movement, taken.units > 0n ? [piece] : [], missing));
      } else {
        removedCost += taken.cost;
        missingRemoved += missing;
      }
    }
  }
  return { sales, beyondCost, left: pool, removedCost, missingRemoved };
}
