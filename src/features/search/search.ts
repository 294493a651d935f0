import type { TradableInstrument } from '../../core/endpoints/index.ts';
import type { FindNearest } from '../../core/instruments/instrument-directory.ts';
import { normalizeCurrency } from '../../core/text/currency-units.ts';
import { editDistance } from '../../core/text/suggestions.ts';
import { buildTypoIndex, findTypos } from './fuzzy-index.ts';
import { alphanumeric } from './normalize-text.ts';
import { buildSearchIndex, parseSymbol, type SearchIndex, type SearchRow } from './search-index.ts';
import { parseQuery, type SearchQuery } from './search-query.ts';
import {
  type MatchReason,
  minSubstringLength,
  type RankedMatch,
  rankRow,
  type SearchPreference,
  topMatches,
} from './search-rank.ts';

interface InstrumentMatch {
  readonly instrument: TradableInstrument;
  readonly why: MatchReason;
}

interface InstrumentSearchResult {
  readonly matches: readonly InstrumentMatch[];
  /** The number of matches before `limit` was applied. */
  readonly total: number;
}

export interface InstrumentSearch {
  /** Never throws; an empty query finds nothing. */
  search(
    query: string,
    options: {
      /** An instrument type (docs/interface.md), in any case. */
      readonly type?: string | undefined;
      /** A `currencyCode`. GBP does not find GBX, because their prices differ by a factor of 100. */
      readonly currency?: string | undefined;
      readonly limit: number;
      /** Decides between instruments that fit equally well. */
      readonly preference?: SearchPreference | undefined;
    },
  ): InstrumentSearchResult;
  /** Up to `count` tickers that an unknown one probably means, closest first. */
  nearestTickers(ticker: string, count: number): string[];
  /** Every currency of an instrument, in alphabetical order. */
  currencies(): readonly string[];
  readonly size: number;
}

/** With this many exact matches, guessing at typos would only add noise. */
const enoughWithoutGuessing = 20;

/** Creates a search over instruments by ticker, name, ISIN or short name. Each index is built on first use. */
export function createInstrumentSearch(instruments: readonly TradableInstrument[]): InstrumentSearch {
  const index = once(() => buildSearchIndex(instruments));
  const typos = once(() => buildTypoIndex(index().rows));
  const currencies = once(() =>
    [...new Set(instruments.flatMap(({ currencyCode }) => normalizeCurrency(currencyCode) ?? []))].sort(),
  );

  return {
    size: instruments.length,
    currencies,
    nearestTickers: (ticker, count) => nearestTickers(index().rows, ticker, count),
    search(text, options) {
      const query = parseQuery(text);
      if (!query) return { matches: [], total: 0 };

      const wanted = wantedBy(options.type, options.currency);
      const ofWanted = (matches: readonly RankedMatch[]) => matches.filter(({ row }) => wanted(row));
      let found = ofWanted(findExact(index(), query));
      if (mayGuess(found)) found = merge(found, ofWanted(findTypos(index(), typos(), query, found)));
      if (found.length === 0) found = ofWanted(findPartialMatches(index(), query));

      const best = topMatches(found, query, Math.max(0, options.limit), options.preference);
      return { matches: best.map(({ row, why }) => ({ instrument: row.instrument, why })), total: found.length };
    },
  };
}

function wantedBy(type: string | undefined, currency: string | undefined): (row: SearchRow) => boolean {
  const wantedType = type?.toUpperCase();
  const wantedCurrency = normalizeCurrency(currency);
  return ({ instrument }) =>
    (wantedType === undefined || instrument.type?.toUpperCase() === wantedType) &&
    (wantedCurrency === undefined || normalizeCurrency(instrument.currencyCode) === wantedCurrency);
}

function mayGuess(found: readonly RankedMatch[]): boolean {
  const spelledRight = found.filter(({ tier }) => tier !== 'insideWords');
  return (
    spelledRight.length < enoughWithoutGuessing &&
    !found.some(({ tier }) => tier === 'exactTicker' || tier === 'exactIsin')
  );
}

/** Keeps a row that was found twice only once. */
function merge(found: readonly RankedMatch[], guesses: readonly RankedMatch[]): RankedMatch[] {
  const merged = new Map(found.map((match) => [match.row, match]));
  for (const guess of guesses) {
    const earlier = merged.get(guess.row);
    // A match in the middle of a word is weaker than one with a wrong letter.
    if (!earlier || (earlier.tier === 'insideWords' && guess.tier === 'nearTypo')) merged.set(guess.row, guess);
  }
  return [...merged.values()];
}

function once<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

/** Finds rows that match without typos: the columns propose rows, and the ranking decides. */
function findExact(index: SearchIndex, query: SearchQuery): RankedMatch[] {
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

/** The minimum weight of a match. A word that one row in fifty contains has this weight. */
const minWeight = Math.log(50);
/** Rows with at least this fraction of the best weight are returned too. */
const nearlyBest = 0.8;

/**
 * The last resort for a query with more words than any name ("Northpier 500 accumulating"): the rows with the most
 * significant of its words. A word is more significant the fewer instruments contain it.
 */
function findPartialMatches({ rows, texts }: SearchIndex, { terms }: SearchQuery): RankedMatch[] {
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

// The search over the current list of instruments, built once for each list.

// The broker returns the same array until the list is read again.
const searches = new WeakMap<readonly TradableInstrument[], InstrumentSearch>();

/** Returns the search over a list. */
export function searchIn(instruments: readonly TradableInstrument[]): InstrumentSearch {
  const search = searches.get(instruments) ?? createInstrumentSearch(instruments);
  searches.set(instruments, search);
  return search;
}

/** The number of closest tickers in an error. */
const most = 5;
const getTickers = ({ instrument }: InstrumentMatch) => instrument.ticker ?? [];

/** Returns the closest tickers; what a search finds if there are none, as the caller may have passed a name. */
export const findNearest: FindNearest = (instruments, ticker) => {
  const search = searchIn(instruments);
  const near = search.nearestTickers(ticker, most);
  return near.length ? near : search.search(ticker, { limit: most }).matches.flatMap(getTickers);
};

const maxTickerLength = 40;

/**
 * The tickers probably meant by a wrong one, closest first: the same in another case, then the same symbol or short
 * name (a bare symbol, a wrong suffix, a renamed company), then symbols that start with it or differ by a letter or
 * two.
 */
function nearestTickers(rows: readonly SearchRow[], wanted: string, count: number): string[] {
  const typed = wanted.trim().slice(0, maxTickerLength);
  const lower = typed.toLowerCase();
  const normalized = alphanumeric(typed);
  // Only its case distinguishes a venue letter from the symbol. If the case is lost, both readings are tried.
  const symbols = [...new Set([alphanumeric(parseSymbol(typed)), alphanumeric(typed.split('_')[0] ?? '')])];
  if (normalized === '' || count <= 0) return [];

  const near: { ticker: string; distance: number; rest: number }[] = [];
  for (const row of rows) {
    if (row.ticker === '') continue;
    const distance =
      row.tickerLower === lower ? 0 : Math.min(...symbols.map((symbol) => distanceTo(row, symbol, normalized)));
    if (distance < Number.POSITIVE_INFINITY) near.push({ ticker: row.ticker, distance, rest: row.order });
  }
  const ranked = near
    .sort((a, b) => a.distance - b.distance || a.rest - b.rest || (a.ticker < b.ticker ? -1 : 1))
    .map(({ ticker }) => ticker);
  return [...new Set(ranked)].slice(0, count);
}

function distanceTo(row: SearchRow, symbol: string, whole: string): number {
  if (row.symbol === symbol) return row.isWholeSymbol ? 1 : 1.2;
  if (row.shortName === symbol) return 1.4;

  const limit = symbol.length <= 2 ? 0 : symbol.length <= 5 ? 1 : 2;
  const bySymbol = editDistance(symbol, row.symbol, limit);
  const byShortName = row.shortName === row.symbol ? bySymbol : editDistance(symbol, row.shortName, limit);
  const distance = Math.min(bySymbol, byShortName);
  if (distance <= limit) return 1.5 + distance;
  if (isNearlyTicker(row, whole)) return 2.6;
  if (symbol.length >= 2 && row.symbol.startsWith(symbol)) return 3 + row.symbol.length / 100;
  return Number.POSITIVE_INFINITY;
}

const maxSeparators = 3;

/** Whether the text is the ticker except for its separators or one letter, such as `QVLTUS_EQ`. */
function isNearlyTicker({ tickerLower }: SearchRow, whole: string): boolean {
  if (tickerLower.length < whole.length - 1 || tickerLower.length > whole.length + 1 + maxSeparators) return false;
  return editDistance(whole, tickerLower.replace(/[_./-]/g, ''), 1) <= 1;
}
