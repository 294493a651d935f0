/** Normalizes text for searching, because case, accents and punctuation do not matter in a search for a name. */

/** Letters that Unicode does not decompose into a base letter and an accent. */
const undecomposed: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** Longer than any instrument's name. The rest is ignored, because a name of a megabyte would take half a second. */
const maxLength = 500;

const printableAscii = /^[ -~]*$/;

function fold(text: string): string {
  // Nearly every name is ASCII, and normalizing 16,000 of them costs more than all other steps.
  if (printableAscii.test(text)) return text.toLowerCase();
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return plain.replace(/[øłđßæœı]/g, (letter) => undecomposed[letter] ?? letter);
}

/** The words of a text, normalized. An apostrophe does not separate words: `Orla's` becomes `orlas`. */
export function splitWords(name: string): string[] {
  const text = name.slice(0, maxLength);
  // Symbols, short names and ISINs: three of four texts are one ASCII word.
  if (/^[A-Za-z\d]+$/.test(text)) return [text.toLowerCase()];
  const folded = fold(text).replace(/['’]/g, '');
  return folded.match(printableAscii.test(folded) ? /[a-z\d]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/** Only letters and digits: `QX.B`, `qx/b` and `qxb` become equal. */
export const alphanumeric = (text: string): string => splitWords(text).join('');

/** Words for the kind of an instrument. They do not identify one, so a name without them can still match. */
const kindWords = new Set(
  'the a of and inc incorporated corp corporation co company plc ltd limited llc lp ag sa se nv spa ab asa oyj group holding holdings stock stocks share shares ordinary common etf etfs fund funds'.split(
    ' ',
  ),
);

/** The words for a type of instrument, which a row of that type need not have in its name. */
const typeByWord: Readonly<Record<string, string>> = {
  etf: 'ETF',
  etfs: 'ETF',
  fund: 'ETF',
  funds: 'ETF',
  stock: 'STOCK',
  stocks: 'STOCK',
  share: 'STOCK',
  shares: 'STOCK',
};

/** The type of instrument that a term means (`fund`); undefined for any other term. */
export const typeOfWord = (word: string): string | undefined =>
  Object.hasOwn(typeByWord, word) ? typeByWord[word] : undefined;

export const isStopWord = (word: string): boolean => kindWords.has(word);

/** The words that distinguish names; all words if there are no such words. */
export function significantWords(words: readonly string[]): readonly string[] {
  if (!words.some(isStopWord)) return words;
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 0 ? telling : words;
}
