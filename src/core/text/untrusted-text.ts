/**
 * Text from others on screens where a person decides. A name can imitate a price or a second order, so it is short,
 * has no separators, and is shown last, in quotes.
 */

/** The longest name on a ticket, in characters. */
const maxNameLength = 60;

/**
 * Everything but letters, their marks, digits and the few signs in names of companies and funds can imitate the
 * separators between facts.
 */
const separators = /[^\p{L}\p{M}\p{N} .&'()+/-]+/gu;
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;
/** With more marks than this on a letter, they would be drawn over the lines above and below. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

/** Returns a name as one short line without separators; undefined when nothing of it can be shown. */
export function foreignName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    // The rest cannot be shown, and processing a long text would take time.
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
  // The end is three dots, which are allowed characters, so that cleaning a name twice changes nothing.
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength - 3).join('')}...` : text;
}

/** Returns a function that returns the same text if it matches the pattern, otherwise undefined. */
const shaped = (shape: RegExp) => (value: unknown) =>
  typeof value === 'string' && shape.test(value) ? value : undefined;

/** Returns an ISIN unchanged; undefined for anything else. */
export const foreignIsin = shaped(/^[A-Z]{2}[A-Z0-9]{10}$/);
/** Both cases are allowed, because some services write GBp. */
export const foreignCurrency = shaped(/^[A-Za-z]{3}$/);
/** A constant of the interface, like STOP_LIMIT. */
export const foreignWord = shaped(/^[A-Z][A-Z_]{0,29}$/);

/**
 * Whether a ticker can be shown unchanged: it has no blank, no separator, and no sign that could imitate another
 * fact.
 */
export const isTicker = (value: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$/.test(value);
