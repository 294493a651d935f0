import type { TradableInstrument } from '../../core/endpoints/index.ts';
import { normalizeCurrency } from '../../core/text/currency-units.ts';
import { buildTypoIndex } from './fuzzy-index.ts';
import { findTypos } from './fuzzy-match.ts';
import { nearestTickers } from './nearest-tickers.ts';
import { findPartialMatches } from './partial-match.ts';
import { findExact } from './search-exact.ts';
import { buildSearchIndex, type SearchRow } from './search-index.ts';
import { parseQuery } from './search-query.ts';
import { type MatchReason, type RankedMatch, type SearchPreference, topMatches } from './search-rank.ts';

export type { MatchReason, SearchPreference } from './search-rank.ts';

export interface InstrumentMatch {
  readonly instrument: TradableInstrument;
  readonly why: MatchReason;
}

export interface InstrumentSearchResult {
  readonly matches: readonly InstrumentMatch[];
  /** The number of matches before `limit` was applied. */
  readonly total: number;
}

export interface InstrumentSearchOptions {
  /** An instrument type (docs/interface.md), in any case. */
  readonly type?: string | undefined;
  /** A `currencyCode`. GBP does not find GBX, because their prices differ by a factor of 100. */
  readonly currency?: string | undefined;
  readonly limit: number;
  /** Decides between instruments that fit equally well. */
  readonly preference?: SearchPreference | undefined;
}

export interface InstrumentSearch {
  /** Never throws; an empty query finds nothing. */
  search(query: string, options: InstrumentSearchOptions): InstrumentSearchResult;
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

      const wanted = wantedBy(options);
      const ofWanted = (matches: readonly RankedMatch[]) => matches.filter(({ row }) => wanted(row));
      let found = ofWanted(findExact(index(), query));
      if (mayGuess(found)) found = merge(found, ofWanted(findTypos(index(), typos(), query, found)));
      if (found.length === 0) found = ofWanted(findPartialMatches(index(), query));

      const best = topMatches(found, query, Math.max(0, options.limit), options.preference);
      return { matches: best.map(({ row, why }) => ({ instrument: row.instrument, why })), total: found.length };
    },
  };
}

function wantedBy({ type, currency }: InstrumentSearchOptions): (row: SearchRow) => boolean {
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
