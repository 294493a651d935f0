/** Text made comparable: case, accents and punctuation do not matter when a person looks for a name. */

/** Letters that Unicode does not take apart into a base letter and an accent. */
const undecomposed: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** What is beyond the longest name of an instrument is not looked for; a name of a megabyte would cost half a second. */
const maxLength = 500;

const printableAscii = /^[ -~]*$/;

function fold(text: string): string {
  // Nearly every name is plain ASCII, and normalising 16,000 of them costs more than all the rest.
  if (printableAscii.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.replace(/[øłđßæœı]/g, (letter) => undecomposed[letter] ?? letter);
}

/** The words of a text, folded. An apostrophe is inside a word: `Orla's` is `orlas`. */
export function splitWords(name: string): string[] {
  const text = name.slice(0, maxLength);
  // Symbols, short names and ISINs: three of four texts are one plain word.
  if (/^[A-Za-z\d]+$/.test(text)) return [text.toLowerCase()];
  const folded = fold(text).replace(/['’]/g, '');
  return folded.match(printableAscii.test(folded) ? /[a-z\d]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/** Letters and digits alone: `QX.B`, `qx/b` and `qxb` are the same. */
export const alphanumeric = (text: string): string => splitWords(text).join('');

/** Words that say what kind of thing is meant and not which: their absence in a name proves nothing. */
const kindWords = new Set(
  'the a of and inc incorporated corp corporation co company plc ltd limited llc lp ag sa se nv spa ab asa oyj group holding holdings stock stocks share shares ordinary common etf fund'.split(
    ' ',
  ),
);

export const isStopWord = (word: string): boolean => kindWords.has(word);

/** The words that tell one name from another; all of them when there are no others. */
export function significantWords(words: readonly string[]): readonly string[] {
  if (!words.some(isStopWord)) return words;
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}
