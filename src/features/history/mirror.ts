/** The local copy of the account's history: read once, updated by its newest page, and queried from the store. */

import type { Broker, CallContext } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import type { Report } from '../../core/endpoints/index.ts';
import { createLease, type Lease, type LeaseDeps } from '../../core/lease.ts';
import { log, orElse } from '../../core/log.ts';
import { mergeGoals, needsPages, type PageGoal } from './coverage.ts';
import { deriveRows, parseRows } from './derive-rows.ts';
import {
  type CoverageResult,
  type CoverageTarget,
  type CoveredView,
  createNotifier,
  ensureCoverage,
} from './ensure-coverage.ts';
import type { Coverage, History, HistoryQuery, ReadOptions } from './history-port.ts';
import { createKeptValues } from './kept-values.ts';
import { type HistoryKind, historyKinds, type RowOf, type TypeMatch } from './kinds.ts';
import { emptyMirror } from './mirror-state.ts';
import { computeRetryAt, fetchNewestPage, fetchNextPage, nextJob, type PageReader } from './read-page.ts';
import { type ImportResult, importReport } from './reports/import-report.ts';
import type { ReportFile } from './reports/read-report.ts';
import type { HistoryStore } from './row-store.ts';

const requestedNamespace = 'report-requested';

/** Enough for a hundred thousand fills, their gains, and the rows of the other histories. */
const mostKeptBytes = 64_000_000;

/** The position of a row, from which the next page starts. */
export interface RowPosition {
  readonly at: number;
  readonly key: string;
}

export interface HistoryPage<Row> {
  /** Newest first. */
  readonly rows: readonly { readonly row: Row; readonly place: RowPosition }[];
  /** Every matching row, newest first; undefined unless `alsoMatching` was set. */
  readonly matching: readonly Row[] | undefined;
  /** Whether every row from the end of the range down to the last of these rows has been read. */
  readonly isComplete: boolean;
  readonly coverage: Coverage;
  readonly asOf: number;
  /** Matching rows before the requested position. */
  readonly before: number;
  /** Matching rows after these. */
  readonly after: number;
  /** What the type of the question means; undefined when it has none. */
  readonly typeMatch: TypeMatch | undefined;
  /**
   * The dates (ms) of the first and the last known row that match outside the range too; undefined when there is none,
   * or rows of the range match.
   */
  readonly outside: { readonly oldest: number; readonly newest: number } | undefined;
}

export interface PageOptions extends ReadOptions {
  readonly after?: RowPosition | undefined;
  readonly most: number;
  /** Whether to wait for the complete range instead of only enough rows. */
  readonly wantsAll: boolean;
  /** Whether to return all matching rows as well, independent of the position and `most`. */
  readonly alsoMatching: boolean;
}

/** The history, with paging and the import of reports. Functions throw what the service or the rate limit reports. */
export interface Mirror extends History {
  /** Returns at most `most` rows, newest first, after the given position. */
  page<Kind extends HistoryKind>(question: HistoryQuery<Kind>, options: PageOptions): Promise<HistoryPage<RowOf[Kind]>>;
  /** Stores when a report was requested (ms), because it contains nothing that happened later. */
  reportRequested(reportId: string, at: number): Promise<void>;
  /** When this program requested the report (ms); undefined if it did not. */
  reportRequestedAt(reportId: string): Promise<number | undefined>;
  /** Imports a report, whose rows are used where no page covers its range. */
  importReport(report: Report, file: ReportFile): Promise<ImportResult>;
  /**
   * Reads the newest page of each kind, and the pages since `since` (ms; undefined means all) that no report has. The
   * returned promise resolves when nothing more can be read now: true when nothing is missing.
   */
  readMissingPages(since: number | undefined, context: CallContext): Promise<boolean>;
  /** Stops the background sync and waits for it to end. */
  close(): Promise<void>;
}

/** Creates the mirror of the connected account. It starts no request until it is used. */
export function createMirror({
  broker,
  accountKey,
  epoch,
  nextPageInMs,
  clock,
  lease,
  ...deps
}: {
  readonly broker: Broker;
  readonly store: HistoryStore;
  readonly accountKey: () => Promise<string>;
  /** A counter of the account that changes with every write of this program. */
  readonly epoch: (account: string) => Promise<number>;
  /** Milliseconds until the rate limit allows the next page of the kind; 0 while a request is running. */
  readonly nextPageInMs: (account: string, kind: HistoryKind) => Promise<number>;
  readonly clock: Clock;
  readonly lease: LeaseDeps;
  /** Called before and after work that leaves much memory behind. */
  readonly boundMemory: () => void;
}): Mirror {
  const { store } = deps;
  const closing = new AbortController();
  const syncs = new Map<string, { readonly done: Promise<void>; goal: PageGoal }>();
  const notifier = createNotifier();
  const kept = createKeptValues(mostKeptBytes, deps.boundMemory);

  const createReader = async (kind: HistoryKind): Promise<PageReader> => {
    const account = await accountKey();
    return { broker, store, account, kind, now: clock.now, epoch: () => epoch(account) };
  };

  const startSync = (reader: PageReader, goal: PageGoal): Promise<void> => {
    const name = `history ${reader.account} ${reader.kind}`;
    const running = syncs.get(name);
    if (running) running.goal = mergeGoals(running.goal, goal);
    if (running || closing.signal.aborted) return running?.done ?? Promise.resolve();
    const syncDeps = {
      reader,
      lease: createLease(lease, name),
      clock,
      realClock: lease.realClock,
      signal: closing.signal,
      goal: () => syncs.get(name)?.goal ?? goal,
      onPage: notifier.notify,
    };
    const done = syncHistory(syncDeps)
      .catch(orElse('read the history', undefined))
      .finally(() => syncs.delete(name));
    syncs.set(name, { done, goal });
    return done;
  };

  const bringUp: BringUp = async (question, wish) =>
    ensureCoverage(question, wish, {
      reader: await createReader(question.kind),
      clock,
      notifier,
      startSync,
      nextPageInMs,
    });

  const requested = createRequestTimes(lease, accountKey);

  return {
    read: async (question, options) => {
      // Callers that read all rows compute from executions only.
      const { taken, coverage, asOf } = await bringUp(question, {
        ...options,
        executionsOnly: true,
        take: async ({ tx, filter }) => parseRows(tx, question.kind, await tx.rows(filter)),
      });
      return { rows: taken.reverse(), coverage, asOf };
    },
    derive: async (question, derivation, options) => {
      const place = { account: await accountKey(), kind: question.kind, kept };
      const take = ({ tx }: CoveredView) => deriveRows(tx, place, derivation);
      const { taken, coverage, asOf } = await bringUp(question, { ...options, executionsOnly: true, take });
      return { ...taken, coverage, asOf };
    },
    keep: (slot, version, make) => kept.find(slot, version) ?? kept.keep(slot, version, make()),
    page: (question, options) => readHistoryPage(bringUp, question, options),
    ...requested,
    importReport: async (report, file) =>
      importReport(store, await accountKey(), report, file, await requested.reportRequestedAt(report.reportId)),
    readMissingPages: async (since, context) => {
      const goal = { executionsOnly: true, since };
      const isMissing = historyKinds.map(async (kind) => {
        const reader = await createReader(kind);
        await fetchNewestPage(reader, context);
        await startSync(reader, goal);
        const state = await store.read({ account: reader.account, kind }, (tx) => tx.state());
        return needsPages(state ?? emptyMirror, goal);
      });
      return (await Promise.all(isMissing)).every((missing) => !missing);
    },
    close: async () => {
      closing.abort();
      await Promise.all([...syncs.values()].map(({ done }) => done));
    },
  };
}

/** When reports were requested, for all processes of the account. */
const createRequestTimes = ({ records }: LeaseDeps, accountKey: () => Promise<string>) => ({
  reportRequested: async (reportId: string, at: number): Promise<void> => {
    const name = `${await accountKey()} ${reportId}`;
    // A report that is requested again was generated for the first request.
    await records.update<number, void>(requestedNamespace, name, (earlier) => ({
      state: Math.min(earlier ?? at, at),
      result: undefined,
    }));
  },
  reportRequestedAt: async (reportId: string | undefined): Promise<number | undefined> =>
    records.read<number>(requestedNamespace, `${await accountKey()} ${reportId}`),
});

type BringUp = <Taken>(question: HistoryQuery, wish: CoverageTarget<Taken>) => Promise<CoverageResult<Taken>>;

/** Brings the history up as far as the page needs, and reads the page and its counts in one transaction. */
async function readHistoryPage<Kind extends HistoryKind>(
  bringUp: BringUp,
  question: HistoryQuery<Kind>,
  options: PageOptions,
): Promise<HistoryPage<RowOf[Kind]>> {
  const { after, most } = options;
  const { taken, coverage, asOf } = await bringUp(question, {
    ...options,
    enough: options.wantsAll ? undefined : most + 1,
    take: async ({ tx, filter, filterOfAllTime, typeMatch, isCompleteSince }) => {
      const rows = await tx.rows({ ...filter, after }, most);
      const oldest = rows.at(-1)?.at;
      const all = await tx.count(filter);
      return {
        rows,
        parsed: await parseRows(tx, question.kind, rows),
        typeMatch,
        all,
        outside: all === 0 ? await tx.bounds(filterOfAllTime) : undefined,
        rest: await tx.count({ ...filter, after }),
        matching: options.alsoMatching ? await tx.rows(filter) : undefined,
        isComplete: oldest !== undefined && isCompleteSince(oldest),
      };
    },
  });
  const { rows, parsed, matching, all, rest, isComplete, typeMatch, outside } = taken;
  return {
    rows: rows.map(({ at, key }, index) => ({ row: parsed[index] as RowOf[Kind], place: { at, key } })),
    matching: matching?.map(({ data }) => JSON.parse(data) as never),
    isComplete,
    coverage,
    asOf,
    before: all - rest,
    after: rest - rows.length,
    typeMatch,
    outside,
  };
}

// Syncs one history in the background, page by page, with what other requests leave of the rate limit. One process
// reads; the others poll and take over when it exits.

/** A page may wait this long for the rate limit. */
const pageTimeoutMs = 10 * 60_000;
/** How often a waiting process checks whether it can take the lease. */
const pollIntervalMs = 150;
/** The sync ends after this many failures in a row; the next call starts it again. */
const maxFailures = 6;
/** The sync ends after this many pages in a row that change nothing. */
const maxUnchangedRounds = 3;

/** Reads until no page is left, the sync gives up, or `signal` aborts. Never throws. */
export async function syncHistory(deps: {
  readonly reader: PageReader;
  readonly lease: Lease;
  readonly clock: Clock;
  /** Real time, because the lease is shared with other processes. */
  readonly realClock: Clock;
  readonly signal: AbortSignal;
  /** How much to read. It is requested before each page, because another caller can need more. */
  readonly goal: () => PageGoal;
  /** Called after every page. */
  readonly onPage: () => void;
}): Promise<void> {
  const { reader, lease, clock, realClock, signal, goal, onPage } = deps;
  const { store, account, kind } = reader;
  const readState = () => store.read({ account, kind }, (tx) => tx.state());
  try {
    let failures = 0;
    let unchangedRounds = 0;
    while (!signal.aborted && failures < maxFailures && unchangedRounds < maxUnchangedRounds) {
      const state = await readState();
      const [top] = state?.stretches ?? [];
      if (state && !needsPages(state, goal())) return;
      const job = nextJob(state, clock.now());
      if (!job) {
        // Wait only for a short pause; after a longer one the next call starts the sync again.
        const pauseMs = (top ? computeRetryAt(top, clock.now()) : 0) - clock.now();
        if (pauseMs > 5 * 60_000) return;
        await clock.sleep(Math.max(1, pauseMs), signal);
        continue;
      }
      if (!(await lease.take())) {
        await realClock.sleep(pollIntervalMs, signal);
        continue;
      }
      await fetchNextPage(reader, job, { priority: 'sync', deadlineAt: clock.now() + pageTimeoutMs, signal });
      onPage();
      const after = await readState();
      failures = after?.stretches[0]?.trouble ? failures + 1 : 0;
      // An unchanged state means that the page was not written, so reading it again and again gains nothing.
      unchangedRounds = JSON.stringify(after) === JSON.stringify(state) ? unchangedRounds + 1 : 0;
    }
  } catch (error) {
    // The next call continues where this one ended.
    log.fault('read the history', error);
  } finally {
    await lease.release().catch(orElse('read the history', undefined));
  }
}
