/** Reads the rows of CSV text in slices, so that a caller can pause between them. */
import {
  type CellVisitor,
  type CsvIssue,
  carriageReturn,
  cellText,
  lineFeed,
  scanRow,
  startOfCells,
} from './csv-scanner.ts';
import { maxColumns, maxRowLength, refusedReport } from './report-limits.ts';

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
