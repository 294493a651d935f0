/** An in-memory history store with the same interface, for a process whose database cannot be used. */
import { holdsUntil } from '../../core/clock.ts';
import type { MirrorState } from './mirror-state.ts';
import {
  type HistoryChange,
  type HistoryStore,
  type RowFilter,
  type RowSource,
  type StoredRow,
  undatedSortKey,
} from './row-store.ts';

/** After a failure the database is not used for this long. */
const pauseMs = 5_000;

type MemoryRow = StoredRow & { readonly source: RowSource };

/** Keeps the history of this process in memory. Transactions run one at a time. */
export function createMemoryHistory(): HistoryStore {
  const mirrors = new Map<string, { state: MirrorState | undefined; version: number; rows: Map<string, MemoryRow> }>();
  let turn: Promise<unknown> = Promise.resolve();

  const changing = (name: string): HistoryChange => {
    const mirror = mirrors.get(name) ?? { state: undefined, version: 0, rows: new Map<string, MemoryRow>() };
    mirrors.set(name, mirror);
    const matching = (filter: RowFilter) =>
      [...mirror.rows.values()].filter((row) => matches(row, filter)).sort(newestFirst);
    const toRowName = (source: RowSource, key: string) => `${source} ${key}`;
    return {
      state: async () => mirror.state,
      setState: async (state) => {
        mirror.state = state;
      },
      // Rows in memory are not those of the database.
      rowsVersion: async () => `memory ${mirror.version}`,
      rows: async (filter, most) => matching(filter).slice(0, most),
      count: async (filter) => matching(filter).length,
      types: async () => [...new Set([...mirror.rows.values()].flatMap(({ type }) => type ?? []))].sort(),
      bounds: async (filter) => {
        const dates = matching(filter).flatMap(({ at }) => (at < undatedSortKey ? [at] : []));
        const [newest] = dates;
        const oldest = dates.at(-1);
        return oldest === undefined || newest === undefined ? undefined : { oldest, newest };
      },
      known: async (keys) => keys.flatMap((key) => mirror.rows.get(toRowName('pages', key)) ?? []),
      oldestOpen: async (since) => {
        const open = [...mirror.rows.values()].filter(({ isFinal, at }) => !isFinal && at >= since);
        return open.length > 0 ? Math.min(...open.map(({ at }) => at)) : undefined;
      },
      put: async (source, rows) => {
        if (rows.length > 0) mirror.version++;
        for (const row of rows) mirror.rows.set(toRowName(source, row.key), { ...row, source });
      },
      remove: async (source, keys) => {
        mirror.version++;
        for (const row of [...mirror.rows.values()])
          if (row.source === source && (!keys || keys.includes(row.key)))
            mirror.rows.delete(toRowName(source, row.key));
      },
      moveSegment: async (from, to) => {
        for (const [key, row] of mirror.rows) if (row.segment === from) mirror.rows.set(key, { ...row, segment: to });
      },
    };
  };

  const run: HistoryStore['change'] = ({ account, kind }, work) => {
    const mine = turn.then(() => work(changing(`${account} ${kind}`)));
    // The caller has the error.
    turn = mine.catch(() => undefined);
    return mine;
  };
  return { change: run, read: run };
}

/**
 * Uses the database while it works and memory while it does not. Rows read into memory are read again later from
 * the service.
 */
export function createFallbackHistory(
  primary: HistoryStore,
  options: {
    readonly now: () => number;
    readonly hasFailed: () => boolean;
    readonly isStoreError: (error: unknown) => boolean;
  },
): HistoryStore {
  const memory = createMemoryHistory();
  // Do not alternate between database and memory within this time, or rows written to memory would be missing from
  // the next read.
  let memoryUntil = 0;
  const withFallback = async <Result>(work: (store: HistoryStore) => Promise<Result>): Promise<Result> => {
    if (options.hasFailed() || holdsUntil(memoryUntil, options.now(), pauseMs)) return work(memory);
    try {
      return await work(primary);
    } catch (error) {
      if (!options.isStoreError(error)) throw error;
      memoryUntil = options.now() + pauseMs;
      return work(memory);
    }
  };
  return {
    change: (place, work) => withFallback((store) => store.change(place, work)),
    read: (place, work) => withFallback((store) => store.read(place, work)),
  };
}

const matches = (row: MemoryRow, { spans, ticker, types, after }: RowFilter): boolean =>
  spans.some(({ source, from, to }) => row.source === source && row.at >= from && row.at < to) &&
  (ticker === undefined || row.ticker === ticker) &&
  (types === undefined || (row.type !== undefined && types.includes(row.type))) &&
  (!after || newestFirst(row, after) > 0);

type RowKey = Pick<StoredRow, 'at' | 'key'>;
const newestFirst = (a: RowKey, b: RowKey): number => b.at - a.at || (a.key < b.key ? 1 : a.key > b.key ? -1 : 0);
