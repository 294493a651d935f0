import { editDistance } from '../../core/text/suggestions.ts';
import type { FuzzyIndex } from './fuzzy-index.ts';
import type { SearchIndex, SearchRow } from './search-index.ts';
import type { SearchQuery, SearchTerm } from './search-query.ts';
import { type RankedMatch, scoreTerm } from './search-rank.ts';

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
