import { isPence, normalizeCurrency } from '../../core/text/currency-units.ts';
import { typeOfWord } from './normalize-text.ts';
import type { SearchRow } from './search-index.ts';
import type { SearchQuery, SearchTerm } from './search-query.ts';

/**
 * Why an instrument was found:
 * - `ticker`, `isin`: the query is exactly that.
 * - `shortName`: the query is, or starts, the short name or the symbol in the ticker, in any case.
 * - `name`: the query's words are in the name.
 * - `similar`: a guess (a typo, another case of a ticker, some of the words).
 */
export type MatchReason = 'ticker' | 'isin' | 'shortName' | 'name' | 'similar';

/** Most likely meaning first: results are returned in the order of these lines. */
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
  /** Orders the rows of one tier; smaller is better. */
  readonly detail: number;
}

/** An ISIN starts with a country, so fewer letters would match a country instead of an instrument. */
const minIsinPrefix = 5;

/** How the row matches without typos; undefined when it does not. */
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

/** The fit of the worst term; undefined when a term is missing. */
function computeFit(row: SearchRow, query: SearchQuery): Fit | undefined {
  let worst: Fit = 'whole';
  for (const term of query.terms) {
    const fit = scoreTerm(row, term);
    if (fit === undefined) return undefined;
    if (fit === 'inside' || worst === 'whole') worst = fit;
  }
  // `northpier` for "North-Pier Foods": the same letters from the start, with other spacing.
  if (worst === 'inside' && row.compactName.startsWith(query.compact)) return 'start';
  return worst;
}

/** Shorter terms must start a word, because they occur inside too many words. */
export const minSubstringLength = 3;
const minCrossWordLength = 4;

/** Where in the row the term is; undefined when it is not there. */
export function scoreTerm(row: SearchRow, term: SearchTerm): Fit | undefined {
  if (row.text.includes(term.text)) {
    if (row.text.includes(term.whole)) return 'whole';
    if (row.text.includes(term.start)) return 'start';
    if (term.text.length >= minSubstringLength) return 'inside';
  }
  const acrossWords = term.text.length >= minCrossWordLength && row.compactName.includes(term.text);
  return acrossWords ? 'inside' : undefined;
}

/** What decides between matches that fit a query equally well. */
export interface SearchPreference {
  /** Tickers that the account holds. */
  readonly held?: ReadonlySet<string> | undefined;
  /** The currency of the account; an instrument in pence is in pounds. */
  readonly currency?: string | undefined;
}

/** The best `limit` matches, best first. */
export function topMatches(
  found: readonly RankedMatch[],
  { kinds }: SearchQuery,
  limit: number,
  preference: SearchPreference = {},
): RankedMatch[] {
  const groups: RankedMatch[][] = [...tiers, ...tiers].map(() => []);
  for (const match of found) {
    const tier = tiers.indexOf(match.tier);
    groups[tier < codeTiers || isOfType(match.row, kinds) ? tier : tiers.length + tier]?.push(match);
  }

  const distanceOf = createPreference(kinds, preference);
  const best: RankedMatch[] = [];
  for (const matches of groups) {
    // Lower tiers are not sorted once the limit is reached, because sorting thousands of rows to return ten made
    // single letters slow.
    if (best.length >= limit) break;
    const ranked = matches.map((match) => ({ match, distance: distanceOf(match.row) }));
    ranked.sort(
      (a, b) =>
        a.match.detail - b.match.detail ||
        a.distance - b.distance ||
        a.match.row.order - b.match.row.order ||
        (a.match.row.ticker < b.match.row.ticker ? -1 : 1),
    );
    best.push(...ranked.slice(0, limit - best.length).map(({ match }) => match));
  }
  return best;
}

/** The tiers of a complete ticker, ISIN or short name, which the term for a type does not change. */
const codeTiers = tiers.indexOf('exactName');

const hasWord = (row: SearchRow, word: string): boolean => row.text.includes(` ${word} `);

/** False for an instrument of another type than the words name: a query for a fund does not mean a company. */
const isOfType = (row: SearchRow, kinds: readonly string[]): boolean =>
  kinds.every((kind) => {
    const type = typeOfWord(kind);
    return type === undefined || type === row.instrument.type || hasWord(row, kind);
  });

/** Returns a function whose smaller values are better: first the other words (`plc`), then what is held, then the currency. */
function createPreference(kinds: readonly string[], { held, currency }: SearchPreference): (row: SearchRow) => number {
  const words = kinds.filter((kind) => typeOfWord(kind) === undefined);
  const home = normalizeCurrency(currency);
  // An instrument in pence is bought with pounds, without an exchange.
  const isHome = (code: string | undefined) => code === home || (home === 'GBP' && isPence(code));
  return (row) => {
    const missing = words.filter((word) => !hasWord(row, word)).length;
    const isOther = held !== undefined && !held.has(row.ticker);
    const isForeign = home !== undefined && !isHome(row.instrument.currencyCode);
    return missing * 4 + (isOther ? 2 : 0) + (isForeign ? 1 : 0);
  };
}
