import type { SearchIndex } from './search-index.ts';
import type { SearchQuery } from './search-query.ts';
import { minSubstringLength, type RankedMatch, rankRow } from './search-rank.ts';

/** Finds rows that match without typos: the columns propose rows, and the ranking decides. */
export function findExact(index: SearchIndex, query: SearchQuery): RankedMatch[] {
  const proposed = new Set<number>();
  const propose = (row: number) => proposed.add(row);

  if (!/\s/.test(query.typed)) index.codes.eachRowWith(query.lower, propose);
  if (query.compact !== query.lower) index.codes.eachRowWith(query.compact, propose);
  const [longest] = query.terms;
  if (longest && longest.text.length >= minSubstringLength) {
    index.texts.eachRowWith(longest.text, propose);
    index.compactNames.eachRowWith(longest.text, propose);
  } else if (longest) {
    index.texts.eachRowWithStart(longest.text, propose);
  }
  // For `q x` and the symbol QX, the row contains none of the query's terms.
  if (query.compact !== longest?.text) index.texts.eachRowWithStart(query.compact, propose);

  const found: RankedMatch[] = [];
  for (const at of proposed) {
    const row = index.rows[at];
    const match = row && rankRow(row, query);
    if (match) found.push(match);
  }
  return found;
}
