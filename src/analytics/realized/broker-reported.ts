/** The broker's own result of each sale; its cost is what that result leaves of the proceeds. */
import type { Movement } from './holding-events.ts';
import { type MatchedSale, type Matching, matchedSale } from './lot-matching.ts';

/** A sale without a result (docs/interface.md, Fields and shapes) has no cost: all of it is missing. */
export function matchBroker(movements: readonly Movement[]): Matching {
  const sales = movements.flatMap((sale): MatchedSale | readonly never[] => {
    const { kind, units, amount, result } = sale;
    if (kind !== 'sold') return [];
    if (result === undefined) return matchedSale(sale, [], units);
    return matchedSale(sale, [{ rule: 'broker', units, cost: amount - result }], 0n);
  });
  return { sales, left: { units: 0n, cost: 0n }, removedCost: 0n, missingRemoved: 0n };
}
