/** The instruments and exchanges of the account, searchable, from the shared metadata lists. */

import { createInstrumentSearch, type InstrumentMatch, type InstrumentSearch } from '../../features/search/search.ts';
import type { Broker, CallContext } from '../broker/types.ts';
import { countUnreadable } from '../endpoints/fields.ts';
import { type Exchange, endpoints, type TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';

/** Access to instruments and exchanges. Functions throw a BrokerageError when the lists cannot be read. */
export interface InstrumentDirectory {
  /**
   * The search over all instruments. `answeredAt` (ms) is when the service returned the list, and `unreadable` is the
   * number of its items that could not be read.
   */
  search(context: CallContext): Promise<{ index: InstrumentSearch; answeredAt: number; unreadable: number }>;
  /** All exchanges; the rest as in `search`. */
  exchanges(context: CallContext): Promise<{ exchanges: readonly Exchange[]; answeredAt: number; unreadable: number }>;
  /** The instrument with exactly this ticker. Throws `unknown_ticker` with the closest tickers if there is none. */
  getOrThrow(ticker: string, context: CallContext): Promise<TradableInstrument>;
}

/** The number of closest tickers in an error. */
const most = 5;
const getTicker = ({ instrument }: InstrumentMatch) => instrument.ticker;

/** Creates a directory on the broker's cached metadata lists. It makes no request until it is used. */
export function createInstrumentDirectory(broker: Broker): InstrumentDirectory {
  // One index per list, because the broker returns the same array until the list is read again.
  const indexes = new WeakMap<readonly TradableInstrument[], InstrumentSearch>();

  const search: InstrumentDirectory['search'] = async (context) => {
    const { data, answeredAt } = await broker.call(endpoints.listInstruments, {}, context);
    const index = indexes.get(data) ?? createInstrumentSearch(data);
    indexes.set(data, index);
    return { index, answeredAt, unreadable: countUnreadable(data) };
  };

  return {
    search,
    exchanges: async (context) => {
      const { data, answeredAt } = await broker.call(endpoints.listExchanges, {}, context);
      return { exchanges: data, answeredAt, unreadable: countUnreadable(data) };
    },
    getOrThrow: async (ticker, context) => {
      const { index } = await search(context);
      const found = index.byTicker(ticker);
      if (found) return found;
      const near = index.nearestTickers(ticker, most);
      // The caller may have passed a name instead of a ticker.
      const nearest = near.length ? near : index.search(ticker, { limit: most }).matches.map(getTicker);
      throw new BrokerageError(
        'unknown_ticker',
        `No instrument has the ticker ${JSON.stringify(ticker)}.`,
        nearest.length
          ? `The closest tickers are: ${nearest.join(', ')}. Find others with search_instruments.`
          : 'Find the ticker with search_instruments.',
        { nearest },
      );
    },
  };
}
