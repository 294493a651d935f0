/**
 * Text from outside, as data that may be shown: a name or a message may have been written to steer a model or
 * to hide something from a person. This is the one list of invisible characters.
 */

/**
 * Controls, format characters (bidirectional overrides, zero-width characters, soft hyphens, tags), lone
 * surrogates, private use, everything that Unicode says to ignore when it cannot be drawn (variation selectors,
 * Hangul fillers, the combining grapheme joiner, Mongolian and Khmer vowels), and the empty Braille pattern.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]+/gu;

/** The same, with tabs and line ends left where they are. */
const unseenInLines = /(?:[^\P{Cc}\t\n\r]|[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800])+/gu;

/**
 * A character that may be one of these: quicker to look for than to name, because it takes half of a surrogate pair
 * for one. A large text of many scripts is searched in a few milliseconds.
 */
const mayBeUnseen =
  /[^\t\n\r -~\xa0-\xac\xae-\u02ff\u0370-\u05ff\u0900-\u115e\u1161-\u17b3\u1e00-\u200a\u2010-\u2027\u2030-\u205f\u2070-\u27ff\u2900-\u3163\u3165-\ud7ff\uf900-\ufdff\uff01-\uff9f]/;

/** Tabs and every kind of line end separate words, so a space takes their place. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

const blanks = /\s+/g;

/** The same text without invisible characters; tabs and line ends become one space. Case and length stay. */
export const removeUnseen = (text: string): string => text.replace(breaks, ' ').replace(unseen, '');

/** The same text without invisible characters; tabs and line ends stay. */
export const stripUnseen = (text: string): string => (mayBeUnseen.test(text) ? text.replace(unseenInLines, '') : text);

/**
 * Text as one line of at most `longest` characters (code points), with nothing in it that hides or turns around
 * what a person reads. A text that is cut ends with `…`. Undefined when nothing is left, or when it was no text.
 */
export function sanitizeText(value: unknown, longest = 300): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Cut first: what is thrown away need not be searched.
  const text = removeUnseen(value.slice(0, longest * 4))
    .replace(blanks, ' ')
    .trim();
  if (text === '') return undefined;
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

const longestText = 1_000;

/** The same value with every text in it cleaned and bounded, the names of fields included. */
export function sanitizeDeep(value: unknown): unknown {
  if (typeof value === 'string') return bounded(value);
  if (Array.isArray(value)) return value.map(sanitizeDeep);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [bounded(key), sanitizeDeep(inner)]));
  return value;
}

function bounded(text: string): string {
  // Cut first: what is thrown away need not be searched.
  const visible = removeUnseen(text.slice(0, longestText * 4));
  if (visible.length <= longestText) return visible;
  // A cut through a surrogate pair would leave half a character.
  return `${visible.slice(0, longestText).replace(/[\ud800-\udbff]$/, '')}…`;
}
