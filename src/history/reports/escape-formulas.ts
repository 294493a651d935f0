/** Spreadsheets run a cell that begins like a formula. A file that others wrote must not be able to do that. */
import { cellText, scanCells } from './csv-scanner.ts';

/**
 * Looks past blanks, invisible characters and quotes, because some programs drop them before they decide
 * what a cell is; and takes the full-width signs for the others, as they do.
 */
const formulaStart = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}"]*[=+\-@＝＋－＠]/u;

/** A tab or a line break at the start can push what follows into a cell of its own. */
const breakStart = /^ *[\t\r]/;

const plainNumber = /^ *[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)? *$/;

const isFormula = (value: string): boolean =>
  breakStart.test(value) || (formulaStart.test(value) && !plainNumber.test(value));

/** Pieces are put together this often, so that a file of nothing but formulas does not become millions of them. */
const maxPieces = 8_192;

/**
 * The CSV text with an apostrophe before every cell that a spreadsheet would run, and how many these were.
 * Plain numbers, `-12.50` among them, stay as they are. Line ends become LF, and badly quoted cells are quoted
 * anew with what they say; rows, cells and the byte order mark stay. Takes time linear in the text.
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

/** Most cells begin so, and need no closer look. */
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
