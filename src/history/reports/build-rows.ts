/** Builds history rows (docs/interface.md) from report rows, as far as the report has their fields. */
import type { HistoryKind, RowOf } from '../kinds.ts';
import type { Action } from './actions.ts';
import type { NamedInstrument } from './instrument-resolver.ts';
import { toOrderRow } from './order-row.ts';
import type { Timestamp } from './parse-cell.ts';
import type { RowCells } from './row-reader.ts';

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

/** Returns the row, or undefined when `cells.problems` says why there is none. */
export function buildRow(action: Action, context: RowContext): ReportRowOfAnyKind | undefined {
  const row = toRow(action, context);
  return context.cells.problems.length > 0 ? undefined : row;
}

function toRow(action: Action, { cells, moment, line, resolveInstrument }: RowContext): ReportRowOfAnyKind {
  const { at } = moment;
  const id = cells.text(cells.columns.id);
  if (action.kind === 'transaction') {
    const { value: amount, currency } = cells.money(cells.columns.total);
    if (amount === undefined) cells.problems.push('it has no amount');
    const row = { type: action.type, amount, currency, dateTime: moment.iso, reference: id };
    return { kind: 'transactions', row, at, line, id, tickerIsShort: false };
  }
  const { instrument, tickerIsShort } = resolveInstrument(cells);
  if (action.kind === 'dividend') {
    const row = toDividendRow(action.type, instrument, cells, moment);
    return { kind: 'dividends', row, at, line, id, tickerIsShort };
  }
  return { kind: 'orders', row: toOrderRow(action, instrument, cells, moment), at, line, id, tickerIsShort };
}

function toDividendRow(
  type: string,
  instrument: NamedInstrument['instrument'],
  cells: RowCells,
  moment: Timestamp,
): RowOf['dividends'] {
  const { columns } = cells;
  const { value: amount, currency } = cells.money(columns.total);
  if (amount === undefined) cells.problems.push('it has no amount');
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
  };
}
