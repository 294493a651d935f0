/** The interface through which the rest of the program reads the account's history. `mirror.ts` implements it. */
import type { CallContext } from '../../core/broker/types.ts';
import type { BrokerageError } from '../../core/errors.ts';
import type { Made } from './kept-values.ts';
import type { HistoryKind, RowOf } from './kinds.ts';

/** A question for rows of one history. */
export interface HistoryQuery<Kind extends HistoryKind = HistoryKind> {
  readonly kind: Kind;
  /** Inclusive and exclusive bounds in ms since 1970; undefined means unbounded. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  /** A type in any case, or the beginning of several (`matchTypes`). */
  readonly type?: string | undefined;
}

/** Which part of a range has been read. Dates are ISO 8601, UTC. */
export interface Coverage {
  /** Everything since this moment has been read; null means since the first row. Undefined: nothing was read. */
  readonly from?: string | null;
  /** Everything up to this moment has been read. */
  readonly to?: string;
  /** Whether the requested range has been read completely, without an unread page or a gap. */
  readonly complete: boolean;
  /** Stored rows of this kind, independent of the question. */
  readonly rows: number;
  /** Whether missing pages are being read in the background; absent when nothing is missing. */
  readonly reading?: boolean;
  /** Seconds until the rate limit allows the next page; present only while missing pages are waiting for it. */
  readonly nextPageInSeconds?: number;
  /** Why the range is incomplete, one sentence per reason; absent when it is complete. */
  readonly missing?: readonly string[];
  /** Why the newest page could not be read; absent when it was. */
  readonly error?: Pick<BrokerageError, 'code' | 'message' | 'next'>;
}

export interface HistoryResult<Row> {
  readonly rows: readonly Row[];
  readonly coverage: Coverage;
  /** When the service last returned the newest page (ms). */
  readonly asOf: number;
}

/**
 * How a value is computed from all rows of a history. It is kept by its name, so it must depend on nothing but the rows.
 */
export interface Derivation<Row, Value> {
  readonly name: string;
  readonly start: () => RowReader<Row, Value>;
}

export interface RowReader<Row, Value> {
  /** The next rows, newest first. They are not kept in memory. */
  add(rows: readonly Row[]): void;
  finish(): Made<Value>;
}

export interface DerivedResult<Value> {
  readonly value: Value;
  /** A text that is different when the rows are. */
  readonly version: string;
  readonly coverage: Coverage;
  /** When the service last returned the newest page (ms). */
  readonly asOf: number;
}

/** How long to wait for missing rows, and whom to inform of progress. */
export interface ReadOptions {
  /** `waitUntil` (ms) bounds the wait for pages that are still being read. */
  readonly context: CallContext;
  /** Reads the newest page and loads no missing page, which would take requests that an order may need next. */
  readonly newestOnly?: boolean | undefined;
  /** Called while the caller waits for pages. */
  readonly onProgress?:
    | ((progress: {
        readonly kind: HistoryKind;
        readonly rows: number;
        readonly from: string | null | undefined;
      }) => void)
    | undefined;
}

/** Reads of the account's order, dividend and transaction history. */
export interface History {
  /** Returns all matching rows, oldest first. Sends at most one request if the kind has been read before. */
  read<Kind extends HistoryKind>(
    question: HistoryQuery<Kind>,
    options: ReadOptions,
  ): Promise<HistoryResult<RowOf[Kind]>>;
  /**
   * Returns what is derived from all stored rows of the kind; the question only bounds the range that is waited for and
   * that the coverage describes. The value is kept and shared, so no caller may change it.
   */
  derive<Kind extends HistoryKind, Value>(
    question: HistoryQuery<Kind>,
    derivation: Derivation<RowOf[Kind], Value>,
    options: ReadOptions,
  ): Promise<DerivedResult<Value>>;
  /** Returns what is computed from derived values, kept for as long as `version` is the same. */
  keep<Value>(slot: string, version: string, make: () => Made<Value>): Value;
}
