/** Reads a history as far as a question needs, for at most as long as its caller can wait. */

import type { CallContext } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import { type BrokerageError, cancelledError, ignoreAbort, isFailure } from '../../core/errors.ts';
import { computeCoverage, needsPages, type PageGoal, planSources } from './coverage.ts';
import type { Coverage, HistoryQuery, ReadOptions } from './history-port.ts';
import { type HistoryKind, kinds, matchTypes, type TypeMatch } from './kinds.ts';
import { emptyMirror, type MirrorState } from './mirror-state.ts';
import { computeRetryAt, fetchNewestPage, type PageReader } from './read-page.ts';
import type { HistoryView, RowFilter } from './row-store.ts';

/** The newest page is requested again until this long after the end of a closed range, because rows can arrive late. */
const lateRowsMs = 92 * 86_400_000;
const pollIntervalMs = 250;
/**
 * When the rate limit does not allow a new request, a newest page at most this old is used, unless this program has
 * written to the account since.
 */
const recentMs = 5 * 60_000;

export interface CoverageTarget<Taken> extends ReadOptions {
  readonly executionsOnly?: boolean;
  readonly after?: RowFilter['after'];
  /** Stop waiting at this number of rows, although the range is not complete. */
  readonly enough?: number | undefined;
  /** Reads the result in the transaction that computes the coverage, so that the two agree. */
  readonly take: (view: CoveredView) => Promise<Taken>;
}

export interface CoveredView {
  readonly tx: HistoryView;
  readonly filter: RowFilter;
  /** What the type of the question means; undefined when it has none. */
  readonly typeMatch: TypeMatch | undefined;
  /** The same filter over the complete history. */
  readonly filterOfAllTime: RowFilter;
  /**
   * Whether the requested range is complete from `at` (ms) on. Always false if the service does not list this kind
   * newest first.
   */
  isCompleteSince(at: number): boolean;
}

export interface CoverageResult<Taken> {
  readonly taken: Taken;
  readonly asOf: number;
  readonly coverage: Coverage;
}

/**
 * Refreshes the newest page, starts the background sync if pages are missing, and waits until the range is
 * complete, `enough` rows exist, or `context.waitUntil` passes. Throws what the service or the rate limit reports
 * when nothing was ever read, and `cancelled` when the caller cancels.
 */
export async function ensureCoverage<Taken>(
  question: HistoryQuery,
  wish: CoverageTarget<Taken>,
  {
    reader,
    clock,
    notifier,
    startSync,
    nextPageInMs,
  }: {
    readonly reader: PageReader;
    readonly clock: Clock;
    readonly notifier: Notifier;
    readonly startSync: (reader: PageReader, goal: PageGoal) => void;
    readonly nextPageInMs: (account: string, kind: HistoryKind) => Promise<number>;
  },
): Promise<CoverageResult<Taken>> {
  const { store, account, kind } = reader;
  const { context, executionsOnly } = wish;
  const waitUntil = Math.min(context.waitUntil ?? context.deadlineAt, context.deadlineAt);
  const trouble = await refresh(reader, question, context);
  let idlePolls = 0;
  for (;;) {
    const pauseMs = await nextPageInMs(account, kind);
    // Requires two consecutive misses: just after a page arrives, its rows are not stored yet.
    idlePolls = clock.now() + pauseMs > waitUntil ? idlePolls + 1 : 0;
    const poll = await store.read({ account, kind }, async (tx) => {
      const state = (await tx.state()) ?? emptyMirror;
      const [top] = state.stretches;
      const now = clock.now();
      const seenAt = trouble ? now : Math.min(top?.askedAt ?? now, now);
      const rows = await tx.count({ spans: planSources(state, {}) });
      const covered = (known: MirrorState, since: number | undefined) =>
        withError(computeCoverage(known, { ...question, since, executionsOnly }, seenAt, rows), trouble);
      const coverage = withPause(covered(state, question.since), pauseMs);
      // With each page, the history can have more types.
      const typeMatch = question.type === undefined ? undefined : matchTypes(question.type, kind, await tx.types());
      const filterOfAllTime = {
        ticker: question.ticker,
        types: typeMatch?.matched,
        spans: planSources(state, {}),
      };
      const filter = { ...filterOfAllTime, spans: planSources(state, question) };
      const isDone =
        coverage.complete ||
        wish.newestOnly === true ||
        trouble !== undefined ||
        now >= waitUntil ||
        idlePolls > 1 ||
        (top && computeRetryAt(top, now) > waitUntil) ||
        (wish.enough !== undefined && (await tx.count({ ...filter, after: wish.after })) >= wish.enough);
      const asOf = Math.min(top?.answeredAt ?? now, now);
      const isCompleteSince = (at: number) =>
        kinds[kind].isListedByDate && covered(asListed(state), Math.max(at, question.since ?? at)).complete;
      const taken = isDone ? await wish.take({ tx, filter, filterOfAllTime, typeMatch, isCompleteSince }) : undefined;
      return {
        coverage,
        asOf,
        needsMore: !coverage.complete || needsPages(state, { executionsOnly: executionsOnly === true }),
        taken,
        isDone,
      };
    });
    if (poll.needsMore && !wish.newestOnly) startSync(reader, { executionsOnly: executionsOnly === true });
    const { coverage, asOf, taken } = poll;
    if (poll.isDone) return { taken: taken as Taken, asOf, coverage };
    wish.onProgress?.({ kind, rows: coverage.rows, from: coverage.from });
    const update = notifier.nextPage();
    const ms = Math.min(pollIntervalMs, waitUntil - clock.now());
    await Promise.race([clock.sleep(ms, context.signal).catch(ignoreAbort), update.stored]);
    update.cancel();
    if (context.signal?.aborted) throw cancelledError();
  }
}

/**
 * Treats a list that has been in order so far as ordered by date. Normal coverage allows for one misplaced row on
 * the next page; this does not.
 */
const asListed = (state: MirrorState): MirrorState => ({
  ...state,
  stretches: state.stretches.map((segment) =>
    segment.inOrder && segment.lastAt !== undefined ? { ...segment, reach: segment.lastAt } : segment,
  ),
});

/**
 * Reads the newest page, unless the range ended long before the last read. Throws when nothing was ever read;
 * otherwise returns the error, or undefined if a recent page can be used.
 */
async function refresh(
  reader: PageReader,
  question: HistoryQuery,
  context: CallContext,
): Promise<BrokerageError | undefined> {
  const { store, account, kind, now } = reader;
  const state = await store.read({ account, kind }, (tx) => tx.state());
  const [top] = state?.stretches ?? [];
  // A newest page of the future says nothing about the time since.
  const readAt = top && top.askedAt <= now() ? top.askedAt : 0;
  if (top && question.until !== undefined && question.until + lateRowsMs <= readAt) return undefined;
  try {
    await fetchNewestPage(reader, context);
    return undefined;
  } catch (error) {
    if (!isFailure(error) || !top) throw error;
    const isRecent = readAt > now() - recentMs && top.epoch === (await reader.epoch());
    return error.code === 'rate_limited' && isRecent ? undefined : error;
  }
}

const withError = (coverage: Coverage, trouble: BrokerageError | undefined): Coverage =>
  trouble
    ? {
        ...coverage,
        complete: false,
        missing: [`The newest rows could not be read: ${trouble.message}`, ...(coverage.missing ?? [])].slice(0, 5),
        error: { code: trouble.code, message: trouble.message, next: trouble.next },
      }
    : coverage;

const withPause = (coverage: Coverage, pauseMs: number): Coverage =>
  coverage.reading && pauseMs > 0 ? { ...coverage, nextPageInSeconds: Math.ceil(pauseMs / 1000) } : coverage;

/** Notifies waiters in this process that a history page was stored; other processes poll. */
interface Notifier {
  nextPage(): { readonly stored: Promise<void>; cancel(): void };
  notify(): void;
}

export function createNotifier(): Notifier {
  const waiting = new Set<() => void>();
  return {
    nextPage: () => {
      let cancel = () => {};
      const stored = new Promise<void>((resolve) => {
        waiting.add(resolve);
        cancel = () => waiting.delete(resolve);
      });
      return { stored, cancel };
    },
    notify: () => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}
