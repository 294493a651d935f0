/** Average cost: all shares of a holding have the same cost, and a sale does not change it. */
import type { Movement } from './holding-events.ts';
import { consumeLot, type Lot, type MatchedSale, type Matching, matchedSale } from './lot-matching.ts';

export function matchAverage(movements: readonly Movement[]): Matching {
  const pool: Lot = { units: 0n, cost: 0n };
  const sales: MatchedSale[] = [];
  let removedCost = 0n;
  let missingRemoved = 0n;
  for (const movement of movements) {
    const { kind, units, amount } = movement;
    if (kind === 'acquired') {
      pool.units += units;
      pool.cost += amount;
    } else {
      const taken = pool.units > 0n ? consumeLot(pool, units) : { units: 0n, cost: 0n };
      const missing = units - taken.units;
      if (kind === 'sold') {
        const pieces = taken.units > 0n ? [{ rule: 'average', ...taken } as const] : [];
        sales.push(matchedSale(movement, pieces, missing));
      } else {
        removedCost += taken.cost;
        missingRemoved += missing;
      }
    }
  }
  return { sales, left: pool, removedCost, missingRemoved };
}
