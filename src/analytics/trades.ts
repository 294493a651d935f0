/** Rows of the order history as trades: one form for whatever signs and gaps a service has. */
import Big from 'big.js';
import type { HistoricalOrder } from '../catalogue/index.ts';
import { tickerOf } from '../catalogue/ticker-of.ts';

/** One execution. Amounts are in the account's currency, `price` in the instrument's (GBX is pence). */
export interface Trade {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly ticker: string;
  readonly isin: string | undefined;
  /** Of the instrument. */
  readonly currency: string | undefined;
  readonly side: 'BUY' | 'SELL';
  /** `TRADE`, or one of the corporate actions of interface.md section 2 (`STOCK_SPLIT`, …), or an unknown word. */
  readonly type: string;
  /** Positive, except where a corporate action takes shares away. */
  readonly quantity: Big;
  readonly price: Big | undefined;
  /** What was paid or received, charges included; positive. Undefined when the service did not say. */
  readonly netValue: Big | undefined;
  /** The broker's own figure. */
  readonly realisedProfitLoss: Big | undefined;
  readonly charges: readonly { readonly name: string; readonly amount: Big; readonly currency: string | undefined }[];
  readonly orderId: string | undefined;
  readonly fillId: string | undefined;
}

const big = (text: string | undefined): Big | undefined => (text === undefined ? undefined : new Big(text));

/**
 * The trade behind a row; undefined for a row without an execution (a cancelled order). Sales are told
 * by `side`, and where that is missing by the sign of the quantity, because services differ in the signs.
 */
export function tradeOf(row: HistoricalOrder): Trade | undefined {
  const { order, fill } = row;
  const quantity = big(fill?.quantity);
  const at = Date.parse(fill?.filledAt ?? order?.createdAt ?? '');
  const ticker = tickerOf(order);
  if (!fill || quantity === undefined || Number.isNaN(at) || ticker === undefined) return undefined;
  const type = fill.type ?? 'TRADE';
  const isSale = order?.side === 'SELL' || (order?.side === undefined && quantity.lt(0));
  return {
    at,
    ticker,
    isin: order?.instrument?.isin,
    currency: order?.instrument?.currency ?? order?.currency,
    side: isSale ? 'SELL' : 'BUY',
    type,
    quantity: type === 'TRADE' ? quantity.abs() : quantity,
    price: big(fill.price),
    netValue: big(fill.walletImpact?.netValue)?.abs(),
    realisedProfitLoss: big(fill.walletImpact?.realisedProfitLoss),
    charges: (fill.walletImpact?.taxes ?? []).map((tax) => ({
      name: tax.name ?? 'UNKNOWN',
      amount: (big(tax.quantity) ?? new Big(0)).abs(),
      currency: tax.currency,
    })),
    orderId: order?.id,
    fillId: fill.id,
  };
}

/** All trades among the rows, oldest first; rows of one moment stay in their order. */
export const tradesOf = (rows: readonly HistoricalOrder[]): Trade[] =>
  rows.flatMap((row) => tradeOf(row) ?? []).sort((a, b) => a.at - b.at);
