/** Escapes cells that a spreadsheet would run as formulas, because a file written by others must not run code. */
import { cellText, scanCells } from './csv-scanner.ts';

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

/** Pieces are joined at this count, so that a file full of formulas does not create millions of strings. */
const maxPieces = 8_192;

/**
 * Returns the CSV text with an apostrophe before every cell that a spreadsheet would run, and the number of such
 * cells. Plain numbers such as `-12.50` stay unchanged. Line ends become LF, and badly quoted cells are quoted
 * correctly; rows, cells and the byte order mark stay. Runs in time linear in the text.
 */
export function escapeFormulas(text: string): { readonly text: string; readonly marked: number } {
  let marked = 0;
  let copied = 0;
  let result = '';
  let pieces: string[] = [];
  const replace = (from: number, to: number, by: string) => {
    pieces.push(text.slice(copied, from), by);
    copied = to;
    if (pieces.length < maxPieces) return;
    result += pieces.join('');
    pieces = [];
  };
  scanCells(text, {
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
  });
  return { text: result + pieces.join('') + text.slice(copied), marked };
}

/** Most cells start with a letter or digit and need no further check. */
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
