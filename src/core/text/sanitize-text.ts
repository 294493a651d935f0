/**
 * Cleans text from outside, so that it can be shown: a name or a message may be written to steer a model or to hide
 * something from a person.
 */

/**
 * Control characters, format characters (bidirectional overrides, zero-width characters, soft hyphens, tags), lone
 * surrogates, private use, everything that Unicode says to ignore when it cannot be drawn (variation selectors,
 * Hangul fillers, the combining grapheme joiner, Mongolian and Khmer vowels), and the empty Braille pattern.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/**
 * The same, except for tabs and line ends. A run has a bound, because the engine keeps a place on its stack for each.
 */
const unseenInLines = /(?:[^\P{Cc}\t\n\r]|[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]){1,1000}/gu;

/**
 * A quick test whether a text may contain invisible characters: it searches a large text of many scripts in a few
 * milliseconds. It takes half of a surrogate pair for an invisible character, so the exact pattern decides.
 */
const mayBeUnseen =
  /[^\t\n\r -~\xa0-\xac\xae-\u02ff\u0370-\u05ff\u0900-\u115e\u1161-\u17b3\u1e00-\u200a\u2010-\u2027\u2030-\u205f\u2070-\u27ff\u2900-\u3163\u3165-\ud7ff\uf900-\ufdff\uff01-\uff9f]/;

/** Tabs and line ends of every kind separate words, so they become spaces. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

const blanks = /\s+/g;

/**
 * Removes invisible characters; tabs and line ends become one space. Letter case does not change, and the length is
 * not limited.
 */
export const removeUnseen = (text: string): string => text.replace(breaks, ' ').replace(unseen, '');

/** Removes invisible characters, and keeps tabs and line ends. */
export const stripUnseen = (text: string): string => (mayBeUnseen.test(text) ? text.replace(unseenInLines, '') : text);

/**
 * Returns text as one line of at most `longest` characters (code points), without anything that hides or reorders
 * what a person reads. A text that is cut ends with `…`. Undefined when the value is not a string, or when nothing
 * is left of it.
 */
export function sanitizeText(value: unknown, longest = 300): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Cut first, so that the rest is not searched.
  const text = removeUnseen(value.slice(0, longest * 4))
    .replace(blanks, ' ')
    .trim();
  if (text === '') return undefined;
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

const longestText = 1_000;

/** Returns a copy of a value in which every text, including the names of fields, is cleaned and bounded. */
export function sanitizeDeep(value: unknown): unknown {
  if (typeof value === 'string') return bounded(value);
  if (Array.isArray(value)) return value.map(sanitizeDeep);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [bounded(key), sanitizeDeep(inner)]));
  return value;
}

function bounded(text: string): string {
  // Cut first, so that the rest is not searched.
  const visible = removeUnseen(text.slice(0, longestText * 4));
  if (visible.length <= longestText) return visible;
  // A cut through a surrogate pair would leave half a character.
  return `${visible.slice(0, longestText).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Text from others on screens where a person decides. A name can imitate a price or a second order, so it is short,
 * has no separators, and is shown last, in quotes.
 */

/** The longest name that a person or a program gives, in characters. */
const maxNameLength = 60;
/** The longest name of an instrument. Few are longer, and a longer one would displace the facts of its order. */
const maxInstrumentName = 120;

/**
 * Everything but letters, their marks, digits and the few signs in names of companies and funds can imitate the
 * separators between facts.
 */
const separators = /[^\p{L}\p{M}\p{N} .&'()+/-]+/gu;
const invisible = /\p{Default_Ignorable_Code_Point}+/gu;
/** With more marks than this on a letter, they would be drawn over the lines above and below. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

/** Returns a name as one short line without separators; undefined when nothing of it can be shown. */
export function foreignName(value: unknown, longest = maxNameLength): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value
    // The rest cannot be shown, and processing a long text would take time.
    .slice(0, longest * 8)
    .replaceAll('’', "'")
    .normalize('NFKC')
    .replace(invisible, '')
    .replace(separators, ' ')
    .replace(stackedMarks, '$1')
    .replace(/ +/g, ' ')
    .trim();
  const characters = [...text];
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  // Cleaning a cut name again makes three dots of its mark, and cuts it in the same place: nothing changes.
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

export const foreignInstrument = (name: unknown): string | undefined => foreignName(name, maxInstrumentName);

/** Amounts and counts, and the terms that the facts of an order have. */
const likeFacts =
  /\d\.\d|\d shares?\b|^\d[\d ]* |\b(?:buy|sell|limit|stop|market|day|worst|approved?|demo|sandbox)\b/iu;

/** Whether a cleaned name can be written before the facts of an order, because it imitates none of them. */
export const isPlainName = (name: string | undefined): name is string => name !== undefined && !likeFacts.test(name);

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
