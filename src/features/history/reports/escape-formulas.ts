/** Escapes cells that a spreadsheet would run as formulas, because a file written by others must not run code. */
import { type CellVisitor, cellText, scanRow, startOfCells } from './row-slices.ts';

/**
 * Skips blanks, invisible characters and quotes, because some programs drop them before they interpret a cell. Also
 * matches full-width signs, which those programs treat like the ASCII ones.
 */
const formulaStart = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}"]*[=+\-@＝＋－＠]/u;

/** A leading tab or line break can move the rest into a cell of its own. */
const breakStart = /^ *[\t\r]/;

const plainNumber = /^ *[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? *$/;

const isFormula = (value: string): boolean =>
  breakStart.test(value) || (formulaStart.test(value) && !plainNumber.test(value));

/** A piece of the result has about this many characters; making it takes a few milliseconds. */
const pieceLength = 128 * 1024;

/**
 * Yields the CSV text, in pieces that end with a row, with an apostrophe before every cell that a spreadsheet would run, and
 * returns the number of such cells. Plain numbers such as `-12.50` stay unchanged. Line ends become LF, and badly
 * quoted cells are quoted correctly; rows, cells and the byte order mark stay. Runs in time linear in the text.
 */
export function* escapedPieces(text: string): Generator<string, number> {
  let marked = 0;
  let copied = 0;
  let pieces: string[] = [];
  const replace = (from: number, to: number, by: string) => {
    pieces.push(text.slice(copied, from), by);
    copied = to;
    // Joined at a bound, so that a long row of formulas does not create millions of strings.
    if (pieces.length >= 8_192) pieces = [pieces.join('')];
  };
  const visitor: CellVisitor = {
    cell: (from, to, form) => {
      const isWellFormed = form === 'bare' || form === 'quoted';
      if (isWellFormed && isLetterOrDigit(text.charCodeAt(from))) return;
      const value = cellText(text, from, to, form);
      const isMarked = isFormula(value);
      if (isMarked) marked++;
      if (!isMarked && isWellFormed) return;
      const safe = isMarked ? `'${value}` : value;
      replace(from, to, form === 'bare' ? safe : `"${safe.replaceAll('"', '""')}"`);
    },
    rowEnd: (from, to) => {
      if (to > from && text.slice(from, to) !== '\n') replace(from, to, '\n');
    },
  };
  let pieceStart = 0;
  for (let at = startOfCells(text); at < text.length; ) {
    at = scanRow(text, at, text.length, visitor);
    if (at - pieceStart < pieceLength && at < text.length) continue;
    yield pieces.join('') + text.slice(copied, at);
    pieces = [];
    copied = at;
    pieceStart = at;
  }
  // A byte order mark alone has no row.
  if (copied < text.length) yield text.slice(copied);
  return marked;
}

/** The pieces as one text, for one that is short. */
export function escapeFormulas(text: string): { readonly text: string; readonly marked: number } {
  let result = '';
  const pieces = escapedPieces(text);
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done) return { text: result, marked: piece.value };
    result += piece.value;
  }
}

/** Most cells start with a letter or digit and need no further check. */
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
