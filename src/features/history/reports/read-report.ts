/** Reads a report of the account (docs/interface.md, Reports) into rows of the three histories. */

import type { BrokerageError } from '../../../core/errors.ts';
import { nextTurn } from '../../../core/next-turn.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { type HistoryKind, historyKinds } from '../kinds.ts';
import { readAction } from './actions.ts';
import { buildRows, findKinds, type ReportRowOfAnyKind, type RowContext } from './build-rows.ts';
import { invalidReport, type ReportColumns, readHeader } from './header.ts';
import { parseTimestamp } from './parse-cell.ts';
import { createInstrumentResolver, type TickerResolver } from './resolve-ticker.ts';
import { rowCells } from './row-reader.ts';
import {
  type CsvIssue,
  maxColumns,
  maxReportRows,
  maxUnreadRows,
  type Row,
  readRowSlices,
  refusedReport,
} from './row-slices.ts';

/** Why a row was kept apart. */
export type UnreadCode = 'unknown_action' | 'unreadable_row' | 'unreadable_time' | 'unreadable_value';

/** A row that is in none of the histories, and why. */
export interface UnreadRow {
  readonly line: number;
  /** The start of the cell of the file. */
  readonly action: string;
  readonly code: UnreadCode;
  /** A phrase that continues "the row is left out because". */
  readonly reason: string;
  /** Milliseconds since 1970; undefined when the row has no readable time. */
  readonly at: number | undefined;
  /** The histories in which the row can be missing. */
  readonly kinds: readonly HistoryKind[];
}

/** What a report has of one history. */
interface KindFacts {
  readonly rows: number;
  /** Rows whose full ticker is unknown. */
  readonly shortTickers: number;
  /** The date of the oldest of these rows (ms); undefined when there is none. */
  readonly oldestShortAt: number | undefined;
}

/** A report whose rows were read once and can be read again: only some of them are in memory at a time. */
export interface ReportFile {
  readonly kinds: Readonly<Record<HistoryKind, KindFacts>>;
  /** The date of the newest row (ms); undefined when none was read. */
  readonly newestAt: number | undefined;
  /** At most `maxUnreadRows`, in file order. */
  readonly unread: readonly UnreadRow[];
  /** False when the file is truncated or damaged, so that rows may be missing; `reason` says why. */
  readonly isComplete: boolean;
  readonly reason?: string;
  /** The header cells, unchanged. */
  readonly columns: readonly string[];
  /** The first rows, unchanged. */
  readonly firstRows: readonly (readonly string[])[];
  /** Data rows in the file, without the header. */
  readonly totalRows: number;
  /** The rows in file order, in slices with a pause after each. */
  slices(): AsyncGenerator<readonly ReportRowOfAnyKind[], void>;
}

/**
 * Reads a report, with a pause after each slice. Rows that cannot be read are in `unread`. A file truncated exactly
 * between two rows cannot be detected. Throws `unexpected_answer` if the text is not a report, or with a `reportFault`
 * if it exceeds a bound, and `cancelled`.
 */
export async function openReport(
  text: string,
  options: {
    /** Returns full tickers, because the file has short names only. */
    readonly resolveTicker: TickerResolver;
    /** How many of the first rows to return; default 0. */
    readonly firstRows?: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReportFile> {
  const found = createFindings(options.firstRows ?? 0);
  const resolveInstrument = createInstrumentResolver(options.resolveTicker);
  let header: readonly string[] = [];
  for (const slice of readReportSlices(text, resolveInstrument)) {
    header = slice.header;
    for (const row of slice.rows) found.add(row);
    await nextTurn(options.signal);
  }
  return {
    ...found.result(),
    columns: header,
    slices: async function* () {
      for (const { rows } of readReportSlices(text, resolveInstrument)) {
        yield rows.flatMap(({ outcome }) => ('rows' in outcome ? outcome.rows : []));
        await nextTurn(options.signal);
      }
    },
  };
}

interface ReadRow {
  readonly row: Row;
  readonly isShort: boolean;
  readonly outcome: RowOutcome;
}

/** Yields the data rows in slices, each with the header. */
export function* readReportSlices(
  text: string,
  resolveInstrument: RowContext['resolveInstrument'],
): Generator<{ readonly header: readonly string[]; readonly rows: readonly ReadRow[] }, void> {
  let header: readonly string[] | undefined;
  let columns: ReportColumns | undefined;
  for (const slice of readRowSlices(text)) {
    const rows: ReadRow[] = [];
    for (const row of slice) {
      if (columns) {
        const isShort = row.cells.length < columns.count;
        rows.push({ row, isShort, outcome: readRow(row, columns, resolveInstrument) });
      } else {
        if (row.flaw) throw invalidReport('The report is not a readable CSV file.');
        header = row.cells;
        columns = readHeader(row.cells);
      }
    }
    yield { header: header ?? [], rows };
  }
  if (!header) throw invalidReport('The report is empty: it has no header.');
}

/** Longer actions are shown in part. */
const maxActionLength = 80;

/** Collects what is kept of a report: counts, the rows that cannot be read, and the first rows. */
function createFindings(wantedRows: number) {
  const kinds = Object.fromEntries(
    historyKinds.map((kind) => [kind, { rows: 0, shortTickers: 0, oldestShortAt: undefined as number | undefined }]),
  ) as Record<HistoryKind, { rows: number; shortTickers: number; oldestShortAt: number | undefined }>;
  const unread: UnreadRow[] = [];
  const firstRows: (readonly string[])[] = [];
  let newestAt: number | undefined;
  let damage: string | undefined;
  let last: ReadRow | undefined;
  let totalRows = 0;

  const count = ({ kind, at, tickerIsShort }: ReportRowOfAnyKind) => {
    const facts = kinds[kind];
    facts.rows++;
    newestAt = Math.max(newestAt ?? at, at);
    if (!tickerIsShort) return;
    facts.shortTickers++;
    facts.oldestShortAt = Math.min(facts.oldestShortAt ?? at, at);
  };
  return {
    add: (one: ReadRow) => {
      const { row, outcome } = one;
      totalRows++;
      if (totalRows > maxReportRows)
        throw refusedReport('too_many_rows', `it has more than ${maxReportRows} rows`, { line: row.line });
      last = one;
      if (firstRows.length < wantedRows) firstRows.push(row.cells);
      if (row.flaw) damage ??= flaws[row.flaw](row.line);
      if ('rows' in outcome) return outcome.rows.forEach(count);
      unread.push({ line: row.line, action: outcome.action.slice(0, maxActionLength), ...outcome.problem });
      if (unread.length > maxUnreadRows) throw tooManyUnread(unread);
    },
    result: () => {
      if (last?.isShort) damage ??= `the file ends in the middle of a row, in line ${last.row.line}`;
      const facts = { kinds, newestAt, unread, firstRows, totalRows };
      return damage === undefined ? { ...facts, isComplete: true } : { ...facts, isComplete: false, reason: damage };
    },
  };
}

function tooManyUnread(unread: readonly UnreadRow[]): BrokerageError {
  const unreadRows = countByCode(unread);
  const { line, reason } = unread[0] as UnreadRow;
  const words = `more than ${maxUnreadRows} of its rows cannot be read; the first is in line ${line}: ${reason}`;
  return refusedReport('too_many_unread_rows', words, { line, unreadRows });
}

/** Counts rows that could not be read by the reason. */
export function countByCode(unread: readonly UnreadRow[]): Partial<Record<UnreadCode, number>> {
  const counts: Partial<Record<UnreadCode, number>> = {};
  for (const { code } of unread) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const flaws: Readonly<Record<CsvIssue, (line: number) => string>> = {
  unclosedQuote: (line) => `the file ends inside a quoted cell, in the row of line ${line}`,
  textBehindQuote: (line) => `the quotes do not match in the row of line ${line}, which may hide others`,
};

type RowOutcome =
  | { readonly rows: readonly ReportRowOfAnyKind[] }
  | { readonly action: string; readonly problem: Omit<UnreadRow, 'line' | 'action'> };

/** The history rows of a row of the file, or the reason why it cannot be read. */
function readRow(
  { cells, line, flaw }: Row,
  columns: ReportColumns,
  resolveInstrument: RowContext['resolveInstrument'],
): RowOutcome {
  const actionCell = cells[columns.action] ?? '';
  const failed = (problem: Omit<UnreadRow, 'line' | 'action'>): RowOutcome => ({ action: actionCell, problem });
  const broken = (reason: string) => failed({ code: 'unreadable_row', reason, at: undefined, kinds: historyKinds });
  if (flaw) return broken('its quotes do not match');
  if (cells.length > maxColumns) return broken(`it has more than ${maxColumns} cells`);
  const isOver = cells.length > columns.count && cells.slice(columns.count).some((cell) => cell !== '');
  if (cells.length < columns.count || isOver)
    return broken(`it has ${countOf(cells.length, 'cell')} and the header has ${columns.count}`);
  const action = readAction(actionCell);
  const moment = parseTimestamp(cells[columns.time]?.trim() ?? '');
  const read = rowCells(cells, columns);
  const hasInstrument = read.text(columns.ticker) !== undefined || read.text(columns.isin) !== undefined;
  const found = { at: moment?.at, kinds: findKinds(action, hasInstrument) };
  if (!action) return failed({ code: 'unknown_action', reason: 'its action is unknown', ...found });
  if (!moment) return failed({ code: 'unreadable_time', reason: 'it has no readable time', ...found });
  const rows = buildRows(action, { cells: read, moment, line, resolveInstrument });
  if (rows.length > 0) return { rows };
  return failed({ code: 'unreadable_value', reason: read.problems.join(', '), ...found });
}
