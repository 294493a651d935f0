/** Builds HTML in which every inserted text is cleaned and escaped, unless it was built by this folder. */

/** Markup that needs no escaping. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | undefined | false | readonly Piece[];

/** Controls, bidirectional overrides, zero-width and other characters that hide or reorder what a person reads. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** All blanks except the narrow space that `groupThousands` inserts, so that a number is not broken over two lines. */
const blanks = /[^\S\u202f]+/gu;
const maxTextLength = 500;

/** Returns text from outside as one line without invisible characters. */
export function sanitizeText(text: string): string {
  const line = text
    .replace(blanks, ' ')
    .replace(unseen, '')
    // Again, because removed characters may have separated two blanks. Cleaning twice therefore changes nothing.
    .replace(blanks, ' ')
    .trim();
  const characters = [...line];
  return characters.length > maxTextLength ? `${characters.slice(0, maxTextLength - 1).join('')}…` : line;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeText = (text: string): string => sanitizeText(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** Markup written by hand, for constants of this folder only. */
export const unsafeRaw = (markup: string): Html => ({ markup });

/** A template that escapes its values; `undefined` and `false` become nothing, lists are joined. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  return { markup: strings.reduce((sum, text, index) => sum + toMarkup(values[index - 1]) + text) };
}

function toMarkup(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'number') return String(piece);
  if (typeof piece === 'string') return escapeText(piece);
  return 'markup' in piece ? piece.markup : piece.map(toMarkup).join('');
}
