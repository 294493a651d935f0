/** Reads a report of the account (docs/interface.md, Reports) into rows of the three histories. */

import { countOf } from '../../count-of.ts';
import { type HistoryKind, historyKinds } from '../kinds.ts';
import { readAction } from './actions.ts';
import { buildRows, findKinds, type ReportRow, type ReportRowOfAnyKind, type RowContext } from './build-rows.ts';
import { type CsvIssue, type Row, readRows } from './csv-scanner.ts';
import { invalidReport, type ReportColumns, readHeader } from './header.ts';
import { createInstrumentResolver } from './instrument-resolver.ts';
import { parseTimestamp } from './parse-cell.ts';
import type { TickerResolver } from './resolve-ticker.ts';
import { rowCells } from './row-reader.ts';

/** Why a row was kept apart. */
export type UnreadCode = 'unknown_action' | 'unreadable_row' | 'unreadable_time' | 'unreadable_value';

/** A row that is in none of the histories, and why. */
export interface UnreadRow {
  readonly line: number;
  /** The cell of the file, unchanged. */
  readonly action: string;
  readonly code: UnreadCode;
  /** A phrase that continues "the row is left out because". */
  readonly reason: string;
  /** Milliseconds since 1970; undefined when the row has no readable time. */
  readonly at: number | undefined;
  /** The histories in which the row can be missing. */
  readonly kinds: readonly HistoryKind[];
}

/** The rows of a report. */
export interface ReportRows {
  /** In file order, as are all rows here. */
  readonly orders: readonly ReportRow<'orders'>[];
  readonly dividends: readonly ReportRow<'dividends'>[];
  readonly transactions: readonly ReportRow<'transactions'>[];
  readonly unread: readonly UnreadRow[];
  /** False when the file is truncated or damaged, so that rows may be missing; `reason` says why. */
  readonly isComplete: boolean;
  readonly reason?: string;
  /** The header cells, unchanged. */
  readonly columns: readonly string[];
  /** Data rows in the file, without the header. */
  readonly totalRows: number;
}

/**
 * Reads the rows of a report. `resolveTicker` returns full tickers, because the file has short names only. Rows
 * that cannot be read are in `unread`. A file truncated exactly between two rows cannot be detected. Throws
 * `unexpected_answer` if the text is not a report.
 */
export function readReport(text: string, { resolveTicker }: { readonly resolveTicker: TickerResolver }): ReportRows {
  const found = { orders: [], dividends: [], transactions: [] } as {
    readonly [Kind in ReportRowOfAnyKind['kind']]: ReportRow<Kind>[];
  };
  const keep = <Kind extends ReportRowOfAnyKind['kind']>(row: ReportRow<Kind>) => found[row.kind].push(row);
  const resolveInstrument = createInstrumentResolver(resolveTicker);
  const unread: UnreadRow[] = [];
  let header: readonly string[] | undefined;
  let columns: ReportColumns | undefined;
  let damage: string | undefined;
  let last: { readonly row: Row; readonly isShort: boolean } | undefined;
  let totalRows = 0;

  readRows(text, (row) => {
    if (!columns) {
      if (row.flaw) throw invalidReport('The report is not a readable CSV file.');
      header = row.cells;
      columns = readHeader(row.cells);
      return;
    }
    totalRows++;
    last = { row, isShort: row.cells.length < columns.count };
    if (row.flaw) damage ??= flaws[row.flaw](row.line);
    const outcome = readRow(row, columns, resolveInstrument);
    if ('rows' in outcome) for (const one of outcome.rows) keep(one);
    else unread.push({ line: row.line, action: row.cells[columns.action] ?? '', ...outcome });
  });
  if (!header) throw invalidReport('The report is empty: it has no header.');
  if (last?.isShort) damage ??= `the file ends in the middle of a row, in line ${last.row.line}`;
  return {
    ...found,
    unread,
    isComplete: damage === undefined,
    ...(damage !== undefined && { reason: damage }),
    columns: header,
    totalRows,
  };
}

const flaws: Readonly<Record<CsvIssue, (line: number) => string>> = {
  unclosedQuote: (line) => `the file ends inside a quoted cell, in the row of line ${line}`,
  textBehindQuote: (line) => `the quotes do not match in the row of line ${line}, which may hide others`,
};

type RowOutcome = { readonly rows: readonly ReportRowOfAnyKind[] } | Omit<UnreadRow, 'line' | 'action'>;

/** The history rows of a row of the file, or the reason why it cannot be read. */
function readRow(
  { cells, line, flaw }: Row,
  columns: ReportColumns,
  resolveInstrument: RowContext['resolveInstrument'],
): RowOutcome {
  const broken = (reason: string): RowOutcome => ({
    code: 'unreadable_row',
    reason,
    at: undefined,
    kinds: historyKinds,
  });
  if (flaw) return broken('its quotes do not match');
  const isOver = cells.length > columns.count && cells.slice(columns.count).some((cell) => cell !== '');
  if (cells.length < columns.count || isOver)
    return broken(`it has ${countOf(cells.length, 'cell')} and the header has ${columns.count}`);
  const action = readAction(cells[columns.action] ?? '');
  const moment = parseTimestamp(cells[columns.time]?.trim() ?? '');
  const read = rowCells(cells, columns);
  const hasInstrument = read.text(columns.ticker) !== undefined || read.text(columns.isin) !== undefined;
  const found = { at: moment?.at, kinds: findKinds(action, hasInstrument) };
  if (!action) return { code: 'unknown_action', reason: 'its action is unknown', ...found };
  if (!moment) return { code: 'unreadable_time', reason: 'it has no readable time', ...found };
  const rows = buildRows(action, { cells: read, moment, line, resolveInstrument });
  return rows.length > 0 ? { rows } : { code: 'unreadable_value', reason: read.problems.join(', '), ...found };
}
