/** The import of a long history through reports: starts it in the background, and reports its progress. */

import type { EndpointLimit } from '../../../core/broker/rate-limit/limit-status.ts';
import type { Broker, CallContext, KeyValueStore } from '../../../core/broker/types.ts';
import type { Clock } from '../../../core/clock.ts';
import { type Endpoint, endpoints } from '../../../core/endpoints/index.ts';
import { createLease, type LeaseDeps } from '../../../core/lease.ts';
import { gapsIn, type Interval, joinParts, listUnread, planSources } from '../../history/coverage.ts';
import { historyKinds } from '../../history/kinds.ts';
import type { Mirror } from '../../history/mirror.ts';
import { emptyMirror } from '../../history/mirror-state.ts';
import { type HistoryStore, undatedSortKey } from '../../history/row-store.ts';
import type { RequestOutcome } from './collect-reports.ts';
import { createImportRecords, type ImportRecord, type ImportRecords, listAbandoned } from './import-record.ts';
import { planYears, type YearPlan } from './plan-years.ts';
import { makingMs, runImport } from './run-import.ts';

/** How far an import is. */
export interface ImportProgress {
  readonly isDone: boolean;
  /** Whether this process runs the import, or waits for the one that does. */
  readonly isRunning: boolean;
  /** `pages` when the service refuses reports, so that the history is read page by page. */
  readonly way: 'reports' | 'pages';
  readonly phase: ImportRecord['phase'];
  /** Years requested or ready, years ready, and how many will be needed (an estimate without `years`). */
  readonly years: { readonly requested: number; readonly ready: number; readonly expected: number };
  /** Stored rows of all kinds. */
  readonly rows: number;
  /** Milliseconds until the reports are imported; undefined once they are, or when it is unknown. */
  readonly leftMs: number | undefined;
  readonly unread: ImportRecord['unread'];
  readonly abandonedFiles: ImportRecord['abandonedFiles'];
  readonly trouble: ImportRecord['trouble'];
}

export interface HistoryImport {
  /**
   * Starts an import, or continues the one that is not finished. `years` counts back from today; undefined means back
   * to the first row.
   */
  start(years: number | undefined): Promise<void>;
  /** Undefined when no import was started for the account. */
  progress(): Promise<ImportProgress | undefined>;
  /** Stops the import of this process and waits for it. */
  close(): Promise<void>;
}

export interface HistoryImportDeps {
  readonly broker: Broker;
  readonly store: HistoryStore;
  readonly records: KeyValueStore;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly lease: LeaseDeps;
  readonly accountKey: () => Promise<string>;
  readonly getLimit: (endpoint: Endpoint) => Promise<EndpointLimit>;
  readonly requestReport: (range: Interval, context: CallContext) => Promise<RequestOutcome>;
}

/** A request of the import may take this long (ms), waits for the rate limit included. */
const requestTimeoutMs = 3 * 60_000;
/** How far (ms) the clocks of the service and of this program can differ. */
const clockMarginMs = 15 * 60_000;

/** Creates the import of the connected account. It sends nothing until it is started. */
export function createHistoryImport(deps: HistoryImportDeps): HistoryImport {
  const { clock, accountKey, records } = deps;
  const closing = new AbortController();
  const runs = new Map<string, Promise<void>>();
  return {
    start: async (years) => {
      const account = await accountKey();
      const own = createImportRecords(records, account);
      await own.change((before) => beginOrContinue(before, years, clock.now()));
      if (runs.has(account) || closing.signal.aborted) return;
      const run = runImport(createRun(deps, account, own, closing.signal)).finally(() => runs.delete(account));
      runs.set(account, run);
    },
    progress: async () => {
      const account = await accountKey();
      // Checked before the record is read: a run that ends in between has written its end.
      const isRunning = runs.has(account);
      const record = await createImportRecords(records, account).read();
      return record && { ...(await describeProgress(deps, account, record)), isRunning };
    },
    close: async () => {
      closing.abort();
      await Promise.all(runs.values());
    },
  };
}

/** The record of an import of `years` that is asked for at `now` (ms): the one that runs, or a new one. */
export function beginOrContinue(
  before: ImportRecord | undefined,
  years: number | undefined,
  now: number,
): ImportRecord {
  // An import that ends in the future began under a clock that was ahead. The reports of that range do not exist.
  if (before && before.phase !== 'done' && before.until <= now) {
    // A longer import than the one that runs goes on from there.
    const isLonger = before.years !== undefined && (years === undefined || years > before.years);
    return isLonger ? { ...before, years, phase: before.isRefused ? 'pages' : 'reports' } : before;
  }
  return {
    startedAt: now,
    // A report covers nothing after its request.
    until: Math.floor((now - clockMarginMs) / 1000) * 1000,
    years,
    phase: 'reports',
    pending: [],
    failed: [],
    useless: [],
    tries: {},
    abandonedFiles: [],
    unread: {},
  };
}

function createRun(deps: HistoryImportDeps, account: string, records: ImportRecords, signal: AbortSignal) {
  const { broker, store, mirror, clock, lease } = deps;
  const context = (): CallContext => ({ priority: 'read', deadlineAt: clock.now() + requestTimeoutMs, signal });
  return {
    broker,
    records,
    clock,
    realClock: lease.realClock,
    now: clock.now,
    signal,
    context,
    lease: createLease(lease, `import ${account}`),
    getLimit: deps.getLimit,
    requestReport: deps.requestReport,
    reportRequested: mirror.reportRequested,
    importReport: mirror.importReport,
    lacksReport: async (range: Interval) => {
      const finders = await createFinders(store, account);
      return finders.listUnread(range).length > 0 || finders.listUntaxed(range).length > 0;
    },
    plan: (record: ImportRecord) => makePlan(deps, account, record),
    findOldestPosition: async () => {
      const { data } = await broker.call(endpoints.listPositions, {}, context());
      return Math.min(clock.now(), ...data.map(({ createdAt }) => Date.parse(createdAt ?? '')).filter(Number.isFinite));
    },
    keepBeginning: async (beginsAt: number) => {
      for (const kind of historyKinds)
        await store.change({ account, kind }, async (tx) =>
          tx.setState({ ...((await tx.state()) ?? emptyMirror), beginsAt }),
        );
    },
    readMissingPages: (since: number | undefined) => mirror.readMissingPages(since, context()),
  };
}

/** Lists parts of a range. */
type RangeFinder = (range: Interval) => Interval[];

/**
 * `listUnread` lists the parts that some kind lacks. `listUntaxed` lists the parts without a report that have dividends:
 * only reports have their tax.
 */
async function createFinders(
  store: HistoryStore,
  account: string,
): Promise<{ readonly listUnread: RangeFinder; readonly listUntaxed: RangeFinder }> {
  const states = await Promise.all(
    historyKinds.map((kind) => store.read({ account, kind }, async (tx) => (await tx.state()) ?? emptyMirror)),
  );
  const { dates, reports } = await store.read({ account, kind: 'dividends' }, async (tx) => {
    const rows = await tx.rows({ spans: [{ source: 'pages', from: Number.NEGATIVE_INFINITY, to: undatedSortKey }] });
    return { dates: rows.map(({ at }) => at), reports: (await tx.state())?.reports ?? [] };
  });
  return {
    listUnread: (range) =>
      joinParts(
        range,
        states.flatMap((state) => listUnread(state, range)),
      ),
    listUntaxed: (range) => gapsIn(range, reports).filter(({ from, to }) => dates.some((at) => at >= from && at < to)),
  };
}

async function makePlan({ store }: HistoryImportDeps, account: string, record: ImportRecord): Promise<YearPlan> {
  const { until, years, oldestPositionAt, pending } = record;
  const finders = await createFinders(store, account);
  return planYears({
    ...finders,
    until,
    years,
    oldestPositionAt,
    pending,
    abandoned: listAbandoned(record),
    countRows: ({ from, to }) => countRows(store, account, { since: from, until: to }),
  });
}

async function countRows(
  store: HistoryStore,
  account: string,
  range: { readonly since?: number; readonly until?: number },
): Promise<number> {
  const counts = historyKinds.map((kind) =>
    store.read({ account, kind }, async (tx) =>
      tx.count({ spans: planSources((await tx.state()) ?? emptyMirror, range).filter(isDated) }),
    ),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

const isDated = ({ from }: { readonly from: number }): boolean => from < undatedSortKey;

async function describeProgress(
  deps: HistoryImportDeps,
  account: string,
  record: ImportRecord,
): Promise<Omit<ImportProgress, 'isRunning'>> {
  const plan = await makePlan(deps, account, record);
  return {
    isDone: record.phase === 'done',
    way: record.isRefused ? 'pages' : 'reports',
    phase: record.phase,
    years: { requested: plan.reached, ready: plan.ready, expected: plan.expected },
    rows: await countRows(deps.store, account, {}),
    leftMs: record.phase === 'reports' ? await estimateLeftMs(deps, plan) : undefined,
    unread: record.unread,
    abandonedFiles: record.abandonedFiles,
    trouble: record.trouble,
  };
}

/** The pauses between the requests that are left, and the time that the service needs for the last report. */
async function estimateLeftMs({ getLimit }: HistoryImportDeps, plan: YearPlan): Promise<number> {
  const [request, list] = [await getLimit(endpoints.requestReport), await getLimit(endpoints.listReports)];
  if (!plan.next) return Math.max(makingMs, list.freeInMs);
  const left = Math.max(1, plan.expected - plan.reached);
  return request.freeInMs + ((left - 1) * request.periodMs) / request.requests + makingMs;
}
