/**
 * Text that others wrote, where a person decides by what is on the screen. A name can be made to look like a
 * price or a second order, so it is short, has no separators, and is shown last, in quotes.
 */

/** The longest name on a ticket, in characters. */
export const maxNameLength = 60;

/** Letters, their marks, digits and the few signs that names of companies and funds have. The rest separates facts. */
const separators = /[^\p{L}\p{M}\p{N} .&'()+/-]+/gu;
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;
/** More marks than a letter has would be drawn over the lines above and below. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

/** A name as one short line without separators; undefined when nothing of it can be shown. */
export function foreignName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    // What follows cannot be shown, and a long text would cost time.
    .slice(0, maxNameLength * 8)
    .replaceAll('’', "'")
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(separators, ' ')
    .replace(stackedMarks, '$1')
    .replace(/ +/g, ' ')
    .trim();
  const characters = [...text];
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  // Dots, which are allowed: cleaning a name twice changes nothing more.
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength - 3).join('')}...` : text;
}

/** The same text when it has the shape of its kind, else undefined. */
const shaped = (shape: RegExp) => (value: unknown) =>
  typeof value === 'string' && shape.test(value) ? value : undefined;

export const foreignIsin = shaped(/^[A-Z]{2}[A-Z0-9]{10}$/);
/** GBp is written so by some services. */
export const foreignCurrency = shaped(/^[A-Za-z]{3}$/);
/** A word of the interface, like STOP_LIMIT. */
export const foreignWord = shaped(/^[A-Z][A-Z_]{0,29}$/);

/** Whether a ticker can be shown as it is: no blank, no separator, no sign that looks like another fact. */
export const isTicker = (value: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$/.test(value);
