/**
 * Imports the rows of a report into the mirror. They have no ids and often no full tickers, so they are stored
 * apart from page rows and used only for moments that no page covers: no row is returned twice.
 */
import type { Report } from '../../../core/endpoints/index.ts';
import { nextTurn } from '../../../core/next-turn.ts';
import { storedRow } from '../apply-page.ts';
import { type Interval, joinParts } from '../coverage.ts';
import { type HistoryKind, historyKinds, kinds } from '../kinds.ts';
import { emptyMirror, type ReportPart } from '../mirror-state.ts';
import type { HistoryChange, HistoryStore, StoredRow } from '../row-store.ts';
import type { ReportRowOfAnyKind } from './build-rows.ts';
import { countByCode, type ReportFile, type UnreadCode } from './read-report.ts';

/** What was imported from a report. */
export interface ImportResult {
  /** Rows imported per kind; kinds that the report does not contain completely are absent. */
  readonly rows: Partial<Record<HistoryKind, number>>;
  /** Rows that could not be read, by code; absent when there are none. Their seconds stay uncovered. */
  readonly unread?: Partial<Record<UnreadCode, number>>;
  /** Why nothing was imported; undefined when something was. */
  readonly reason?: string;
}

/** Interest and other transactions form one history, so a report must include both to cover it. */
const isIn = (kind: HistoryKind, included: Report['dataIncluded']): boolean =>
  ({
    orders: included?.includeOrders === true,
    dividends: included?.includeDividends === true,
    transactions: included?.includeTransactions === true && included.includeInterest === true,
  })[kind];

/** A transaction writes or removes at most this many rows, because it blocks this process and other writers. */
const batchRows = 1_000;

/**
 * Imports a report, replacing an earlier import of the same report. `requestedAt` (ms) is when the report was
 * requested: a range that had not ended by then is covered only up to that moment. If it is undefined, the range
 * ends at the newest row. Rows are written in batches, and count only once the last one is stored.
 */
export async function importReport(
  store: HistoryStore,
  account: string,
  report: Report,
  file: ReportFile,
  requestedAt: number | undefined,
): Promise<ImportResult> {
  const { reportId } = report;
  const from = Math.ceil(Date.parse(report.timeFrom ?? '') / 1000) * 1000;
  const end = Date.parse(report.timeTo ?? '');
  if (reportId === undefined || Number.isNaN(from) || Number.isNaN(end))
    return { rows: {}, reason: 'the service does not state which range the report covers' };
  if (!file.isComplete) return { rows: {}, reason: file.reason ?? 'the file is incomplete' };
  // Times in the file have a resolution of one second, so a second that had not ended by then cannot be trusted and
  // is left out.
  const to = Math.floor(Math.min(end, requestedAt ?? Math.max(file.newestAt ?? from, from)) / 1000) * 1000;
  if (to <= from) return { rows: {}, reason: 'it covers no time before the moment it was generated' };

  const covered = historyKinds.filter((one) => isIn(one, report.dataIncluded));
  const places = covered.map((kind) => createPlace(store, { account, kind }, reportId));
  for (const place of places) await place.clear();
  for await (const rows of file.slices()) for (const place of places) await place.add(rows);
  for (const place of places)
    if (!(await place.cover({ reportId, from, to, ...describeLacks(file, place.kind, { from, to }) })))
      return { rows: {}, reason: 'another process imported it at the same time' };
  return {
    rows: Object.fromEntries(places.map(({ kind, count }) => [kind, count()])),
    ...(file.unread.length > 0 ? { unread: countByCode(file.unread) } : {}),
  };
}

/** The rows of one kind of a report in the store. */
function createPlace(
  store: HistoryStore,
  at: { readonly account: string; readonly kind: HistoryKind },
  reportId: string,
) {
  const source = `report:${reportId}` as const;
  const everything = { spans: [{ source, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }] };
  let waiting: StoredRow[] = [];
  let count = 0;
  const write = async () => {
    const rows = waiting;
    waiting = [];
    if (rows.length > 0) await store.change(at, (tx) => tx.put(source, rows));
    await nextTurn();
  };
  return {
    kind: at.kind,
    count: () => count,
    /** Removes an earlier import. The report covers nothing until `cover`. */
    clear: async () => {
      const removeSome = (tx: HistoryChange) =>
        tx.rows(everything, batchRows).then(async (rows) => {
          if (rows.length > 0)
            await tx.remove(
              source,
              rows.map(({ key }) => key),
            );
          return rows.length;
        });
      const isCovering = await store.read(at, async (tx) => (await tx.state())?.reports.some(isOf(reportId)));
      if (isCovering)
        await store.change(at, async (tx) => {
          const state = (await tx.state()) ?? emptyMirror;
          await tx.setState({ ...state, reports: state.reports.filter((one) => !isOf(reportId)(one)) });
        });
      while ((await store.change(at, removeSome)) === batchRows) await nextTurn();
    },
    add: async (rows: readonly ReportRowOfAnyKind[]) => {
      for (const one of rows) {
        if (one.kind !== at.kind) continue;
        waiting.push(toStored(one, count++));
        if (waiting.length === batchRows) await write();
      }
    },
    /** False when the stored rows are not those of `add`, because another process wrote or removed some. */
    cover: async (part: ReportPart) => {
      await write();
      return store.change(at, async (tx) => {
        if ((await tx.count(everything)) !== count) return false;
        const state = (await tx.state()) ?? emptyMirror;
        await tx.setState({ ...state, reports: [part, ...state.reports.filter((one) => !isOf(reportId)(one))] });
        return true;
      });
    },
  };
}

const isOf =
  (reportId: string) =>
  (part: ReportPart): boolean =>
    part.reportId === reportId;

function toStored({ kind, row, tickerIsShort }: ReportRowOfAnyKind, index: number): StoredRow {
  const key = String(index).padStart(7, '0');
  const one = storedRow(kinds[kind] as never, { ...row, fromReport: true } as never, key, 0);
  return tickerIsShort ? { ...one, ticker: undefined } : one;
}

/** What the rows of one kind lack: full tickers, and the rows that could not be read. */
function describeLacks(
  file: ReportFile,
  kind: HistoryKind,
  range: Interval,
): Omit<ReportPart, 'reportId' | 'from' | 'to'> {
  const { shortTickers, oldestShortAt } = file.kinds[kind];
  const seconds: Interval[] = [];
  let isAnywhere = false;
  for (const { at, kinds: found } of file.unread) {
    if (!found.includes(kind)) continue;
    const from = Math.floor((at ?? 0) / 1000) * 1000;
    if (at === undefined) isAnywhere = true;
    else seconds.push({ from, to: from + 1000 });
  }
  const holes = isAnywhere ? [range] : joinParts(range, seconds);
  return {
    shortTickers,
    ...(oldestShortAt === undefined ? {} : { oldestShortAt }),
    ...(holes.length > 0 ? { holes } : {}),
  };
}
