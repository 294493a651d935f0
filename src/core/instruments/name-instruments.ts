/** The names of instruments, for pictures: an addition for which no request is made. */

import type { TradableInstrument } from '../endpoints/index.ts';
import { foreignCurrency, foreignInstrument } from '../text/sanitize-text.ts';
import type { InstrumentDirectory } from './instrument-directory.ts';

/** More than a picture draws. */
const maxNames = 200;

/** By ticker; a ticker without a name is left out. Empty before this process needed the list of instruments. */
export const nameInstruments = (directory: KnownList, tickers: Iterable<string>): ByTicker =>
  collect(directory, tickers, ({ name }) => foreignInstrument(name));

/** The currencies of their prices, in the same way. */
export const listCurrencies = (directory: KnownList, tickers: Iterable<string>): ByTicker =>
  collect(directory, tickers, ({ currencyCode }) => foreignCurrency(currencyCode));

type KnownList = Pick<InstrumentDirectory, 'lastList'>;
type ByTicker = Readonly<Record<string, string>>;

function collect(
  directory: KnownList,
  tickers: Iterable<string>,
  find: (instrument: Partial<TradableInstrument>) => string | undefined,
): ByTicker {
  const list = directory.lastList();
  const wanted = [...new Set(tickers)].slice(0, maxNames);
  return Object.fromEntries(
    wanted.flatMap((ticker) => {
      const found = find(list?.byTicker(ticker) ?? {});
      return found === undefined ? [] : [[ticker, found]];
    }),
  );
}
