/**
 * Exchanges of shares: those of one company leave for those of another without money. The new shares stand in the place
 * of the old (TCGA 1992 ss 127 and 135), so they have their cost.
 */

import { groupBy } from '../../core/text/group-by.ts';
import { getFillMeaning } from '../analytics/executions.ts';
import { type Trade, toChange } from '../analytics/trades.ts';
import type { CostBasis } from './cost-entries.ts';

export interface Exchange {
  /** The rows that removed the old shares, all of one ticker. */
  readonly left: readonly Trade[];
  /** The rows that brought the new shares, all of one ticker, which can be the same. */
  readonly came: readonly Trade[];
}

/** A part of the old shares. Integers (fixed-point.ts). */
export interface CarriedPart {
  readonly units: bigint;
  /** Undefined if it is unknown. */
  readonly cost: bigint | undefined;
  /** When they were acquired (ms); absent if they come from a pool. */
  readonly acquiredAt?: number;
}

/** Rows of one moment are one exchange … */
const sameMomentMs = 1_000;
/** … and those that no moment explains can be some days apart. */
const sameExchangeMs = 7 * 86_400_000;

/**
 * The exchanges, by each of their rows. An exchange is known where one ticker leaves and one comes: with more of them no
 * row says which cost belongs to which shares. A row with an entered cost is none, because the entry is what counts.
 */
export function findExchanges(trades: readonly Trade[], costBasis: CostBasis): ReadonlyMap<Trade, Exchange> {
  const found = new Map<Trade, Exchange>();
  const rows = trades.filter((trade) => getFillMeaning(trade.type) === 'takeover' && !costBasis(trade));
  // The rows of an exchange are in one account.
  for (const own of groupBy(rows, ({ account }) => account).values())
    for (const rangeMs of [sameMomentMs, sameExchangeMs])
      for (const near of clusterRows(
        own.filter((row) => !found.has(row)),
        rangeMs,
      )) {
        const exchange = toExchange(near);
        if (exchange) for (const row of near) found.set(row, exchange);
      }
  return found;
}

/** Rows that are at most this far from the first of their group; `rows` are in the order of time. */
function clusterRows(rows: readonly Trade[], rangeMs: number): Trade[][] {
  const groups: Trade[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0] && row.at - last[0].at <= rangeMs) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Money, or a type that names some, means that a part of the cost belongs to it. */
function toExchange(rows: readonly Trade[]): Exchange | undefined {
  if (!rows.every(({ type, netValue }) => type === 'STOCK_ACQUISITION' && !netValue?.gt(0))) return undefined;
  const left = rows.filter((row) => toChange(row).lt(0));
  const came = rows.filter((row) => toChange(row).gt(0));
  const isOne = (list: readonly Trade[]) => new Set(list.map(({ ticker }) => ticker)).size === 1;
  return isOne(left) && isOne(came) && left.length + came.length === rows.length ? { left, came } : undefined;
}

/** Whether old and new shares are one holding, such as a renamed ticker of the same shares. `getKey` names the holding. */
export function isWithinHolding({ left, came }: Exchange, getKey: (trade: Trade) => string): boolean {
  const [old, fresh] = [left[0], came[0]];
  return old !== undefined && fresh !== undefined && getKey(old) === getKey(fresh);
}

/** Names the group of holdings that exchanges connect: the cost of one of them can come from another. */
export function connectHoldings(
  exchanges: ReadonlyMap<Trade, Exchange>,
  getKey: (trade: Pick<Trade, 'ticker'>) => string,
): (trade: Pick<Trade, 'ticker'>) => string {
  const parents = new Map<string, string>();
  const findRoot = (key: string): string => {
    let root = key;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    return root;
  };
  for (const {
    left: [old],
    came: [fresh],
  } of new Set(exchanges.values())) {
    if (!old || !fresh) continue;
    const [from, to] = [findRoot(getKey(old)), findRoot(getKey(fresh))];
    if (from !== to) parents.set(to, from);
  }
  return (trade) => findRoot(getKey(trade));
}

// Determines which tickers are the same class of shares.

export interface ShareClasses {
  /** Returns the name of a trade's class, the same for all its tickers. */
  readonly getClass: (trade: Pick<Trade, 'ticker'>) => string;
  /** Tickers that have had more than one ISIN. */
  readonly renamed: readonly string[];
}

/**
 * Tickers with the same ISIN are one class. So are all ISINs of one ticker, because a consolidation usually creates
 * a new ISIN, and the shares before and after it are the same holding.
 */
export function findShareClasses(trades: readonly Trade[]): ShareClasses {
  const parents = new Map<string, string>();
  const firstOfIsin = new Map<string, string>();
  const lastIsin = new Map<string, string>();
  const renamed = new Set<string>();

  const findRoot = (ticker: string): string => {
    const parent = parents.get(ticker);
    return parent === undefined ? ticker : findRoot(parent);
  };

  for (const { ticker, isin } of trades) {
    if (!isin || lastIsin.get(ticker) === isin) continue;
    if (lastIsin.has(ticker)) renamed.add(ticker);
    lastIsin.set(ticker, isin);
    const first = firstOfIsin.get(isin);
    if (first === undefined) firstOfIsin.set(isin, ticker);
    else if (findRoot(first) !== findRoot(ticker)) parents.set(findRoot(ticker), findRoot(first));
  }
  return { getClass: ({ ticker }) => findRoot(ticker), renamed: [...renamed].sort() };
}
