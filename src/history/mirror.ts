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
import { emptyMirror, type MirrorState } from './mirror-state.ts';
import type { HistoryStore } from './ports.ts';
import { type PageReader, readHead } from './read-page.ts';
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
  /** Remembers that a report was asked for now: it holds nothing that happens later. */
  reportRequested(reportId: string): Promise<void>;
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

  /** Brings the mirror as far as the question needs and the caller waits; then says what is there. */
  const prepare = async (
    question: HistoryQuestion,
    options: ReadOptions & { readonly enough?: number | undefined },
  ): Promise<{ reader: PageReader; state: MirrorState; coverage: Coverage }> => {
    const reader = await readerOf(question.kind);
    const { account, kind } = reader;
    const { context } = options;
    const waitUntil = Math.min(context.waitUntil ?? context.deadlineAt, context.deadlineAt);
    const trouble = await refresh(reader, question, context);
    for (;;) {
      const spans = (state: MirrorState) => planSpans(state, question);
      const look = await store.read({ account, kind }, async (tx) => {
        const state = (await tx.state()) ?? emptyMirror;
        const rows = await tx.count({ spans: planSpans(state, {}) });
        const matching =
          options.enough === undefined ? 0 : await tx.count({ ...filterOf(question), spans: spans(state) });
        return { state, rows, matching };
      });
      const { state, rows } = look;
      const now = trouble ? clock.now() : (state.stretches[0]?.askedAt ?? clock.now());
      const known = coverageOf(state, { since: question.since, until: question.until, now }, rows);
      const coverage = withTrouble(known, trouble);
      if (coverage.complete) return { reader, state, coverage };
      startSync(reader);
      const hasEnough = options.enough !== undefined && look.matching >= options.enough;
      const pausedUntil = state.stretches[0]?.trouble?.retryAt ?? 0;
      if (hasEnough || trouble || clock.now() >= waitUntil || pausedUntil > waitUntil)
        return { reader, state, coverage };
      options.onProgress?.({ kind, rows, from: coverage.from });
      const pause = clock.sleep(Math.min(lookEveryMs, waitUntil - clock.now()), context.signal).catch(() => undefined);
      await Promise.race([pause, news.next()]);
      if (context.signal?.aborted) throw cancelled();
    }
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
    if (top && question.until !== undefined && question.until + lateRowsMs <= top.askedAt) return undefined;
    try {
      await readHead(reader, context);
      return undefined;
    } catch (error) {
      if (!(error instanceof BrokerageError) || error.code === 'cancelled' || !top) throw error;
      const isRecent = top.askedAt > clock.now() - recentMs && top.epoch === (await reader.epoch());
      return error.code === 'rate_limited' && isRecent ? undefined : error;
    }
  };

  return {
    read: async (question, options) => {
      const { reader, state, coverage } = await prepare(question, options);
      const rows = await store.read(reader, (tx) =>
        tx.rows({ ...filterOf(question), spans: planSpans(state, question) }),
      );
      const parsed = rows.map(({ data }) => JSON.parse(data) as never).reverse();
      return { rows: parsed, coverage, asOf: asOfNow(state, clock) };
    },
    page: async (question, options) => {
      const enough = options.wantsAll ? undefined : options.most + 1;
      const { reader, state, coverage } = await prepare(question, { ...options, enough });
      const filter = { ...filterOf(question), spans: planSpans(state, question) };
      const { rows, all, rest } = await store.read(reader, async (tx) => ({
        rows: await tx.rows({ ...filter, after: options.after }, options.most),
        all: await tx.count(filter),
        rest: await tx.count({ ...filter, after: options.after }),
      }));
      return {
        rows: rows.map(({ data, at, key }) => ({ row: JSON.parse(data) as never, place: { at, key } })),
        coverage,
        asOf: asOfNow(state, clock),
        before: all - rest,
        after: rest - rows.length,
      };
    },
    reportRequested: async (reportId) => {
      const name = `${await accountKey()} ${reportId}`;
      await lease.records.update<number, void>(requestedSpace, name, () => ({ state: clock.now(), result: undefined }));
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
  let waiting: (() => void)[] = [];
  return {
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    tell: () => {
      const all = waiting;
      waiting = [];
      for (const resolve of all) resolve();
    },
  };
}

const filterOf = ({ ticker, type }: HistoryQuestion) => ({ ticker, type });

const asOfNow = (state: MirrorState, clock: Clock): number => state.stretches[0]?.answeredAt ?? clock.now();

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
