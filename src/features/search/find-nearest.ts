/** The search over the current list of instruments, built once for each list. */
import type { TradableInstrument } from '../../core/endpoints/index.ts';
import type { FindNearest } from '../../core/instruments/instrument-directory.ts';
import { createInstrumentSearch, type InstrumentMatch, type InstrumentSearch } from './search.ts';

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
