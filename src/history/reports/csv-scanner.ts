/**
 * The cells of CSV text (RFC 4180), found in one pass. Whatever the text is, each of its characters belongs
 * to a cell, a comma or a line end; what is not well formed is kept and told, because a file that was cut off
 * or badly quoted must not pass for a whole one. (The parser that the tests compare it with takes 1.4 s for
 * 100,000 rows of a report, and gives no rows at all when the last one is cut off.)
 */

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/**
 * How a cell is written: without quotes or in quotes as a whole; or, beyond what CSV knows, with a quote
 * inside bare text (which is meant as it stands), with text behind the closing quote, or never closed.
 */
type Form = 'bare' | 'quoted' | 'quoteInside' | CsvIssue;

/** Here quotes do not match, and what stands between them may be several cells or rows. */
export type CsvIssue = 'textBehindQuote' | 'unclosedQuote';

interface CellVisitor {
  /** The bounds of the cell, its quotes included. */
  cell(from: number, to: number, form: Form): void;
  /** The bounds of the line end: LF, CR LF or CR, or nothing at the end of the text. */
  rowEnd(from: number, to: number): void;
}

/** Visits every cell and row of the text behind a byte order mark. An empty line is a row of one empty cell. */
export function scanCells(text: string, visitor: CellVisitor): void {
  let at = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
  while (at < text.length) {
    for (;;) {
      const from = at;
      let form: Form = 'bare';
      if (text.charCodeAt(at) === quote) {
        const behind = behindQuotes(text, at);
        form = behind === undefined ? 'unclosedQuote' : isCellEnd(text, behind) ? 'quoted' : 'textBehindQuote';
        at = behind ?? text.length;
      }
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        // All the signs that matter come before the letters and digits.
        if (code > comma) continue;
        if (code === comma || code === lineFeed || code === carriageReturn) break;
        if (code === quote && form === 'bare') form = 'quoteInside';
      }
      visitor.cell(from, at, form);
      if (text.charCodeAt(at) !== comma) break;
      at++;
    }
    const end = at;
    if (text.charCodeAt(at) === carriageReturn) at++;
    if (text.charCodeAt(at) === lineFeed) at++;
    visitor.rowEnd(end, at);
  }
}

function isCellEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === comma || code === lineFeed || code === carriageReturn || at >= text.length;
}

/** Where the text goes on behind the quoted part that begins at `open`; undefined when it is never closed. */
function behindQuotes(text: string, open: number): number | undefined {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2);
  return close === -1 ? undefined : close + 1;
}

/** What the cell says: without its quotes, doubled quotes inside them as one, text behind them kept. */
export function cellText(text: string, from: number, to: number, form: Form): string {
  if (form === 'bare' || form === 'quoteInside') return text.slice(from, to);
  const behind = form === 'quoted' ? to : (behindQuotes(text, from) ?? to + 1);
  return text.slice(from + 1, behind - 1).replaceAll('""', '"') + text.slice(behind, to);
}

export interface Row {
  readonly cells: readonly string[];
  /** The line that it begins in; the first line of the file is 1. */
  readonly line: number;
  readonly flaw: CsvIssue | undefined;
}

/** Hands over one row after the other. Empty lines are left out, as they are no rows of a table. */
export function readRows(text: string, onRow: (row: Row) => void): void {
  let cells: string[] = [];
  let line = 1;
  let breaksInside = 0;
  let isBare = true;
  let flaw: CsvIssue | undefined;
  scanCells(text, {
    cell: (from, to, form) => {
      const value = cellText(text, from, to, form);
      cells.push(value);
      if (form === 'bare') return;
      isBare = false;
      breaksInside += value.match(/\r\n?|\n/g)?.length ?? 0;
      if (isFlaw(form)) flaw = form;
    },
    rowEnd: () => {
      if (cells.length > 1 || cells[0] !== '' || !isBare) onRow({ cells, line, flaw });
      line += 1 + breaksInside;
      cells = [];
      breaksInside = 0;
      isBare = true;
      flaw = undefined;
    },
  });
}

const isFlaw = (form: Form): form is CsvIssue => form === 'textBehindQuote' || form === 'unclosedQuote';
