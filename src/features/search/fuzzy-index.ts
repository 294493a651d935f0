import uFuzzy from '@leeoniya/ufuzzy';
import { editDistance } from '../../core/text/suggestions.ts';
import type { SearchIndex, SearchRow } from './search-index.ts';
import type { SearchQuery, SearchTerm } from './search-query.ts';
import { type RankedMatch, scoreTerm } from './search-rank.ts';

/** The distance from a mistyped term to the nearest word of a row. */
interface Guess {
  readonly distance: number;
  /** True for a word of the name, false for a symbol: short symbols differ by one letter from dozens of others. */
  readonly inName: boolean;
}

interface FuzzyIndex {
  /** Whether the term is a word of a name, so that it is probably spelled as intended. */
  isWord(term: string): boolean;
  /** The rows (by index) with a word that differs from the term by one letter, or that starts like this. */
  guess(term: string): ReadonlyMap<number, Guess>;
}

const minGuessedLength = 3;
const maxGuessedLength = 24;
/** From this length on, a term can match the start of a word; in shorter ones the first letters match too much. */
const minPrefixLength = 5;
/** Words of this length can have two wrong letters if no word is closer. */
const minLengthForTwoEdits = 8;
/** Extra distance for a wrong first letter, which is a rare mistake. */
const firstLetterDiffers = 0.25;

/** uFuzzy replaces quoted text by this string and fails when a query contains it. */
const reservedByUFuzzy = 'eexxaacctt';

/**
 * The few thousand distinct words of all instruments, and the rows that contain them. Searching words for a typo is
 * ten times cheaper than searching 16,000 texts.
 */
export function buildTypoIndex(rows: readonly SearchRow[]): FuzzyIndex {
  const names = new Map<string, number[]>();
  const symbols = new Map<string, number[]>();
  rows.forEach((row, index) => {
    for (const word of row.nameWords) note(names, word, index);
    note(symbols, row.symbol, index);
    if (row.shortName !== row.symbol) note(symbols, row.shortName, index);
  });
  const nameWords = [...names.keys()];
  const symbolsByLength: string[][] = [];
  for (const symbol of symbols.keys()) {
    const sameLength = symbolsByLength[symbol.length];
    if (sameLength) sameLength.push(symbol);
    else symbolsByLength[symbol.length] = [symbol];
  }
  const matcher = new uFuzzy({ interLft: 2, intraMode: 1, intraRules: oneErrorAnywhere });

  const guessWords = (term: string): [word: string, distance: number][] => {
    const near = (matcher.filter(nameWords, term) ?? []).flatMap((index): [string, number][] => {
      const word = nameWords[index] ?? '';
      const distance = editDistance(term, word, 1);
      if (distance <= 1) return [[word, distance]];
      return term.length >= minPrefixLength ? [[word, 1.5]] : [];
    });
    if (near.length > 0 || term.length < minLengthForTwoEdits) return near;
    return nameWords
      .map((word): [string, number] => [word, editDistance(term, word, 2)])
      .filter(([, distance]) => distance <= 2);
  };

  return {
    isWord: (term) => names.has(term),
    guess(term) {
      const guesses = new Map<number, Guess>();
      const usable = term.length >= minGuessedLength && term.length <= maxGuessedLength && /^[a-z\d]+$/.test(term);
      if (!usable || term.includes(reservedByUFuzzy)) return guesses;

      const add = (rowIndexes: readonly number[], word: string, distance: number, inName: boolean) => {
        const total = distance + (word[0] === term[0] ? 0 : firstLetterDiffers);
        for (const index of rowIndexes) {
          if (total < (guesses.get(index)?.distance ?? Number.POSITIVE_INFINITY)) {
            guesses.set(index, { distance: total, inName });
          }
        }
      };
      for (const [word, distance] of guessWords(term)) add(names.get(word) ?? [], word, distance, true);
      for (const length of [term.length - 1, term.length, term.length + 1]) {
        for (const symbol of (length >= minGuessedLength && symbolsByLength[length]) || []) {
          if (editDistance(term, symbol, 1) <= 1) add(symbols.get(symbol) ?? [], symbol, 1, false);
        }
      }
      return guesses;
    },
  };
}

function note(index: Map<string, number[]>, word: string, row: number): void {
  const known = index.get(word);
  if (known) known.push(row);
  else index.set(word, [row]);
}

/** uFuzzy's default rules keep the first letter fixed and allow few errors in short words. */
function oneErrorAnywhere(part: string) {
  const allowed = /^\d+$/.test(part) || part.length < minGuessedLength ? 0 : 1;
  return {
    intraSlice: [0, Number.POSITIVE_INFINITY] as [number, number],
    intraIns: allowed,
    intraSub: allowed,
    intraTrn: allowed,
    intraDel: allowed,
  } as const;
}

/**
 * Finds rows that match every term, at least one of them with a typo. The index proposes rows for the longest term;
 * the other terms are checked in those rows only.
 */
export function findTypos(
  { rows, texts }: SearchIndex,
  typos: FuzzyIndex,
  { terms }: SearchQuery,
  found: readonly RankedMatch[],
): RankedMatch[] {
  const [longest, ...others] = terms;
  if (!longest) return [];
  const symbolFound = found.some(({ tier }) => tier === 'exactShortName');
  // A term that is a word of a name is probably spelled as intended, if the exact search found something.
  const spelledRight = (term: SearchTerm) => found.length > 0 && typos.isWord(term.text);

  if (terms.every(spelledRight)) return [];

  const guesses = new Map(spelledRight(longest) ? [] : typos.guess(longest.text));
  if (others.length > 0) {
    // The longest term may be correct and another one mistyped.
    texts.eachRowWithStart(longest.text, (row) => guesses.set(row, { distance: 0, inName: true }));
  }

  const result: RankedMatch[] = [];
  for (const [at, guess] of guesses) {
    const row = rows[at];
    const distances = row && others.map((term) => distanceIn(row, term, spelledRight(term)));
    const distance = distances?.reduce((sum, each) => sum + each, guess.distance) ?? Number.POSITIVE_INFINITY;
    if (!row || distance === 0 || distance === Number.POSITIVE_INFINITY || (symbolFound && !guess.inName)) continue;
    const tier = guess.inName && distance <= terms.length ? 'nearTypo' : 'farTypo';
    result.push({ row, why: 'similar', tier, detail: distance });
  }
  return result;
}

const minFuzzyTermLength = 3;

function distanceIn(row: SearchRow, term: SearchTerm, spelledRight: boolean): number {
  if (scoreTerm(row, term)) return 0;
  const mistyped = !spelledRight && term.text.length >= minFuzzyTermLength;
  const near = mistyped && row.nameWords.some((word) => editDistance(term.text, word, 1) <= 1);
  return near ? 1 : Number.POSITIVE_INFINITY;
}
