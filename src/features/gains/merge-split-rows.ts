/** Joins the rows of one split that is booked as a close of all shares and an open of the new ones. */
import { getFillMeaning } from '../analytics/fill-types.ts';
import { computeSum, zero } from '../analytics/sums.ts';
import { type Trade, toChange } from '../analytics/trades.ts';

/** The two rows come in either order, at most this far apart. */
const sameSplitMs = 1_000;

/**
 * The trades with the rows of one split of one ticker as one row, whose quantity is the change of the holding and whose
 * value is the difference of theirs.
 * Between the two rows nothing would be held, and no ratio could be found.
 */
export function mergeSplitRows(trades: readonly Trade[]): readonly Trade[] {
  const isSplit = ({ type }: Trade) => getFillMeaning(type) === 'split';
  if (!trades.some(isSplit)) return trades;
  const merged: Trade[] = [];
  const lastSplit = new Map<string, { readonly index: number; readonly rows: Trade[] }>();
  for (const trade of trades) {
    const last = isSplit(trade) ? lastSplit.get(trade.ticker) : undefined;
    if (last && trade.at - (last.rows.at(-1)?.at ?? 0) <= sameSplitMs) {
      last.rows.push(trade);
      merged[last.index] = joinRows(last.rows);
      continue;
    }
    if (isSplit(trade)) lastSplit.set(trade.ticker, { index: merged.length, rows: [trade] });
    merged.push(trade);
  }
  return merged;
}

function joinRows(rows: readonly Trade[]): Trade {
  const [first] = rows as readonly [Trade];
  const change = computeSum(rows.map(toChange));
  // Both rows are booked at the value of the shares; only a difference is money.
  const received = computeSum(rows.map(({ side, netValue = zero }) => (side === 'SELL' ? netValue : netValue.neg())));
  return {
    at: first.at,
    ticker: first.ticker,
    isin: first.isin,
    currency: first.currency,
    side: change.lt(0) ? 'SELL' : 'BUY',
    type: first.type,
    quantity: change,
    price: undefined,
    netValue: received.eq(0) ? undefined : received.abs(),
    valueCurrency: first.valueCurrency,
    realisedProfitLoss: undefined,
    charges: [],
    orderId: first.orderId,
    fillId: first.fillId,
  };
}
