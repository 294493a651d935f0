import type { SearchRow } from './search-index.ts';
import type { SearchQuery, SearchTerm } from './search-query.ts';

/**
 * Why an instrument was found:
 * - `ticker`, `isin`: the query is exactly that.
 * - `shortName`: it is, or begins, the short name or the symbol inside the ticker, in any case.
 * - `name`: its words are in the name.
 * - `similar`: a guess (a typo, another case of a ticker, some of the words).
 */
export type MatchReason = 'ticker' | 'isin' | 'shortName' | 'name' | 'similar';

/** What a person most probably means comes first: the order of these lines is the order of the answer. */
const tiers = [
  'exactTicker',
  'exactIsin',
  'exactShortName',
  'tickerInAnotherCase',
  'exactName',
  'shortNameBegins',
  'nameBeginsWithWords',
  'wholeWords',
  'nameBegins',
  'wordsBegin',
  'nearTypo',
  'insideWords',
  'farTypo',
  'someWords',
] as const;
type Tier = (typeof tiers)[number];

export interface RankedMatch {
  readonly row: SearchRow;
  readonly why: MatchReason;
  readonly tier: Tier;
  /** Orders the rows of one tier: less is better. */
  readonly detail: number;
}

/** An ISIN begins with a country; fewer letters than this would find a country and not an instrument. */
const minIsinPrefix = 5;

/** How the row matches without guessing at typos; undefined when it does not. */
export function rankRow(row: SearchRow, query: SearchQuery): RankedMatch | undefined {
  const found = (tier: Tier, why: MatchReason, detail = 0): RankedMatch => ({ row, why, tier, detail });

  if (row.ticker === query.typed) return found('exactTicker', 'ticker');
  if (row.isin === query.compact) return found('exactIsin', 'isin');
  if (row.symbol === query.compact) return found('exactShortName', 'shortName', row.isWholeSymbol ? 0 : 1);
  if (row.shortName === query.compact) return found('exactShortName', 'shortName', 2);
  if (row.tickerLower === query.lower) return found('tickerInAnotherCase', 'similar');
  if (row.core === query.core) return found('exactName', 'name');
  if (row.symbol.startsWith(query.compact) || row.shortName.startsWith(query.compact)) {
    return found('shortNameBegins', 'shortName', row.symbol.length);
  }
  if (query.compact.length >= minIsinPrefix && row.isin.startsWith(query.compact)) {
    return found('wordsBegin', 'similar');
  }

  const fit = computeFit(row, query);
  if (fit === undefined) return undefined;
  const begins = row.core.startsWith(query.core.trimEnd());
  const why = query.terms.some((term) => row.compactName.includes(term.text)) ? 'name' : 'similar';
  if (fit === 'whole') return found(begins ? 'nameBeginsWithWords' : 'wholeWords', why);
  if (fit === 'start') return found(begins ? 'nameBegins' : 'wordsBegin', why);
  return found('insideWords', why);
}

type Fit = 'whole' | 'start' | 'inside';

/** The fit of the term that fits worst; undefined when one is missing. */
function computeFit(row: SearchRow, query: SearchQuery): Fit | undefined {
  let worst: Fit = 'whole';
  for (const term of query.terms) {
    const fit = scoreTerm(row, term);
    if (fit === undefined) return undefined;
    if (fit === 'inside' || worst === 'whole') worst = fit;
  }
  // `northpier` for "North-Pier Foods": the same letters from the beginning, spaced otherwise.
  if (worst === 'inside' && row.compactName.startsWith(query.compact)) return 'start';
  return worst;
}

/** Shorter terms must begin a word: inside of words they are everywhere. */
export const minSubstringLength = 3;
const minCrossWordLength = 4;

export function scoreTerm(row: SearchRow, term: SearchTerm): Fit | undefined {
  if (row.text.includes(term.text)) {
    if (row.text.includes(term.whole)) return 'whole';
    if (row.text.includes(term.start)) return 'start';
    if (term.text.length >= minSubstringLength) return 'inside';
  }
  const acrossWords = term.text.length >= minCrossWordLength && row.compactName.includes(term.text);
  return acrossWords ? 'inside' : undefined;
}

/** The first `limit` of what was found, best first. */
export function topMatches(found: readonly RankedMatch[], { kinds }: SearchQuery, limit: number): RankedMatch[] {
  const perTier = new Map<Tier, RankedMatch[]>(tiers.map((tier) => [tier, []]));
  for (const match of found) perTier.get(match.tier)?.push(match);

  const missing = ({ text }: SearchRow) => kinds.filter((kind) => !text.includes(` ${kind} `)).length;
  const byLikelihood = (a: RankedMatch, b: RankedMatch) =>
    a.detail - b.detail ||
    (kinds.length > 0 && missing(a.row) - missing(b.row)) ||
    a.row.order - b.row.order ||
    (a.row.ticker < b.row.ticker ? -1 : 1);

  const best: RankedMatch[] = [];
  for (const matches of perTier.values()) {
    // Sorting thousands of rows to show ten is what makes single letters slow: the tiers below are left alone.
    if (best.length >= limit) break;
    best.push(...matches.sort(byLikelihood).slice(0, limit - best.length));
  }
  return best;
}
