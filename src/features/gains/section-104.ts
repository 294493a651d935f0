/**
 * The share identification rules for UK capital gains tax on disposals since 6 April 2008 (HMRC Capital Gains
 * Manual CG51550 and following; TCGA 1992 sections 104, 105 and 106A). A sale is matched first with shares acquired
 * on the same day, then with shares acquired in the 30 days after it, earliest first, and then with the pool of all
 * other shares.
 * A split within the 30 days is detected only if shares were held through it, because the rows have no ratio.
 */

import type { Trade } from '../analytics/trades.ts';
import type { Movement } from './holding-events.ts';
import { toLondonDay } from './london-day.ts';
import {
  addToLot,
  type CostChangeEffect,
  carriedFromPool,
  changeCost,
  consumeLot,
  emptyLot,
  isPoolCostUnknown,
  type Lot,
  type LotMatch,
  lotNameSeparator,
  type MatchedSale,
  type Matching,
  matchedSale,
} from './lot-matching.ts';
import type { CarriedPart } from './share-exchanges.ts';

const laterDays = 30;

interface Day {
  readonly day: number;
  /** All purchases of the day as one lot; each rule takes its part. */
  readonly acquired: Lot;
  acquiredAt: number;
  /**
   * Shares from a reorganisation or a transfer are no purchase that a sale can be matched with, so they join the
   * pool (ss 127 and 128).
   */
  pooled: Lot | undefined;
  sales: Movement[] | undefined;
  /** Changes of the pool's cost. */
  costChanges: Movement[] | undefined;
  pieces: LotMatch[] | undefined;
  /** Units of the day's sales that are not yet matched. */
  open: bigint;
  /** Those of them that the pool holds without a known cost. */
  transferred: bigint;
  /** The pool after the day's sales; undefined without sales. */
  poolAfter: Lot | undefined;
  removed: Movement[] | undefined;
  /** Income of a fund, which belongs to the shares held at the end of the day. */
  income: Movement[] | undefined;
}

export function matchSection104(movements: readonly Movement[]): Matching {
  const days = groupByDay(sortByAcquisition(movements));
  for (const day of days) identify(day, day, 'same_day');
  days.forEach((day, index) => {
    for (let next = index + 1; day.open > 0n; next++) {
      const later = days[next];
      if (!later || later.day > day.day + laterDays) break;
      identify(day, later, 'thirty_day');
    }
  });

  const pool = emptyLot();
  const costChanges: CostChangeEffect[] = [];
  const carried = new Map<Trade, CarriedPart[]>();
  let removedCost = 0n;
  let missingRemoved = 0n;
  for (const day of days) {
    mergeLot(pool, day.acquired);
    if (day.pooled) mergeLot(pool, day.pooled);
    costChanges.push(...serveDay(pool, day));
    for (const { kind, trade, units } of day.removed ?? []) {
      const isUnknown = isPoolCostUnknown(pool);
      const taken = consumeLot(pool, units);
      missingRemoved += units - taken.units;
      if (kind === 'carried') carried.set(trade, carriedFromPool(taken, units - taken.units, isUnknown));
      else removedCost += taken.cost;
    }
    for (const { trade, amount } of day.income ?? []) costChanges.push({ trade, ...changeCost(pool, amount) });
  }
  return {
    sales: days.flatMap((day) => toSale(day) ?? []),
    costChanges,
    carried,
    left: pool,
    removedCost,
    missingRemoved,
  };
}

/** Takes the open units of the day from the pool and changes its cost. Returns what each change did. */
function serveDay(pool: Lot, day: Day): readonly CostChangeEffect[] {
  const { sales, costChanges: changes = [] } = day;
  if (!sales) return changes.map(({ trade, amount }) => ({ trade, ...changeCost(pool, amount) }));
  if (isPoolCostUnknown(pool)) {
    day.transferred = consumeLot(pool, day.open).units;
    day.poolAfter = { ...pool };
    return changes.map(({ trade }) => ({ trade, changed: 0n, beyond: 0n }));
  }
  if (changes.length === 0) {
    identify(day, { acquired: pool }, 'section_104');
    day.poolAfter = { ...pool };
    return [];
  }
  const { units, cost, poolAfter, effects } = takeFromPool(pool, { sales, changes, open: day.open });
  day.open -= units;
  day.poolAfter = poolAfter;
  if (units > 0n) addPiece(day, { rule: 'section_104', units, cost });
  return effects;
}

/** Combines the sales of a day into one. */
function toSale({ sales, pieces = [], open, transferred, poolAfter }: Day): MatchedSale | undefined {
  const [first, ...others] = sales ?? [];
  if (!first) return undefined;
  if (others.length === 0) return matchedSale(first, pieces, open, transferred, poolAfter);
  const all = [first, ...others];
  const sum = (getFigure: (sale: Movement) => bigint) => all.reduce((total, sale) => total + getFigure(sale), 0n);
  return {
    at: first.trade.at,
    ticker: [...new Set(all.map(({ trade }) => trade.ticker))].join(lotNameSeparator),
    units: sum(({ units }) => units),
    weight: all.at(-1)?.weight ?? 1n,
    amount: sum(({ amount }) => amount),
    trades: all.map(({ trade }) => trade),
    pieces,
    missing: open,
    transferred,
    poolAfter,
  };
}

function mergeLot(pool: Lot, { units, cost, unknown }: Lot): void {
  pool.units += units;
  pool.cost += cost;
  pool.unknown += unknown;
}

/** Matches as many of the day's open units as possible. */
function identify(
  day: Day,
  { acquired, acquiredAt }: { readonly acquired: Lot; readonly acquiredAt?: number },
  rule: LotMatch['rule'],
): void {
  if (day.open === 0n || acquired.units === 0n) return;
  const { units, cost } = consumeLot(acquired, day.open);
  day.open -= units;
  addPiece(day, acquiredAt === undefined ? { rule, units, cost } : { rule, units, cost, acquiredAt });
}

function addPiece(day: Day, piece: LotMatch): void {
  // An array that grows by push has room for sixteen more.
  day.pieces = day.pieces ? [...day.pieces, piece] : [piece];
}

/** Shares that were transferred in count from the day on which they were acquired elsewhere. */
const sortByAcquisition = (movements: readonly Movement[]): readonly Movement[] =>
  movements.some(({ at, trade }) => at !== trade.at) ? movements.toSorted((a, b) => a.at - b.at) : movements;

/** The days with movements, in order. */
function groupByDay(movements: readonly Movement[]): Day[] {
  const days: Day[] = [];
  for (const movement of movements) {
    const { kind, at, units } = movement;
    const today = toLondonDay(at);
    let day = days.at(-1);
    if (day?.day !== today) {
      day = newDay(today, at);
      days.push(day);
    }
    if (kind === 'acquired' && !movement.isPurchase) {
      day.pooled ??= emptyLot();
      addToLot(day.pooled, movement);
    } else if (kind === 'acquired') {
      if (day.acquired.units === 0n) day.acquiredAt = at;
      addToLot(day.acquired, movement);
    } else if (kind === 'sold') {
      if (day.sales) day.sales.push(movement);
      else day.sales = [movement];
      day.open += units;
    } else if (kind === 'cost_changed') {
      const name = movement.trade.type === 'REPORTABLE_INCOME' ? 'income' : 'costChanges';
      day[name] ??= [];
      day[name].push(movement);
    } else {
      day.removed ??= [];
      day.removed.push(movement);
    }
  }
  return days;
}

const newDay = (day: number, at: number): Day => ({
  day,
  acquired: emptyLot(),
  acquiredAt: at,
  pooled: undefined,
  sales: undefined,
  pieces: undefined,
  open: 0n,
  transferred: 0n,
  poolAfter: undefined,
  removed: undefined,
  costChanges: undefined,
  income: undefined,
});

// A day on which shares leave a section 104 pool and its cost changes, in the order of time.

interface PoolDay {
  /** In the order of execution. */
  readonly sales: readonly Movement[];
  readonly changes: readonly Movement[];
  /** Units of the sales that no purchase is matched with. */
  readonly open: bigint;
}

interface TakenFromPool {
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
