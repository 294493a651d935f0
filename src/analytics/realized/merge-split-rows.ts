/** Joins the rows of one split that is booked as a close of all shares and an open of the new ones. */
import type Big from 'big.js';
import { getFillMeaning } from '../fill-types.ts';
import { type Trade, toChange } from '../trades.ts';

/** The two rows come in either order, at most this far apart. */
const sameSplitMs = 1_000;

/**
 * The trades with the rows of one split of one ticker as one row, whose quantity is the change of the holding.
 * Between the two rows nothing would be held, and no ratio could be found.
 */
export function mergeSplitRows(trades: readonly Trade[]): readonly Trade[] {
  const isSplit = ({ type }: Trade) => getFillMeaning(type) === 'split';
  if (!trades.some(isSplit)) return trades;
  const merged: Trade[] = [];
  const lastSplit = new Map<string, { readonly index: number; readonly at: number }>();
  for (const trade of trades) {
    const last = isSplit(trade) ? lastSplit.get(trade.ticker) : undefined;
    const first = last && merged[last.index];
    if (last && first && trade.at - last.at <= sameSplitMs) {
      merged[last.index] = withChange(first, toChange(first).plus(toChange(trade)));
      lastSplit.set(trade.ticker, { index: last.index, at: trade.at });
      continue;
    }
    if (isSplit(trade)) lastSplit.set(trade.ticker, { index: merged.length, at: trade.at });
    merged.push(trade);
  }
  return merged;
}

const withChange = (trade: Trade, change: Big): Trade => ({
  at: trade.at,
  ticker: trade.ticker,
  isin: trade.isin,
  currency: trade.currency,
  side: change.lt(0) ? 'SELL' : 'BUY',
  type: trade.type,
  quantity: change,
  price: undefined,
  netValue: undefined,
  valueCurrency: trade.valueCurrency,
  realisedProfitLoss: undefined,
  charges: [],
  orderId: trade.orderId,
  fillId: trade.fillId,
});
