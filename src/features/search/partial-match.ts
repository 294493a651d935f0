import type { SearchIndex } from './search-index.ts';
import type { SearchQuery } from './search-query.ts';
import type { RankedMatch } from './search-rank.ts';

/** The minimum weight of a match. A word that one row in fifty contains has this weight. */
const minWeight = Math.log(50);
/** Rows with at least this fraction of the best weight are returned too. */
const nearlyBest = 0.8;

/**
 * The last resort for a query with more words than any name ("Northpier 500 accumulating"): the rows with the most
 * significant of its words. A word is more significant the fewer instruments contain it.
 */
export function findPartialMatches({ rows, texts }: SearchIndex, { terms }: SearchQuery): RankedMatch[] {
  if (terms.length < 2) return [];
  const weights = new Map<number, number>();
  for (const term of terms) {
    const having: number[] = [];
    texts.eachRowWithStart(term.text, (row) => having.push(row));
    const weight = Math.log(rows.length / Math.max(1, having.length));
    for (const row of having) weights.set(row, (weights.get(row) ?? 0) + weight);
  }

  let best = 0;
  for (const weight of weights.values()) best = Math.max(best, weight);
  const least = Math.max(Math.min(minWeight, Math.log(rows.length) / 2), best * nearlyBest);
  return rows.flatMap((row, index): RankedMatch[] => {
    const weight = weights.get(index) ?? 0;
    return weight > 0 && weight >= least ? [{ row, why: 'similar', tier: 'someWords', detail: -weight }] : [];
  });
}
