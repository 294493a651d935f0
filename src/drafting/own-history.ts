/** What the account's own fills show: prices, decimals, charges and costs. The interface has no other source. */
import { createChargeEstimator, type EstimateCharges } from '../analytics/charge-rates.ts';
import { type Trade, toTrades } from '../analytics/trades.ts';
import { countDecimals, toDecimalString } from '../catalogue/decimal.ts';
import { getTicker } from '../catalogue/get-ticker.ts';
import type { HistoricalOrder } from '../catalogue/index.ts';
import { BrokerageError } from '../errors.ts';
import type { Coverage, History, ReadOptions } from '../history/history-port.ts';
import type { InstrumentSearch } from '../market/search.ts';

export interface OwnHistory {
  readonly rows: readonly HistoricalOrder[];
  /** In the order of execution. */
  readonly trades: readonly Trade[];
  /** Undefined when nothing of the history could be read. */
  readonly coverage: Coverage | undefined;
  readonly estimateCharges: EstimateCharges;
  /**
   * The most decimals that the broker accepted in the quantity of an order for the ticker; undefined when there was none.
   */
  getTradedDecimals(ticker: string): number | undefined;
  /** The most decimals that the broker accepted in a price of an order for the ticker; undefined when there was none. */
  getPriceDecimals(ticker: string): number | undefined;
}

/**
 * Reads the order history. A history that cannot be read is empty, because prices and charges are estimates that an
 * order can do without; `coverage` is undefined then. Throws `cancelled`.
 */
export async function readOwnHistory(
  history: History,
  index: InstrumentSearch,
  options: ReadOptions,
): Promise<OwnHistory> {
  const read = await history.read({ kind: 'orders' }, options).catch((error: unknown) => {
    if (error instanceof BrokerageError && error.code !== 'cancelled') return undefined;
    throw error;
  });
  const rows = read?.rows ?? [];
  const trades = toTrades(rows);
  const decimals = countOrderedDecimals(rows);
  const priceDecimals = countPriceDecimals(rows);
  return {
    rows,
    trades,
    coverage: read?.coverage,
    estimateCharges: createChargeEstimator(trades, (ticker) => index.byTicker(ticker)?.type),
    getTradedDecimals: (ticker) => decimals.get(ticker),
    getPriceDecimals: (ticker) => priceDecimals.get(ticker),
  };
}

/**
 * Counts the decimals of quantities that were ordered and filled. An order by value is filled with more decimals than
 * the quantity of an order may have, and the row of a report does not say which it was, so neither counts.
 */
function countOrderedDecimals(rows: readonly HistoricalOrder[]): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const { order, fill, fromReport } of rows) {
    const ticker = getTicker(order);
    const isByQuantity = order?.strategy === undefined ? order?.value === undefined : order.strategy === 'QUANTITY';
    if (fromReport || fill?.type !== 'TRADE' || !isByQuantity || ticker === undefined) continue;
    const ordered = toDecimalString(order?.quantity ?? '');
    if (ordered === undefined) continue;
    decimals.set(ticker, Math.max(decimals.get(ticker) ?? 0, countDecimals(ordered)));
  }
  return decimals;
}

/** Counts the decimals of limit and stop prices that were ordered. */
function countPriceDecimals(rows: readonly HistoricalOrder[]): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const { order } of rows) {
    const ticker = getTicker(order);
    if (ticker === undefined) continue;
    for (const price of [order?.limitPrice, order?.stopPrice]) {
      const exact = toDecimalString(price ?? '');
      if (exact === undefined) continue;
      decimals.set(ticker, Math.max(decimals.get(ticker) ?? 0, countDecimals(exact)));
    }
  }
  return decimals;
}
