/** The account's history as it is kept here: read once, brought up to date by its newest page, answered from the store. */
import type { Broker } from '../broker/types.ts';
import type { Report } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import { type CoverageResult, type CoverageTarget, ensureCoverage } from './ensure-coverage.ts';
import type { Coverage, History, HistoryQuery, ReadOptions } from './history-port.ts';
import { type ImportResult, importReport } from './import-report.ts';
import type { HistoryKind, RowOf } from './kinds.ts';
import { createLease, type LeaseDeps } from './lease.ts';
import { createNotifier } from './page-notifier.ts';
import type { HistoryStore } from './ports.ts';
import type { PageReader } from './read-page.ts';
import type { ReportRows } from './reports/read-report.ts';
import { syncHistory } from './sync.ts';

const requestedNamespace = 'report-requested';

export interface RowPosition {
  readonly at: number;
  readonly key: string;
}

export interface HistoryPage<Row> {
  /** Newest first. */
  readonly rows: readonly { readonly row: Row; readonly place: RowPosition }[];
  /** Every matching row, newest first, where it was asked for. */
  readonly matching: readonly Row[] | undefined;
  /** Whether everything from the end of the range down to the last of these rows is there, whatever lies before it. */
  readonly isComplete: boolean;
  readonly coverage: Coverage;
  readonly asOf: number;
  /** Matching rows that lie before the place that was asked for. */
  readonly before: number;
  /** Matching rows that follow these. */
  readonly after: number;
}

export interface PageOptions extends ReadOptions {
  readonly after?: RowPosition | undefined;
  readonly most: number;
  /** Whether to wait for the whole range, and not only for enough rows. */
  readonly wantsAll: boolean;
  /** Whether to hand out all matching rows as well, whatever the place and `most`. */
  readonly alsoMatching: boolean;
}

export interface Mirror extends History {
  page<Kind extends HistoryKind>(question: HistoryQuery<Kind>, options: PageOptions): Promise<HistoryPage<RowOf[Kind]>>;
  /** Remembers when a report was asked for (ms): it holds nothing that happened later. */
  reportRequested(reportId: string, at: number): Promise<void>;
  /** When this program asked for it (ms); undefined when it did not. */
  reportRequestedAt(reportId: string): Promise<number | undefined>;
  /** Makes the rows of a report usable where no page covers its range. */
  importReport(report: Report, rows: ReportRows): Promise<ImportResult>;
  /** Ends the background reading. */
  close(): Promise<void>;
}

export interface MirrorDeps {
  readonly broker: Broker;
  readonly store: HistoryStore;
  readonly accountKey: () => Promise<string>;
  /** A number of the account that is another one after every write of ours. */
  readonly epoch: (account: string) => Promise<number>;
  /** How long the rate limit keeps the next page of the kind back (ms); 0 while one is on its way. */
  readonly nextPageInMs: (account: string, kind: HistoryKind) => Promise<number>;
  readonly clock: Clock;
  readonly lease: LeaseDeps;
}

export function createMirror({ broker, store, accountKey, epoch, nextPageInMs, clock, lease }: MirrorDeps): Mirror {
  const closing = new AbortController();
  const syncs = new Map<string, Promise<void>>();
  const notifier = createNotifier();

  const createReader = async (kind: HistoryKind): Promise<PageReader> => {
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
      onPage: notifier.tell,
    };
    const sync = syncHistory(parts).finally(() => syncs.delete(name));
    syncs.set(name, sync);
  };

  const bringUp = async <Taken>(question: HistoryQuery, wish: CoverageTarget<Taken>): Promise<CoverageResult<Taken>> =>
    ensureCoverage(question, wish, {
      reader: await createReader(question.kind),
      clock,
      notifier,
      startSync,
      nextPageInMs,
    });

  const reportRequestedAt = async (reportId: string | undefined) =>
    lease.records.read<number>(requestedNamespace, `${await accountKey()} ${reportId}`);

  return {
    read: async (question, options) => {
      // Whoever reads the whole works on what was executed.
      const { taken, coverage, asOf } = await bringUp(question, {
        ...options,
        executionsOnly: true,
        take: (look) => look.tx.rows(look.filter),
      });
      return { rows: taken.map(({ data }) => JSON.parse(data) as never).reverse(), coverage, asOf };
    },
    page: async (question, options) => {
      const { after, most } = options;
      const enough = options.wantsAll ? undefined : most + 1;
      const { taken, coverage, asOf } = await bringUp(question, {
        ...options,
        enough,
        take: async ({ tx, filter, isCompleteSince }) => {
          const rows = await tx.rows({ ...filter, after }, most);
          const oldest = rows.at(-1)?.at;
          return {
            rows,
            all: await tx.count(filter),
            rest: await tx.count({ ...filter, after }),
            matching: options.alsoMatching ? await tx.rows(filter) : undefined,
            isComplete: oldest !== undefined && isCompleteSince(oldest),
          };
        },
      });
      const { rows, matching, all, rest, isComplete } = taken;
      return {
        rows: rows.map(({ data, at, key }) => ({ row: JSON.parse(data) as never, place: { at, key } })),
        matching: matching?.map(({ data }) => JSON.parse(data) as never),
        isComplete,
        coverage,
        asOf,
        before: all - rest,
        after: rest - rows.length,
      };
    },
    reportRequested: async (reportId, at) => {
      const name = `${await accountKey()} ${reportId}`;
      // One that was found again was made when it was asked for first.
      await lease.records.update<number, void>(requestedNamespace, name, (earlier) => ({
        state: Math.min(earlier ?? at, at),
        result: undefined,
      }));
    },
    reportRequestedAt,
    importReport: async (report, rows) =>
      importReport(store, await accountKey(), report, rows, await reportRequestedAt(report.reportId)),
    close: async () => {
      closing.abort();
      await Promise.all(syncs.values());
    },
  };
}
