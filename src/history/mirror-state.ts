/** What is known about one mirrored history: which stretches of the list were read, and which reports. */
import type { PageCursor } from '../broker/types.ts';
import type { Boundary } from './page-boundary.ts';

/**
 * Pages that were read one after the other, without a hole. A new one begins at the head of the list
 * and goes on until it meets the one before, with which it is then one.
 */
export interface Segment {
  readonly id: number;
  /** When its first page was asked for and answered (ms): what happened since is not in it. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** What we had written by then, as a number that grows. */
  readonly epoch: number;
  /** The page to read next; undefined at the end of the data. */
  readonly next?: PageCursor | undefined;
  readonly pages: number;
  /** The date of the last row, and whether the dates have fallen from row to row. */
  readonly lastAt?: number | undefined;
  readonly inOrder: boolean;
  /**
   * Everything later than this has been read (ms): the newest date of its deepest page, so that one row out
   * of place moves nothing. Undefined when no row told a date.
   */
  readonly reach?: number | undefined;
  /** The oldest date of any row (ms): as far down as a walk has ever been. */
  readonly deepest?: number | undefined;
  /** Pages in a row that brought nothing: a walk that goes round in a circle. */
  readonly idle: number;
  /** Pages that may bring nothing, because the walk goes through what is known. */
  readonly through: number;
  readonly boundary: Boundary;
  /** Moments (ms) at which rows may be missing, and nothing can be done about it. */
  readonly lostAt: readonly number[];
  readonly trouble?: SyncFailure | undefined;
  /** The service no longer takes `next`: the walk begins again at the head, and through what is known. */
  readonly deadEnd?: true | undefined;
  /** Times it began again at the head because its way on was no longer good. */
  readonly restarts: number;
}

export interface SyncFailure {
  /** For people. */
  readonly reason: string;
  readonly failures: number;
  /** When it is worth trying again (ms). */
  readonly retryAt: number;
}

/** What a report adds: everything of this kind from `from` to `to` (ms, exclusive). */
export interface ReportPart {
  readonly reportId: string;
  readonly from: number;
  readonly to: number;
  /** Rows that name their instrument by its short name alone: a question for a ticker does not find them. */
  readonly shortTickers: number;
}

/** A second look at rows that were not final, page by page beneath the head. */
export interface Recheck {
  readonly next: PageCursor;
  /** When the oldest of them happened (ms). */
  readonly openAt: number;
  /** Everything later than this has been seen again. */
  readonly seenTo: number;
  readonly failures: number;
}

export interface MirrorState {
  /** Newest first; between two of them rows are unread. */
  readonly stretches: readonly Segment[];
  readonly reports: readonly ReportPart[];
  readonly recheck?: Recheck | undefined;
  /** Of the next stretch. */
  readonly nextId: number;
}

export const emptyMirror: MirrorState = { stretches: [], reports: [], nextId: 1 };
