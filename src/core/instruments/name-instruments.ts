/** The names of instruments, for pictures: an addition for which no request is made. */

import { foreignName } from '../text/sanitize-text.ts';
import type { InstrumentDirectory } from './instrument-directory.ts';

/** More than a picture draws. */
const maxNames = 200;

/** By ticker; a ticker without a name is left out. Empty before this process needed the list of instruments. */
export function nameInstruments(
  directory: Pick<InstrumentDirectory, 'lastList'>,
  tickers: Iterable<string>,
): Readonly<Record<string, string>> {
  const list = directory.lastList();
  const wanted = [...new Set(tickers)].slice(0, maxNames);
  return Object.fromEntries(
    wanted.flatMap((ticker) => {
      const name = foreignName(list?.byTicker(ticker)?.name);
      return name === undefined ? [] : [[ticker, name]];
    }),
  );
}
