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
