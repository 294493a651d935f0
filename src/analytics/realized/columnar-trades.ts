/**
 * Trades with their figures as whole numbers, gathered by holding. They are read in one go, in the order
 * in which they lie in memory: holding by holding the same work takes three times as long.
 */
import type { Trade } from '../trades.ts';
import { type Scale, toWhole } from './fixed-point.ts';

/** Rows of one ticker or of one share class, oldest first; four lists that run side by side. */
export interface HoldingRows {
  readonly trades: Trade[];
  /** Shares that the trade adds (or takes, below zero), in 10^-scale.quantity. */
  readonly changes: bigint[];
  /** What was paid or received, in 10^-scale.money; 0 where the service gave no value. */
  readonly amounts: bigint[];
  /** The broker's own result, in 10^-scale.money; undefined where the service gave none. */
  readonly results: (bigint | undefined)[];
}

export function rowsOf(
  trades: readonly Trade[],
  keyOf: (ticker: string) => string,
  scale: Scale,
): Map<string, HoldingRows> {
  const holdings = new Map<string, HoldingRows>();
  for (const trade of trades) {
    const rows = holdingIn(holdings, keyOf(trade.ticker));
    rows.trades.push(trade);
    rows.changes.push(changeOf(trade, scale));
    rows.amounts.push(trade.netValue ? toWhole(trade.netValue, scale.money) : 0n);
    rows.results.push(resultOf(trade, scale));
  }
  return holdings;
}

/** The rows of a share class, listing by listing. */
export function rowsByTicker({ trades, changes, amounts, results }: HoldingRows): HoldingRows[] {
  const holdings = new Map<string, HoldingRows>();
  trades.forEach((trade, index) => {
    const rows = holdingIn(holdings, trade.ticker);
    rows.trades.push(trade);
    rows.changes.push(changes[index] ?? 0n);
    rows.amounts.push(amounts[index] ?? 0n);
    rows.results.push(results[index]);
  });
  return [...holdings.values()];
}

function holdingIn(holdings: Map<string, HoldingRows>, key: string): HoldingRows {
  const known = holdings.get(key);
  if (known) return known;
  const rows: HoldingRows = { trades: [], changes: [], amounts: [], results: [] };
  holdings.set(key, rows);
  return rows;
}

/** Some services write what a sale or a removal takes away without a minus. */
function changeOf({ side, quantity }: Trade, scale: Scale): bigint {
  const change = toWhole(quantity, scale.quantity);
  return side === 'SELL' && change > 0n ? -change : change;
}

/** A purchase has none, though services write 0 for it. */
const resultOf = ({ side, realisedProfitLoss }: Trade, scale: Scale): bigint | undefined =>
  side === 'SELL' && realisedProfitLoss ? toWhole(realisedProfitLoss, scale.money) : undefined;
