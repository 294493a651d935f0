/** What the rows of the order history show, read once in parts: the executions, and what orders were accepted with. */

import { countDecimals, toDecimalString } from '../../core/endpoints/decimal.ts';
import type { HistoricalOrder } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { type Trade, TradeTable } from './trades.ts';

interface Executions {
  /** In the order of execution. */
  readonly trades: readonly Trade[];
  /** Fills without a ticker or a date, which no figure includes; `at` (ms) is undefined without a date. */
  readonly skipped: readonly { readonly name: string; readonly at: number | undefined }[];
  /** By ticker, the most decimals in the quantity of an order that was filled. */
  readonly quantityDecimals: ReadonlyMap<string, number>;
  /** By ticker, the most decimals in a limit or stop price. */
  readonly priceDecimals: ReadonlyMap<string, number>;
}

/** The names of skipped fills of a range (ms); one without a date can belong to any. */
export const nameSkippedFills = (
  { skipped }: Executions,
  {
    since = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
  }: { since?: number | undefined; until?: number | undefined } = {},
): readonly string[] =>
  skipped.filter(({ at }) => at === undefined || (at >= since && at < until)).map(({ name }) => name);

/** A derivation (history/history-port.ts) of the order history. */
export const executions = { name: 'executions', start: createReader };

function createReader() {
  const table = new TradeTable();
  const skipped: { name: string; at: number | undefined }[] = [];
  const quantityDecimals = new Map<string, number>();
  const priceDecimals = new Map<string, number>();
  return {
    add(rows: readonly HistoricalOrder[]): void {
      for (const row of rows) {
        if (!table.add(row)) skipped.push(nameSkipped(row));
        countQuantity(row, quantityDecimals);
        countPrices(row, priceDecimals);
      }
    },
    finish(): { readonly value: Executions; readonly bytes: number } {
      const value = { trades: table.toTrades(), skipped: skipped.reverse(), quantityDecimals, priceDecimals };
      return { value, bytes: table.bytes + skipped.length * bytesPerName };
    },
  };
}

const bytesPerName = 150;

function nameSkipped({ order, fill }: HistoricalOrder) {
  const at = Date.parse(fill?.filledAt ?? order?.createdAt ?? '');
  return { name: fill?.id ?? order?.id ?? 'no id', at: Number.isNaN(at) ? undefined : at };
}

/**
 * Counts the decimals of quantities that were ordered and filled. An order by value is filled with more decimals than
 * the quantity of an order may have, and the row of a report does not say which it was, so neither counts.
 */
function countQuantity({ order, fill, fromReport }: HistoricalOrder, decimals: Map<string, number>): void {
  const isByQuantity = order?.strategy === undefined ? order?.value === undefined : order.strategy === 'QUANTITY';
  if (!fromReport && fill?.type === 'TRADE' && isByQuantity) count(getTicker(order), order?.quantity, decimals);
}

function countPrices({ order }: HistoricalOrder, decimals: Map<string, number>): void {
  for (const price of [order?.limitPrice, order?.stopPrice]) count(getTicker(order), price, decimals);
}

function count(ticker: string | undefined, text: string | undefined, decimals: Map<string, number>): void {
  const exact = text === undefined ? undefined : toDecimalString(text);
  if (ticker === undefined || exact === undefined) return;
  decimals.set(ticker, Math.max(decimals.get(ticker) ?? 0, countDecimals(exact)));
}

/** What each type of a fill means for a holding (docs/interface.md, Fields and shapes). */

/**
 * `transfer`: shares moved from or to another broker, which is neither a purchase nor a sale. `rights`: shares bought
 * in a rights issue, which belong to the shares held (TCGA 1992 ss 127 and 128). `free_shares`: shares received
 * without a payment. `takeover`: shares exchanged for cash, for other shares, or for both. `cost_change`: a row of this
 * program that changes the cost of the shares held.
 */
export type FillMeaning =
  | 'trade'
  | 'split'
  | 'transfer'
  | 'rights'
  | 'free_shares'
  | 'takeover'
  | 'spin_off'
  | 'cost_change'
  | 'other';

/** The types of the rows that this program adds (features/gains/apply-records.ts); no service writes them. */
export type CostRowType = 'CAPITAL_RETURNED' | 'CAPITAL_DISTRIBUTED' | 'COST_TO_SPIN_OFF' | 'REPORTABLE_INCOME';

const meanings = new Map<string, FillMeaning>(
  Object.entries({
    TRADE: 'trade',
    STOCK_SPLIT: 'split',
    FOP: 'transfer',
    FOP_CORRECTION: 'transfer',
    EQUITY_RIGHTS: 'rights',
    STOCK_DISTRIBUTION: 'free_shares',
    CUSTOM_STOCK_DISTRIBUTION: 'free_shares',
    SCRIP_STOCK_DIVIDENDS: 'free_shares',
    STOCK_DIVIDENDS: 'free_shares',
    STOCK_ACQUISITION: 'takeover',
    CASH_AND_STOCK_ACQUISITION: 'takeover',
    SPIN_OFF: 'spin_off',
    ...({
      CAPITAL_RETURNED: 'cost_change',
      CAPITAL_DISTRIBUTED: 'cost_change',
      COST_TO_SPIN_OFF: 'cost_change',
      REPORTABLE_INCOME: 'cost_change',
    } satisfies Record<CostRowType, FillMeaning>),
  } satisfies Record<string, FillMeaning>),
);

/** The meaning of a fill type; `other` for a type that the interface does not name. */
export const getFillMeaning = (type: string): FillMeaning => meanings.get(type) ?? 'other';
