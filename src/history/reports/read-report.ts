/** A report of the account (docs/interface.md, Reports) as rows of the three histories. */
import { readAction } from './actions.ts';
import { buildRow, type ReportRow, type ReportRowOfAnyKind, type RowContext } from './build-rows.ts';
import { type CsvIssue, type Row, readRows } from './csv-scanner.ts';
import { invalidReport, type ReportColumns, readHeader } from './header.ts';
import { createInstrumentResolver } from './instrument-resolver.ts';
import { parseTimestamp } from './parse-cell.ts';
import type { TickerResolver } from './resolve-ticker.ts';
import { rowCells } from './row-reader.ts';

/** A row that is in none of the histories, and why. */
export interface UnreadRow {
  readonly line: number;
  /** As the file has it. */
  readonly action: string;
  /** In words, to be read after "the row is left out because". */
  readonly reason: string;
}

export interface ReportRows {
  /** In the order of the file, like all rows here. */
  readonly orders: readonly ReportRow<'orders'>[];
  readonly dividends: readonly ReportRow<'dividends'>[];
  readonly transactions: readonly ReportRow<'transactions'>[];
  readonly unread: readonly UnreadRow[];
  /** False when the file was cut off or damaged, so that there may have been more rows; `reason` says it. */
  readonly isComplete: boolean;
  readonly reason?: string;
  /** The header as the file has it. */
  readonly columns: readonly string[];
  /** Rows of the file without its header: those of the histories and the unread ones. */
  readonly totalRows: number;
}

/**
 * The rows of a report. `getTicker` gives the full ticker, because the file has the short name only. Rows that
 * cannot be told are in `unread`. A file that ends exactly between two rows looks whole. Throws
 * `unexpected_answer` for a text that is not a report.
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

/** The row, or why there is none. */
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
