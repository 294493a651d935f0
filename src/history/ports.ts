/** What the mirror asks of the store. The store satisfies it by structure; the command line puts the two together. */
import type { HistoryKind } from './kinds.ts';
import type { MirrorState } from './mirror-state.ts';

/** Where a row came from: the pages of the service, or the report of that id. */
export type RowSource = 'pages' | `report:${string}`;

export interface StoredRow {
  readonly key: string;
  /** Milliseconds since 1970 (UTC); `undatedSortKey` for a row without a date. */
  readonly at: number;
  readonly ticker: string | undefined;
  readonly type: string | undefined;
  /** Whether the row can no longer become another one. */
  readonly isFinal: boolean;
  /** The stretch that it was read in; 0 for rows of a report. */
  readonly stretch: number;
  /** The row as JSON. */
  readonly data: string;
}

/** Rows of one source from `from` (inclusive) to `to` (exclusive). */
export interface Span {
  readonly source: RowSource;
  readonly from: number;
  readonly to: number;
}

export interface RowFilter {
  readonly spans: readonly Span[];
  readonly ticker?: string | undefined;
  readonly type?: string | undefined;
  /** Only what comes after this row, newest first. */
  readonly after?: { readonly at: number; readonly key: string } | undefined;
}

export interface HistoryView {
  state(): Promise<MirrorState | undefined>;
  /** Newest first; rows of one moment in the order of their keys. */
  rows(filter: RowFilter, most?: number): Promise<readonly Pick<StoredRow, 'key' | 'at' | 'data'>[]>;
  count(filter: RowFilter): Promise<number>;
  /** The rows among these keys that came from pages. */
  known(keys: readonly string[]): Promise<readonly Pick<StoredRow, 'key' | 'stretch' | 'data' | 'isFinal'>[]>;
  /** When the oldest row that is not final happened, not looking further back than `since`. */
  oldestOpen(since: number): Promise<number | undefined>;
}

export interface HistoryChange extends HistoryView {
  setState(state: MirrorState): Promise<void>;
  /** Writes rows, in the place of those with the same key of the same source. */
  put(source: RowSource, rows: readonly StoredRow[]): Promise<void>;
  remove(source: RowSource, keys?: readonly string[]): Promise<void>;
  /** Counts the rows of one stretch to another. */
  moveStretch(from: number, to: number): Promise<void>;
}

/** One kind of one account. Everything in a `change` happens or does not; `work` waits for nothing but `tx`. */
export interface HistoryStore {
  change<Result>(
    place: { readonly account: string; readonly kind: HistoryKind },
    work: (tx: HistoryChange) => Promise<Result>,
  ): Promise<Result>;
  read<Result>(
    place: { readonly account: string; readonly kind: HistoryKind },
    work: (tx: HistoryView) => Promise<Result>,
  ): Promise<Result>;
}

/** Of a row without a date: after every date there is. */
export const undatedSortKey = 9_000_000_000_000_000;
