/** Reads the rows of CSV text in slices, so that a caller can pause between them. */

import { BrokerageError } from '../../../core/errors.ts';

export interface Row {
  /** At most one cell more than `maxColumns`. */
  readonly cells: readonly string[];
  /** The line on which the row starts; the first line of the file is 1. */
  readonly line: number;
  readonly flaw: CsvIssue | undefined;
}

/** A slice ends after this many characters or rows; reading it takes about ten milliseconds. */
const sliceLength = 128 * 1024;
const sliceRows = 1_000;

/**
 * Yields the rows in order. Skips empty lines, which are not table rows. Throws `row_too_long` for a row that no
 * report has.
 */
export function* readRowSlices(text: string): Generator<readonly Row[], void> {
  let rows: Row[] = [];
  let at = startOfCells(text);
  let line = 1;
  let sliceEnd = at + sliceLength;
  while (at < text.length) {
    const lineEnd = lineEndLength(text, at);
    if (lineEnd > 0) {
      at += lineEnd;
      line++;
    } else {
      const row = createRowCollector(text);
      const end = Math.min(text.length, at + maxRowLength);
      at = scanRow(text, at, end, row);
      if (at === end && end < text.length && !row.hasLineEnd())
        throw refusedReport('row_too_long', `the row of line ${line} is longer than ${maxRowLength} characters`, {
          line,
        });
      rows.push({ cells: row.cells, line, flaw: row.flaw() });
      line += row.lines();
    }
    if (at < sliceEnd && rows.length < sliceRows) continue;
    yield rows;
    rows = [];
    sliceEnd = at + sliceLength;
  }
  yield rows;
}

/** The length of the line end at `at`; 0 when there is none. */
function lineEndLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === carriageReturn) return text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
  return code === lineFeed ? 1 : 0;
}

function createRowCollector(text: string) {
  const cells: string[] = [];
  let lines = 1;
  let flaw: CsvIssue | undefined;
  let hasLineEnd = false;
  const visitor: CellVisitor = {
    cell: (from, to, form) => {
      const isKept = cells.length <= maxColumns;
      if (form === 'bare') {
        if (isKept) cells.push(text.slice(from, to));
        return;
      }
      const value = cellText(text, from, to, form);
      if (isKept) cells.push(value);
      lines += value.match(/\r\n?|\n/g)?.length ?? 0;
      if (form === 'textBehindQuote' || form === 'unclosedQuote') flaw = form;
    },
    rowEnd: (from, to) => {
      hasLineEnd = to > from;
    },
  };
  return {
    ...visitor,
    cells,
    lines: () => lines,
    flaw: () => flaw,
    hasLineEnd: () => hasLineEnd,
  };
}

/**
 * Scans CSV text (RFC 4180) in one pass. Every character belongs to a cell, a comma or a line end. Malformed parts
 * are kept and reported, because a truncated or badly quoted file must not pass for a complete one. (The parser
 * that the tests compare with takes 1.4 s for 100,000 rows of a report, and returns no rows when the last one is
 * truncated.)
 */

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/**
 * How a cell is written: without quotes or fully quoted; or, outside the CSV standard, with a quote inside unquoted
 * text (kept literally), with text after the closing quote, or without a closing quote.
 */
type Form = 'bare' | 'quoted' | 'quoteInside' | CsvIssue;

/** Quotes do not match, so the text may be several cells or rows. */
export type CsvIssue = 'textBehindQuote' | 'unclosedQuote';

export interface CellVisitor {
  /** The bounds of the cell, including its quotes. */
  cell(from: number, to: number, form: Form): void;
  /** The bounds of the line end: LF, CR LF or CR, or empty at the end of the text. */
  rowEnd(from: number, to: number): void;
}

/** The index of the first cell, after an optional byte order mark. */
export const startOfCells = (text: string): number => (text.charCodeAt(0) === byteOrderMark ? 1 : 0);

/**
 * Calls the visitor for every cell of the row that starts at `start` and for its end, and returns the index after it.
 * Nothing from `end` on is read, as if the text ended there. An empty line is a row with one empty cell.
 */
export function scanRow(text: string, start: number, end: number, visitor: CellVisitor): number {
  let at = start;
  for (;;) {
    const from = at;
    let form: Form = 'bare';
    if (at < end && text.charCodeAt(at) === quote) {
      const behind = behindQuotes(text, at, end);
      form = behind === undefined ? 'unclosedQuote' : isCellEnd(text, behind, end) ? 'quoted' : 'textBehindQuote';
      at = behind ?? end;
    }
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      // All significant characters have lower codes than letters and digits.
      if (code > comma) continue;
      if (code === comma || code === lineFeed || code === carriageReturn) break;
      if (code === quote && form === 'bare') form = 'quoteInside';
    }
    visitor.cell(from, at, form);
    if (at >= end || text.charCodeAt(at) !== comma) break;
    at++;
  }
  const endOfLine = at;
  if (at < end && text.charCodeAt(at) === carriageReturn) at++;
  if (at < end && text.charCodeAt(at) === lineFeed) at++;
  visitor.rowEnd(endOfLine, at);
  return at;
}

function isCellEnd(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  return at >= end || code === comma || code === lineFeed || code === carriageReturn;
}

/** The index after the closing quote of the quoted part that starts at `open`; undefined when it is never closed. */
function behindQuotes(text: string, open: number, end: number): number | undefined {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && close + 1 < end && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2);
  return close === -1 || close >= end ? undefined : close + 1;
}

/** The value of a cell: without its quotes, doubled quotes unescaped, text after the closing quote kept. */
export function cellText(text: string, from: number, to: number, form: Form): string {
  if (form === 'bare' || form === 'quoteInside') return text.slice(from, to);
  const behind = form === 'quoted' ? to : (behindQuotes(text, from, to) ?? to + 1);
  return text.slice(from + 1, behind - 1).replaceAll('""', '"') + text.slice(behind, to);
}

// Bounds of a report, each several times what a year of a busy account needs. A file that exceeds one is refused,
// because reading all of it takes time and memory.

/** Rows of a file, without the header. */
export const maxReportRows = 250_000;
/** Rows that cannot be read. Each leaves out a second of the history, which pages must then supply. */
export const maxUnreadRows = 2_000;
/** Characters of a row. */
export const maxRowLength = 20_000;
/** Columns of the header, and cells of a row. */
export const maxColumns = 200;
/** Characters of the name of a column. */
export const maxNameLength = 200;

/** Which bound a report exceeds. The codes are public. */
type ReportFault = 'too_many_rows' | 'too_many_unread_rows' | 'row_too_long' | 'too_many_columns';

/** The error of a report that exceeds a bound. `words` completes "the report is refused because". */
export const refusedReport = (
  reportFault: ReportFault,
  words: string,
  facts: { readonly line?: number; readonly unreadRows?: Readonly<Record<string, number>> } = {},
): BrokerageError =>
  new BrokerageError(
    'unexpected_answer',
    `The report is refused because ${words}.`,
    'Request a report of a shorter range, or read the range with fetch_history.',
    { reportFault, ...facts },
  );
