/** Uses the broker's own result of each sale; the cost is the proceeds minus that result. */
import type { Movement } from './holding-events.ts';
import { emptyLot, type MatchedSale, type Matching, matchedSale } from './lot-matching.ts';

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
