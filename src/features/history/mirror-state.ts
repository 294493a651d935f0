/** The state of one mirrored history: which segments of the list have been read, and which reports were imported. */
import type { PageCursor } from '../../core/broker/types.ts';
import type { Boundary } from './page-boundary.ts';

/**
 * Pages that were read one after another without a gap. A new segment starts at the newest page and grows until it
 * reaches the older segment; then the two are merged.
 */
export interface Segment {
  readonly id: number;
  /** When its first page was requested and received (ms). Later changes are not in it. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** The write counter of the account at that time. This program increases it with every write. */
  readonly epoch: number;
  /** The page to read next; undefined at the end of the list. */
  readonly next?: PageCursor | undefined;
  readonly pages: number;
  /** The date of the last row (ms), and whether dates have decreased from row to row so far. */
  readonly lastAt?: number | undefined;
  readonly inOrder: boolean;
  /**
   * Everything later than this has been read (ms). It is the newest date of the deepest page, so that one misplaced
   * row does not move it. Undefined when no row had a date.
   */
  readonly reach?: number | undefined;
  /** The oldest date of any row (ms): how far down a walk has been. */
  readonly deepest?: number | undefined;
  /** Consecutive pages without a new row, which indicate a loop. */
  readonly idle: number;
  /** How many upcoming pages may contain only known rows before they count as idle. */
  readonly through: number;
  readonly boundary: Boundary;
  /** Moments (ms) at which rows may be missing for good. */
  readonly lostAt: readonly number[];
  readonly trouble?: SyncFailure | undefined;
  /**
   * The service no longer accepts `next`, so the walk starts again at the newest page and passes through known
   * rows.
   */
  readonly deadEnd?: true | undefined;
  /** How often the walk started again at the newest page because its cursor was no longer accepted. */
  readonly restarts: number;
}

/** The longest pause after a failure (ms), for one that retries do not solve. */
export const maxRetryMs = 3_600_000;

export interface SyncFailure {
  /** A sentence for people. */
  readonly reason: string;
  readonly failures: number;
  /** When to try again (ms). */
  readonly retryAt: number;
}

/** The range that an imported report covers for this kind, from `from` to `to` (ms, exclusive). */
export interface ReportPart {
  readonly reportId: string;
  readonly from: number;
  readonly to: number;
  /** Rows that have only a short instrument name, so that a filter by ticker does not find them. */
  readonly shortTickers: number;
  /** The date of the oldest of these rows (ms); absent when there is none. Pages have their full tickers. */
  readonly oldestShortAt?: number | undefined;
  /** The seconds of rows that could not be read; the complete range if such a row has no readable time. */
  readonly holes?: readonly { readonly from: number; readonly to: number }[] | undefined;
}

/** The progress of a second read of rows that were not final, page by page from the newest segment down. */
export interface Recheck {
  readonly next: PageCursor;
  /** The date of the oldest such row (ms). */
  readonly openAt: number;
  /** Everything later than this has been read again (ms). */
  readonly seenTo: number;
  readonly failures: number;
}

/** The stored state of one kind of one account. */
export interface MirrorState {
  /** The segments, newest first, between which rows are unread. Stored under this name by all versions. */
  readonly stretches: readonly Segment[];
  readonly reports: readonly ReportPart[];
  readonly recheck?: Recheck | undefined;
  /** Nothing is older than this (ms): an import found two years without a row before it. */
  readonly beginsAt?: number | undefined;
  /** The id of the next segment. */
  readonly nextId: number;
}

export const emptyMirror: MirrorState = { stretches: [], reports: [], nextId: 1 };
