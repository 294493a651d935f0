/** Converts rows of the order history to trades, independent of the signs and missing fields of a service. */
import Big from 'big.js';
import { getTicker } from '../catalogue/get-ticker.ts';
import type { HistoricalOrder } from '../catalogue/index.ts';

/** One execution. Amounts are in the account's currency, `price` in the instrument's (GBX is pence). */
export interface Trade {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly ticker: string;
  readonly isin: string | undefined;
  /** The instrument's currency. */
  readonly currency: string | undefined;
  readonly side: 'BUY' | 'SELL';
  /** `TRADE`, a corporate action of docs/interface.md (`STOCK_SPLIT`, …), or an unknown type. */
  readonly type: string;
  /** Positive, except when a corporate action removes shares. */
  readonly quantity: Big;
  readonly price: Big | undefined;
  /** The amount paid or received, including charges; positive. Undefined if the service did not report it. */
  readonly netValue: Big | undefined;
  /** The broker's own result. */
  readonly realisedProfitLoss: Big | undefined;
  readonly charges: readonly { readonly name: string; readonly amount: Big; readonly currency: string | undefined }[];
  readonly orderId: string | undefined;
  readonly fillId: string | undefined;
}

const big = (text: string | undefined): Big | undefined => (text === undefined ? undefined : new Big(text));

/**
 * The trade of a row; undefined for a row without an execution (a cancelled order). `side` identifies a sale;
 * without it the sign of the quantity does, because services differ in their signs.
 */
export function toTrade(row: HistoricalOrder): Trade | undefined {
  const { order, fill } = row;
  const quantity = big(fill?.quantity);
  const at = Date.parse(fill?.filledAt ?? order?.createdAt ?? '');
  const ticker = getTicker(order);
  if (!fill || quantity === undefined || Number.isNaN(at) || ticker === undefined) return undefined;
  return new FilledOrder(row, fill, { at, ticker, quantity });
}

type Fill = NonNullable<HistoricalOrder['fill']>;

/**
 * Creates rarely used figures when they are read, because a decimal for each field of a long history takes longer
 * than the analysis.
 */
class FilledOrder implements Trade {
  readonly at: number;
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: string;
  readonly quantity: Big;
  readonly netValue: Big | undefined;
  readonly #order: HistoricalOrder['order'];
  readonly #fill: Fill;

  constructor({ order }: HistoricalOrder, fill: Fill, row: { at: number; ticker: string; quantity: Big }) {
    const isSale = order?.side === 'SELL' || (order?.side === undefined && row.quantity.lt(0));
    this.#order = order;
    this.#fill = fill;
    this.at = row.at;
    this.ticker = row.ticker;
    this.side = isSale ? 'SELL' : 'BUY';
    this.type = fill.type ?? 'TRADE';
    this.quantity = this.type === 'TRADE' ? row.quantity.abs() : row.quantity;
    this.netValue = big(fill.walletImpact?.netValue)?.abs();
  }

  get isin() {
    return this.#order?.instrument?.isin;
  }
  get currency() {
    return this.#order?.instrument?.currency ?? this.#order?.currency;
  }
  get price() {
    return big(this.#fill.price);
  }
  get realisedProfitLoss() {
    return big(this.#fill.walletImpact?.realisedProfitLoss);
  }
  get charges() {
    return (this.#fill.walletImpact?.taxes ?? []).map((tax) => ({
      name: tax.name ?? 'UNKNOWN',
      amount: (big(tax.quantity) ?? new Big(0)).abs(),
      currency: tax.currency,
    }));
  }
  get orderId() {
    return this.#order?.id;
  }
  get fillId() {
    return this.#fill.id;
  }
}

/** All trades of the rows, oldest first; rows of the same moment keep their order. */
export const toTrades = (rows: readonly HistoricalOrder[]): Trade[] =>
  rows.flatMap((row) => toTrade(row) ?? []).sort((a, b) => a.at - b.at);
