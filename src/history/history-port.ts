/** What the rest of the program asks of the account's history. The mirror answers it (mirror.ts). */
import type { CallContext } from '../broker/types.ts';
import type { HistoryKind, RowOf } from './kinds.ts';

export interface HistoryQuery<Kind extends HistoryKind = HistoryKind> {
  readonly kind: Kind;
  /** Inclusive and exclusive bounds in ms; undefined means everything. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  readonly type?: string | undefined;
}

/** Which part of a range is really there. Dates are ISO 8601, UTC. */
export interface Coverage {
  /** Everything since this moment has been read; null: since the first row there is. Undefined: nothing was read. */
  readonly from?: string | null;
  /** Everything up to this moment has been read. */
  readonly to?: string;
  /** Whether the range that was asked for is there whole: no unread page, no hole. */
  readonly complete: boolean;
  /** Rows of this kind that are kept here, whatever the question. */
  readonly rows: number;
  /** Whether the rest is being read in the background; absent when nothing is missing. */
  readonly reading?: boolean;
  /** Seconds until the rate limit lets the next page leave; only while the rest is being read and has to wait. */
  readonly nextPageInSeconds?: number;
  /** Why it is not whole, one sentence each; absent when it is. */
  readonly missing?: readonly string[];
}

export interface HistoryResult<Row> {
  readonly rows: readonly Row[];
  readonly coverage: Coverage;
  /** When the service last said what is newest (ms). */
  readonly asOf: number;
}

export interface ReadOptions {
  /** `waitUntil` bounds the wait for pages that are still being read. */
  readonly context: CallContext;
  /** Told while the caller waits for the first reading of a kind. */
  readonly onProgress?:
    | ((progress: {
        readonly kind: HistoryKind;
        readonly rows: number;
        readonly from: string | null | undefined;
      }) => void)
    | undefined;
}

export interface History {
  /** All matching rows, oldest first: at most one request when the kind has been read before. */
  read<Kind extends HistoryKind>(
    question: HistoryQuery<Kind>,
    options: ReadOptions,
  ): Promise<HistoryResult<RowOf[Kind]>>;
}
