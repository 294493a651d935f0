/** Builds history rows (docs/interface.md) from report rows, as far as the report has their fields. */

import type { HistoricalOrder } from '../../../core/endpoints/index.ts';
import { type HistoryKind, historyKinds, type RowOf } from '../kinds.ts';
import type { Action } from './actions.ts';
import { readDecimal, type Timestamp } from './parse-cell.ts';
import type { NamedInstrument } from './resolve-ticker.ts';
import type { Money, RowCells } from './row-reader.ts';

export interface ReportRow<Kind extends HistoryKind> {
  readonly kind: Kind;
  /** Amounts in the account's currency, prices in the instrument's currency (GBX is pence), as in the histories. */
  readonly row: RowOf[Kind];
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** The line on which the row starts; the header is line 1. */
  readonly line: number;
  /** The cell `ID`, unchanged. */
  readonly id: string | undefined;
  /** True when the full ticker is unknown and the row has the short name instead. */
  readonly tickerIsShort: boolean;
}

export type ReportRowOfAnyKind = { readonly [Kind in HistoryKind]: ReportRow<Kind> }[HistoryKind];

export interface RowContext {
  readonly cells: RowCells;
  readonly moment: Timestamp;
  readonly line: number;
  readonly resolveInstrument: (cells: RowCells) => NamedInstrument;
}

/**
 * Returns the history rows of a row of the report: two for a currency conversion, otherwise one. Empty when
 * `cells.problems` says why there is none.
 */
export function buildRows(action: Action, context: RowContext): readonly ReportRowOfAnyKind[] {
  const rows = toRows(action, context);
  return context.cells.problems.length > 0 ? [] : rows;
}

/** The histories that a row with this action belongs to. An unknown action with an instrument can belong to any. */
export function findKinds(action: Action | undefined, hasInstrument: boolean): readonly HistoryKind[] {
  if (!action) return hasInstrument ? historyKinds : ['transactions'];
  if (action.kind === 'dividend') return ['dividends'];
  if (action.kind === 'dividendAdjustment') return hasInstrument ? ['dividends'] : ['transactions'];
  return action.kind === 'transaction' || action.kind === 'conversion' ? ['transactions'] : ['orders'];
}

function toRows(action: Action, context: RowContext): readonly ReportRowOfAnyKind[] {
  const { cells, moment, line, resolveInstrument } = context;
  const { columns } = cells;
  const place = { at: moment.at, line, id: cells.text(columns.id) };
  switch (action.kind) {
    case 'transaction':
      return [toTransactionRow(action.type, cells.total(), context)];
    case 'conversion':
      return toConversionRows(context);
    case 'dividendAdjustment':
      return cells.text(columns.ticker) === undefined
        ? [toTransactionRow('DIVIDEND_ADJUSTMENT', cells.total(), context)]
        : toRows({ kind: 'dividend', type: 'DIVIDEND_ADJUSTMENT' }, context);
    case 'transfer':
      return cells.text(columns.shares) === undefined
        ? [toTransactionRow('TRANSFER', withDirection(cells.total(), action.side), context)]
        : toRows({ kind: 'corporate', side: action.side, type: 'FOP' }, context);
    case 'dividend': {
      const { instrument, tickerIsShort } = resolveInstrument(cells);
      const row = toDividendRow(action.type, instrument, cells, moment);
      return [{ kind: 'dividends', row, ...place, tickerIsShort }];
    }
    default: {
      const { instrument, tickerIsShort } = resolveInstrument(cells);
      return [{ kind: 'orders', row: toOrderRow(action, instrument, cells, moment), ...place, tickerIsShort }];
    }
  }
}

function toTransactionRow(
  type: string,
  { value: amount, currency }: Money,
  { cells, moment, line }: RowContext,
): ReportRow<'transactions'> {
  if (amount === undefined) cells.problems.push('it has no amount');
  const id = cells.text(cells.columns.id);
  const row = { type, amount, currency, dateTime: moment.iso, reference: id };
  return { kind: 'transactions', row, at: moment.at, line, id, tickerIsShort: false };
}

/** One row for the money that left one currency, one for the money that arrived in the other. */
function toConversionRows(context: RowContext): readonly ReportRow<'transactions'>[] {
  const { cells } = context;
  const [from, to] = [cells.money(cells.columns.convertedFrom), cells.money(cells.columns.convertedTo)];
  const type = 'CURRENCY_CONVERSION';
  // Without both amounts, the row has only the change of one currency.
  if (from.value === undefined || to.value === undefined) return [toTransactionRow(type, cells.total(), context)];
  return [
    toTransactionRow(type, withDirection(from, 'SELL'), context),
    toTransactionRow(type, withDirection(to, 'BUY'), context),
  ];
}

/** The amount with a minus for what leaves the account, whether or not the file has one. */
function withDirection({ value, currency }: Money, side: 'BUY' | 'SELL'): Money {
  const size = value?.replace('-', '');
  return { value: side === 'SELL' && size !== undefined && size !== '0' ? `-${size}` : size, currency };
}

function toDividendRow(
  type: string,
  instrument: NamedInstrument['instrument'],
  cells: RowCells,
  moment: Timestamp,
): RowOf['dividends'] {
  const { columns } = cells;
  const { value: amount, currency } = cells.total();
  if (amount === undefined) cells.problems.push('it has no amount');
  const withheld = cells.money(columns.withholdingTax);
  return {
    ticker: instrument.ticker,
    instrument,
    reference: cells.text(columns.id),
    quantity: cells.decimal('No. of shares', columns.shares),
    amount,
    amountInEuro: undefined,
    currency,
    grossAmountPerShare: cells.money(columns.price).value,
    tickerCurrency: instrument.currency,
    paidOn: moment.iso,
    type,
    withholdingTax: withheld.value?.replace('-', ''),
    withholdingTaxCurrency: withheld.value === undefined ? undefined : withheld.currency,
  };
}

// Converts a trade or split of a report to a row of the order history.

type Order = NonNullable<HistoricalOrder['order']>;
type Taxes = NonNullable<NonNullable<NonNullable<HistoricalOrder['fill']>['walletImpact']>['taxes']>;

/** Returns the row. A field that cannot be read is undefined and noted in `cells.problems`. */
function toOrderRow(
  { kind, side: named, type }: Action & { kind: 'order' | 'corporate' },
  instrument: NamedInstrument['instrument'],
  cells: RowCells,
  moment: Timestamp,
): HistoricalOrder {
  const { columns } = cells;
  const shares = cells.decimal('No. of shares', columns.shares);
  if (shares === undefined) cells.problems.push('it has no quantity');
  const side = named ?? (shares?.startsWith('-') ? 'SELL' : 'BUY');
  const total = cells.total();
  if (total.value === undefined && kind === 'order' && cells.money(columns.grossTotal).value !== undefined)
    cells.problems.push('it has only an amount that may be before charges');
  const result = cells.money(columns.result);
  if (result.value && total.value && result.currency !== total.currency) {
    cells.problems.push('Result and Total are in different currencies');
  }
  // The cell can be "Not available". That is accepted, because no amount is computed from it.
  const exchangeRate = cells.text(columns.exchangeRate);
  return {
    // A report has executions but not their orders, so the other fields of an order are missing.
    order: {
      ticker: instrument.ticker,
      side,
      type: kind === 'order' ? type : undefined,
      status: 'FILLED',
      instrument,
    } as Order,
    fill: {
      id: parseFillId(cells.text(columns.id)),
      filledAt: moment.iso,
      price: cells.money(columns.price).value,
      quantity: shares && withSign(shares, side),
      tradingMethod: undefined,
      type: kind === 'order' ? 'TRADE' : type,
      walletImpact: {
        currency: total.currency ?? result.currency,
        netValue: total.value,
        realisedProfitLoss: result.value,
        fxRate: exchangeRate === undefined ? undefined : readDecimal(exchangeRate),
        taxes: readTaxes(cells),
      },
    },
  };
}

/** The API's ids are integers; a report puts letters before them. */
const parseFillId = (id: string | undefined) => /^[A-Z]*(\d+)$/.exec(id ?? '')?.[1];

/** Negative for shares that leave the account, whether or not the file has a minus sign. */
function withSign(shares: string, side: 'BUY' | 'SELL'): string {
  const size = shares.replace('-', '');
  return side === 'SELL' && size !== '0' ? `-${size}` : size;
}

/** The charges by name. If the file names none, their sum under the column's own name. */
function readTaxes(cells: RowCells): Taxes {
  const named = cells.charges();
  if (named.length > 0) return named.map(({ name, value, currency }) => toTax(name, value, currency));
  const sum = cells.money(cells.columns.taxes);
  if (sum.value === undefined || sum.value === '0') return [];
  // The column can be without a currency. It is between a gross and a net total and uses their currency.
  return [toTax('TAXES', sum.value, sum.currency ?? cells.total().currency)];
}

const toTax = (name: string, quantity: string, currency: string | undefined) => ({
  name,
  quantity,
  currency,
  chargedAt: undefined,
});
