/** HTML in which every text that is put in is cleaned and escaped, unless it was made here itself. */

/** Markup that is safe as it stands. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | undefined | false | readonly Piece[];

/** Controls, bidirectional overrides, zero-width and other characters that hide or turn around what a person reads. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** All but the narrow space that `groupThousands` puts between thousands: a number is not broken over two lines. */
const blanks = /[^\S\u202f]+/gu;
const maxTextLength = 500;

/** Text from outside as one line that shows what it says. */
export function sanitizeText(text: string): string {
  const line = text
    .replace(blanks, ' ')
    .replace(unseen, '')
    // Again: what was removed may have stood between two of them. So cleaning twice changes nothing more.
    .replace(blanks, ' ')
    .trim();
  const characters = [...line];
  return characters.length > maxTextLength ? `${characters.slice(0, maxTextLength - 1).join('')}…` : line;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeText = (text: string): string => sanitizeText(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** Markup by hand: for constants of this folder alone. */
export const unsafeRaw = (markup: string): Html => ({ markup });

/** A template whose values are escaped; `undefined` and `false` are nothing, lists are joined. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  return { markup: strings.reduce((sum, text, index) => sum + toMarkup(values[index - 1]) + text) };
}

function toMarkup(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'number') return String(piece);
  if (typeof piece === 'string') return escapeText(piece);
  return 'markup' in piece ? piece.markup : piece.map(toMarkup).join('');
}
