/** The instruments and exchanges of the account, from the shared metadata lists. */
import type { Broker, CallContext } from '../broker/types.ts';
import { countUnreadable } from '../endpoints/fields.ts';
import { type Exchange, endpoints, type TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';

/** The instruments that can be traded. */
export interface InstrumentList {
  readonly instruments: readonly TradableInstrument[];
  /** The instrument with exactly this ticker (case-sensitive); undefined when there is none. */
  byTicker(ticker: string): TradableInstrument | undefined;
  /** When the service returned the list (ms). */
  readonly answeredAt: number;
  /** The number of its items that could not be read. */
  readonly unreadable: number;
}

/** Access to instruments and exchanges. Functions throw a BrokerageError when the lists cannot be read. */
export interface InstrumentDirectory {
  instruments(context: CallContext): Promise<InstrumentList>;
  /** The list that this process read last, however old; undefined before it was needed. Makes no request. */
  lastList(): InstrumentList | undefined;
  /** All exchanges; the rest as in `InstrumentList`. */
  exchanges(context: CallContext): Promise<{ exchanges: readonly Exchange[]; answeredAt: number; unreadable: number }>;
  /** The instrument with exactly this ticker. Throws `unknown_ticker` with the closest tickers if there is none. */
  getOrThrow(ticker: string, context: CallContext): Promise<TradableInstrument>;
}

/** Returns the tickers that an unknown one probably means, closest first. */
export type FindNearest = (instruments: readonly TradableInstrument[], ticker: string) => readonly string[];

/** Creates a directory on the broker's cached metadata lists. It makes no request until it is used. */
export function createInstrumentDirectory(broker: Broker, findNearest: FindNearest): InstrumentDirectory {
  // One index per list, because the broker returns the same array until the list is read again.
  const indexes = new WeakMap<readonly TradableInstrument[], ReadonlyMap<string | undefined, TradableInstrument>>();

  let last: InstrumentList | undefined;
  const list: InstrumentDirectory['instruments'] = async (context) => {
    const { data, answeredAt } = await broker.call(endpoints.listInstruments, {}, context);
    const index = indexes.get(data) ?? indexByTicker(data);
    indexes.set(data, index);
    const unreadable = countUnreadable(data);
    last = { instruments: data, byTicker: (ticker) => index.get(ticker), answeredAt, unreadable };
    return last;
  };

  return {
    instruments: list,
    lastList: () => last,
    exchanges: async (context) => {
      const { data, answeredAt } = await broker.call(endpoints.listExchanges, {}, context);
      return { exchanges: data, answeredAt, unreadable: countUnreadable(data) };
    },
    getOrThrow: async (ticker, context) => {
      const { instruments, byTicker } = await list(context);
      const found = byTicker(ticker);
      if (found) return found;
      const nearest = findNearest(instruments, ticker);
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

/** Built from the end, so that the first of two rows with the same ticker is kept. */
const indexByTicker = (instruments: readonly TradableInstrument[]) =>
  new Map(instruments.toReversed().map((instrument) => [instrument.ticker, instrument]));
