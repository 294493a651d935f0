/** Reads a report of the account (docs/interface.md, Reports) into rows of the three histories. */
import { readAction } from './actions.ts';
import { buildRow, type ReportRow, type ReportRowOfAnyKind, type RowContext } from './build-rows.ts';
import { type CsvIssue, type Row, readRows } from './csv-scanner.ts';
import { invalidReport, type ReportColumns, readHeader } from './header.ts';
import { createInstrumentResolver } from './instrument-resolver.ts';
import { parseTimestamp } from './parse-cell.ts';
import type { TickerResolver } from './resolve-ticker.ts';
import { rowCells } from './row-reader.ts';

/** A row that belongs to none of the histories, and why. */
export interface UnreadRow {
  readonly line: number;
  /** The cell of the file, unchanged. */
  readonly action: string;
  /** A phrase that continues "the row is left out because". */
  readonly reason: string;
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
  /** Data rows in the file: those of the histories plus the unread ones. */
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
    if (typeof outcome !== 'string') keep(outcome);
    else unread.push({ line: row.line, action: row.cells[columns.action] ?? '', reason: outcome });
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

/** The row, or the reason why it cannot be read. */
function readRow(
  { cells, line, flaw }: Row,
  columns: ReportColumns,
  resolveInstrument: RowContext['resolveInstrument'],
): ReportRowOfAnyKind | string {
  if (flaw) return 'its quotes do not match';
  const isOver = cells.length > columns.count && cells.slice(columns.count).some((cell) => cell !== '');
  if (cells.length < columns.count || isOver) {
    return `it has ${cells.length} cells and the header has ${columns.count}`;
  }
  const action = readAction(cells[columns.action] ?? '');
  if (!action) return 'its action is unknown';
  const moment = parseTimestamp(cells[columns.time]?.trim() ?? '');
  if (!moment) return 'it has no readable time';
  const read = rowCells(cells, columns);
  return buildRow(action, { cells: read, moment, line, resolveInstrument }) ?? read.problems.join(', ');
}
