/**
 * The store interface that the mirror needs. The store implements it by structure; the composition root connects
 * the two.
 */

import type { HistoryKind } from './kinds.ts';
import type { MirrorState } from './mirror-state.ts';

/** The source of a row: the pages of the service, or the report with that id. */
export type RowSource = 'pages' | `report:${string}`;

export interface StoredRow {
  readonly key: string;
  /** Milliseconds since 1970 (UTC); `undatedSortKey` for a row without a date. */
  readonly at: number;
  readonly ticker: string | undefined;
  readonly type: string | undefined;
  /** Whether the service can no longer change the row. */
  readonly isFinal: boolean;
  /** The id of the segment that contains the row; 0 for rows of a report. */
  readonly segment: number;
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
  /** Only rows of these types; undefined means every type. */
  readonly types?: readonly string[] | undefined;
  /** Only rows after this one, newest first. */
  readonly after?: { readonly at: number; readonly key: string } | undefined;
}

export interface HistoryView {
  state(): Promise<MirrorState | undefined>;
  /** A text that changes whenever rows are written or removed, by any process. */
  rowsVersion(): Promise<string>;
  /** Newest first; rows of the same moment in descending key order. */
  rows(filter: RowFilter, most?: number): Promise<readonly Pick<StoredRow, 'key' | 'at' | 'data'>[]>;
  count(filter: RowFilter): Promise<number>;
  /** Every type of the stored rows, in alphabetical order. */
  types(): Promise<readonly string[]>;
  /** The dates (ms) of the first and the last row with a date; undefined when no row matches. */
  bounds(filter: RowFilter): Promise<{ readonly oldest: number; readonly newest: number } | undefined>;
  /** The page rows that have one of these keys. */
  known(keys: readonly string[]): Promise<readonly Pick<StoredRow, 'key' | 'segment' | 'data' | 'isFinal'>[]>;
  /** The date (ms) of the oldest row that is not final and not older than `since`; undefined if there is none. */
  oldestOpen(since: number): Promise<number | undefined>;
}

export interface HistoryChange extends HistoryView {
  setState(state: MirrorState): Promise<void>;
  /** Writes rows, and replaces those with the same key and source. */
  put(source: RowSource, rows: readonly StoredRow[]): Promise<void>;
  /** Removes the rows of a source with these keys, or all of its rows. */
  remove(source: RowSource, keys?: readonly string[]): Promise<void>;
  /** Moves the rows of one segment to another. */
  moveSegment(from: number, to: number): Promise<void>;
}

/** Transactions on one kind of one account. A `change` is atomic; `work` must wait for nothing but `tx`. */
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

/** The sort key of a row without a date: after every date. */
export const undatedSortKey = 9_000_000_000_000_000;
