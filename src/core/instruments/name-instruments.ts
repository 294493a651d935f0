/** The names of instruments, for pictures: an addition for which no call waits or fails. */

import type { CallContext } from '../broker/types.ts';
import { orElse } from '../log.ts';
import { foreignName } from '../text/sanitize-text.ts';
import type { InstrumentDirectory } from './instrument-directory.ts';

/** More than a picture draws. */
const maxNames = 200;

/** By ticker; a ticker without a name is left out. Empty while the list of instruments is not at hand. */
export async function nameInstruments(
  directory: Pick<InstrumentDirectory, 'instruments'>,
  tickers: Iterable<string>,
  context: CallContext,
): Promise<Readonly<Record<string, string>>> {
  const wanted = [...new Set(tickers)].slice(0, maxNames);
  if (wanted.length === 0) return {};
  const list = await directory.instruments(context).catch(orElse('name instruments', undefined));
  return Object.fromEntries(
    wanted.flatMap((ticker) => {
      const name = foreignName(list?.byTicker(ticker)?.name);
      return name === undefined ? [] : [[ticker, name]];
    }),
  );
}
