/** The account's history as it is kept here: read once, brought up to date by its newest page, answered from the store. */
import type { Broker, CallContext } from '../broker/types.ts';
import type { Report } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import { BrokerageError } from '../errors.ts';
import { type AddedReport, addReport } from './add-report.ts';
import { coverageOf, planSpans } from './coverage.ts';
import type { Coverage, History, HistoryQuestion, ReadOptions } from './history.ts';
import type { HistoryKind, RowOf } from './kinds.ts';
import { createLease, type LeaseParts } from './lease.ts';
import { emptyMirror } from './mirror-state.ts';
import type { HistoryStore, HistoryView, RowFilter } from './ports.ts';
import { type PageReader, readHead, retryAtOf } from './read-page.ts';
import type { ReportRows } from './reports/read-report.ts';
import { syncHistory } from './sync.ts';

/** A closed range is asked for anew until this long after its end: rows come late. */
const lateRowsMs = 92 * 86_400_000;
const lookEveryMs = 250;
/** When the limit does not allow another look at the head, one of the last minutes will do, unless we wrote since. */
const recentMs = 5 * 60_000;

const requestedSpace = 'report-requested';

export interface RowPlace {
  readonly at: number;
  readonly key: string;
}

export interface HistoryPage<Row> {
  /** Newest first. */
  readonly rows: readonly { readonly row: Row; readonly place: RowPlace }[];
  readonly coverage: Coverage;
  readonly asOf: number;
  /** Matching rows that lie before the place that was asked for. */
  readonly before: number;
  /** Matching rows that follow these. */
  readonly after: number;
}

export interface PageOptions extends ReadOptions {
  readonly after?: RowPlace | undefined;
  readonly most: number;
  /** Whether to wait for the whole range, and not only for enough rows. */
  readonly wantsAll: boolean;
}

export interface Mirror extends History {
  page<Kind extends HistoryKind>(
    question: HistoryQuestion<Kind>,
    options: PageOptions,
  ): Promise<HistoryPage<RowOf[Kind]>>;
  /** Remembers when a report was asked for (ms): it holds nothing that happened later. */
  reportRequested(reportId: string, at: number): Promise<void>;
  /** Makes the rows of a report usable where no page covers its range. */
  addReport(report: Report, rows: ReportRows): Promise<AddedReport>;
  /** Ends the background reading. */
  close(): Promise<void>;
}

export interface MirrorParts {
  readonly broker: Broker;
  readonly store: HistoryStore;
  readonly accountKey: () => Promise<string>;
  /** A number of the account that is another one after every write of ours. */
  readonly epoch: (account: string) => Promise<number>;
  readonly clock: Clock;
  readonly lease: LeaseParts;
}

export function createMirror({ broker, store, accountKey, epoch, clock, lease }: MirrorParts): Mirror {
  const closing = new AbortController();
  const syncs = new Map<string, Promise<void>>();
  const news = createNews();

  const readerOf = async (kind: HistoryKind): Promise<PageReader> => {
    const account = await accountKey();
    return { broker, store, account, kind, now: clock.now, epoch: () => epoch(account) };
  };

  const startSync = (reader: PageReader): void => {
    const name = `history ${reader.account} ${reader.kind}`;
    if (syncs.has(name) || closing.signal.aborted) return;
    const parts = {
      reader,
      lease: createLease(lease, name),
      clock,
      realClock: lease.realClock,
      signal: closing.signal,
      onPage: news.tell,
    };
    const sync = syncHistory(parts).finally(() => syncs.delete(name));
    syncs.set(name, sync);
  };

  /**
   * Brings the mirror as far as the question needs and the caller waits; then `finish` takes what it wants, in
   * the same transaction that says what is covered.
   */
  const prepare = async <Taken>(
    question: HistoryQuestion,
    options: ReadOptions & {
      readonly executionsOnly?: boolean;
      readonly after?: RowPlace | undefined;
      readonly enough?: number | undefined;
    },
    finish: (tx: HistoryView, filter: RowFilter) => Promise<Taken>,
  ): Promise<{ taken: Taken; asOf: number; coverage: Coverage }> => {
    const reader = await readerOf(question.kind);
    const { account, kind } = reader;
    const { context, executionsOnly } = options;
    const waitUntil = Math.min(context.waitUntil ?? context.deadlineAt, context.deadlineAt);
    const trouble = await refresh(reader, question, context);
    for (;;) {
      const look = await store.read({ account, kind }, async (tx) => {
        const state = (await tx.state()) ?? emptyMirror;
        const [top] = state.stretches;
        const now = clock.now();
        const seenAt = trouble ? now : Math.min(top?.askedAt ?? now, now);
        const rows = await tx.count({ spans: planSpans(state, {}) });
        const known = coverageOf(state, { ...question, executionsOnly }, seenAt, rows);
        const coverage = withTrouble(known, trouble);
        const filter = { ...filterOf(question), spans: planSpans(state, question) };
        const isDone =
          coverage.complete ||
          trouble !== undefined ||
          now >= waitUntil ||
          (top && retryAtOf(top, now) > waitUntil) ||
          (options.enough !== undefined && (await tx.count({ ...filter, after: options.after })) >= options.enough);
        const asOf = Math.min(top?.answeredAt ?? now, now);
        const goesOn = !coverage.complete || state.stretches.length > 1 || top?.next !== undefined;
        return { coverage, asOf, goesOn, taken: isDone ? await finish(tx, filter) : undefined, isDone };
      });
      if (look.goesOn) startSync(reader);
      const { coverage, asOf, taken } = look;
      if (look.isDone) return { taken: taken as Taken, asOf, coverage };
      options.onProgress?.({ kind, rows: coverage.rows, from: coverage.from });
      await waitForNews(Math.min(lookEveryMs, waitUntil - clock.now()), context.signal);
      if (context.signal?.aborted) throw cancelled();
    }
  };

  const waitForNews = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    const word = news.next();
    await Promise.race([clock.sleep(ms, signal).catch(() => undefined), word.told]);
    word.leave();
  };

  /** The newest page, unless the range ended long before it was last read. What goes wrong is told only when nothing is there. */
  const refresh = async (
    reader: PageReader,
    question: HistoryQuestion,
    context: CallContext,
  ): Promise<BrokerageError | undefined> => {
    const { account, kind } = reader;
    const state = await store.read({ account, kind }, (tx) => tx.state());
    const [top] = state?.stretches ?? [];
    const readAt = Math.min(top?.askedAt ?? 0, clock.now());
    if (top && question.until !== undefined && question.until + lateRowsMs <= readAt) return undefined;
    try {
      await readHead(reader, context);
      return undefined;
    } catch (error) {
      if (!(error instanceof BrokerageError) || error.code === 'cancelled' || !top) throw error;
      const isRecent = readAt > clock.now() - recentMs && top.epoch === (await reader.epoch());
      return error.code === 'rate_limited' && isRecent ? undefined : error;
    }
  };

  return {
    read: async (question, options) => {
      // Whoever reads the whole works on what was executed.
      const all = { ...options, executionsOnly: true };
      const { taken, coverage, asOf } = await prepare(question, all, (tx, filter) => tx.rows(filter));
      return { rows: taken.map(({ data }) => JSON.parse(data) as never).reverse(), coverage, asOf };
    },
    page: async (question, options) => {
      const { after, most } = options;
      const enough = options.wantsAll ? undefined : most + 1;
      const { taken, coverage, asOf } = await prepare(question, { ...options, enough }, async (tx, filter) => ({
        rows: await tx.rows({ ...filter, after }, most),
        all: await tx.count(filter),
        rest: await tx.count({ ...filter, after }),
      }));
      const { rows, all, rest } = taken;
      return {
        rows: rows.map(({ data, at, key }) => ({ row: JSON.parse(data) as never, place: { at, key } })),
        coverage,
        asOf,
        before: all - rest,
        after: rest - rows.length,
      };
    },
    reportRequested: async (reportId, at) => {
      const name = `${await accountKey()} ${reportId}`;
      // One that was found again was made when it was asked for first.
      await lease.records.update<number, void>(requestedSpace, name, (earlier) => ({
        state: Math.min(earlier ?? at, at),
        result: undefined,
      }));
    },
    addReport: async (report, rows) => {
      const account = await accountKey();
      const requestedAt = await lease.records.read<number>(requestedSpace, `${account} ${report.reportId}`);
      return addReport(store, account, report, rows, requestedAt);
    },
    close: async () => {
      closing.abort();
      await Promise.all(syncs.values());
    },
  };
}

/** Wakes whoever waits in this process; other processes look by themselves. */
function createNews() {
  const waiting = new Set<() => void>();
  return {
    next: () => {
      let leave = () => {};
      const told = new Promise<void>((resolve) => {
        waiting.add(resolve);
        leave = () => waiting.delete(resolve);
      });
      return { told, leave };
    },
    tell: () => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}

const filterOf = ({ ticker, type }: HistoryQuestion) => ({ ticker, type });

const withTrouble = (coverage: Coverage, trouble: BrokerageError | undefined): Coverage =>
  trouble
    ? {
        ...coverage,
        complete: false,
        missing: [`The newest rows could not be read: ${trouble.message}`, ...(coverage.missing ?? [])].slice(0, 5),
      }
    : coverage;

const cancelled = () =>
  new BrokerageError('cancelled', 'The call was cancelled before it was done.', 'Call again if it is still wanted.');
