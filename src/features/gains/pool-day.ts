/** A day on which shares leave a section 104 pool and its cost changes, in the order of time. */
import type { Movement } from './holding-events.ts';
import { type CostChangeEffect, changeCost, consumeLot, type Lot } from './lot-matching.ts';

export interface PoolDay {
  /** In the order of execution. */
  readonly sales: readonly Movement[];
  readonly changes: readonly Movement[];
  /** Units of the sales that no purchase is matched with. */
  readonly open: bigint;
}

export interface TakenFromPool {
  readonly units: bigint;
  readonly cost: bigint;
  /** The pool after the last sale. */
  readonly poolAfter: Lot;
  readonly effects: readonly CostChangeEffect[];
}

/**
 * Takes the shares of a day from a pool whose cost is known. The sales of a day are one disposal (TCGA 1992 s 105), so
 * each of them takes the same part of its shares from the pool. A change counts for the sales after it. What the pool
 * can no longer give is deducted from the cost that left with the sales before: the shares that had it were held on
 * that day.
 */
export function takeFromPool(pool: Lot, { sales, changes, open }: PoolDay): TakenFromPool {
  const units = open < pool.units ? open : pool.units;
  const total = sales.reduce((sum, sale) => sum + sale.units, 0n);
  // In units × total, so that the part of each sale is an integer.
  const rest: Lot = { units: pool.units * total, cost: pool.cost, unknown: 0n };
  let cost = 0n;
  let costAfter = pool.cost;
  const found: CostChangeEffect[] = [];
  for (const { kind, trade, units: sold, amount } of [...sales, ...changes].sort((a, b) => a.trade.at - b.trade.at)) {
    if (kind === 'cost_changed') found.push({ trade, ...changeCost(rest, amount) });
    else {
      cost += consumeLot(rest, sold * units).cost;
      costAfter = rest.cost;
    }
  }
  pool.units -= units;
  pool.cost = rest.cost;
  const effects = found.map(({ trade, changed, beyond }) => {
    const fromSales = beyond < cost ? beyond : cost;
    cost -= fromSales;
    return { trade, changed: changed - fromSales, beyond: beyond - fromSales };
  });
  return { units, cost, poolAfter: { units: pool.units, cost: costAfter, unknown: 0n }, effects };
}
