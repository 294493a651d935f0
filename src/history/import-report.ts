/**
 * Imports the rows of a report into the mirror. They have no ids and often no full tickers, so they are stored
 * apart from page rows and used only for moments that no page covers: no row is returned twice.
 */
import type { Report } from '../catalogue/index.ts';
import { type HistoryKind, historyKinds, kinds } from './kinds.ts';
import { emptyMirror, type ReportPart } from './mirror-state.ts';
import type { HistoryStore } from './ports.ts';
import type { ReportRows, UnreadCode } from './reports/read-report.ts';
import { storedRow } from './write-rows.ts';

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

/**
 * Imports a report, replacing an earlier import of the same report. `requestedAt` (ms) is when the report was
 * requested: a range that had not ended by then is covered only up to that moment. If it is undefined, the range
 * ends at the newest row.
 */
export async function importReport(
  store: HistoryStore,
  account: string,
  report: Report,
  read: ReportRows,
  requestedAt: number | undefined,
): Promise<ImportResult> {
  const { reportId } = report;
  const from = Math.ceil(Date.parse(report.timeFrom ?? '') / 1000) * 1000;
  const end = Date.parse(report.timeTo ?? '');
  if (reportId === undefined || Number.isNaN(from) || Number.isNaN(end))
    return { rows: {}, reason: 'the service does not state which range the report covers' };
  if (!read.isComplete) return { rows: {}, reason: read.reason ?? 'the file is incomplete' };
  const newestAt = findNewestTime(read, from);
  // Times in the file have a resolution of one second, so a second that had not ended by then cannot be trusted and
  // is left out.
  const to = Math.floor(Math.min(end, requestedAt ?? newestAt) / 1000) * 1000;
  if (to <= from) return { rows: {}, reason: 'it covers no time before the moment it was generated' };

  const rows: Partial<Record<HistoryKind, number>> = {};
  for (const kind of historyKinds.filter((one) => isIn(one, report.dataIncluded))) {
    const source = `report:${reportId}` as const;
    const part = { reportId, from, to, ...describeLacks(read, kind, { from, to }) };
    const stored = read[kind].map(({ row, tickerIsShort }, index) => {
      const key = String(index).padStart(7, '0');
      const one = storedRow(kinds[kind] as never, { ...row, fromReport: true } as never, key, 0);
      return tickerIsShort ? { ...one, ticker: undefined } : one;
    });
    await store.change({ account, kind }, async (tx) => {
      const state = (await tx.state()) ?? emptyMirror;
      await tx.remove(source);
      await tx.put(source, stored);
      const others = state.reports.filter((one) => one.reportId !== reportId);
      await tx.setState({ ...state, reports: [part, ...others] });
    });
    rows[kind] = stored.length;
  }
  return { rows, ...(read.unread.length > 0 ? { unread: countByCode(read.unread) } : {}) };
}

/** Counts rows that could not be read by the reason. */
function countByCode(unread: ReportRows['unread']): NonNullable<ImportResult['unread']> {
  const counts: Partial<Record<UnreadCode, number>> = {};
  for (const { code } of unread) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** What the rows of one kind lack: full tickers, and the rows that could not be read. */
function describeLacks(
  read: ReportRows,
  kind: HistoryKind,
  range: { readonly from: number; readonly to: number },
): Omit<ReportPart, 'reportId' | 'from' | 'to'> {
  const short = read[kind].filter(({ tickerIsShort }) => tickerIsShort);
  const seconds = new Set<number>();
  let isAnywhere = false;
  for (const { at, kinds: found } of read.unread) {
    if (!found.includes(kind)) continue;
    if (at === undefined) isAnywhere = true;
    else seconds.add(Math.floor(at / 1000) * 1000);
  }
  const holes = isAnywhere ? [range] : [...seconds].map((from) => ({ from, to: from + 1000 }));
  return {
    shortTickers: short.length,
    ...(short.length > 0 ? { oldestShortAt: Math.min(...short.map(({ at }) => at)) } : {}),
    ...(holes.length > 0 ? { holes } : {}),
  };
}

function findNewestTime(read: ReportRows, from: number): number {
  let newest = from;
  for (const kind of historyKinds) for (const { at } of read[kind]) newest = Math.max(newest, at);
  return newest;
}
