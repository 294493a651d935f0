/**
 * Imports the rows of a report into the mirror. They have no ids and often no full tickers, so they are stored
 * apart from page rows and used only for moments that no page covers: no row is returned twice.
 */
import type { Report } from '../catalogue/index.ts';
import { type HistoryKind, historyKinds, kinds } from './kinds.ts';
import { emptyMirror } from './mirror-state.ts';
import type { HistoryStore } from './ports.ts';
import type { ReportRows } from './reports/read-report.ts';
import { storedRow } from './write-rows.ts';

/** What was imported from a report. */
export interface ImportResult {
  /** Rows imported per kind; kinds that the report does not contain completely are absent. */
  readonly rows: Partial<Record<HistoryKind, number>>;
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
  const [unread] = read.unread;
  if (unread) {
    const reason = `${read.unread.length} of its rows could not be read, the first in line ${unread.line} because ${unread.reason}`;
    return { rows: {}, reason };
  }
  const newestAt = findNewestTime(read, from);
  // Times in the file have a resolution of one second, so a second that had not ended by then cannot be trusted and
  // is left out.
  const to = Math.floor(Math.min(end, requestedAt ?? newestAt) / 1000) * 1000;
  if (to <= from) return { rows: {}, reason: 'it covers no time before the moment it was generated' };

  const rows: Partial<Record<HistoryKind, number>> = {};
  for (const kind of historyKinds.filter((one) => isIn(one, report.dataIncluded))) {
    const source = `report:${reportId}` as const;
    const stored = read[kind].map(({ row, tickerIsShort }, index) => {
      const one = storedRow(kinds[kind] as never, row as never, String(index).padStart(7, '0'), 0);
      return tickerIsShort ? { ...one, ticker: undefined } : one;
    });
    const shortTickers = read[kind].filter(({ tickerIsShort }) => tickerIsShort).length;
    await store.change({ account, kind }, async (tx) => {
      const state = (await tx.state()) ?? emptyMirror;
      await tx.remove(source);
      await tx.put(source, stored);
      const others = state.reports.filter((part) => part.reportId !== reportId);
      await tx.setState({ ...state, reports: [{ reportId, from, to, shortTickers }, ...others] });
    });
    rows[kind] = stored.length;
  }
  return { rows };
}

function findNewestTime(read: ReportRows, from: number): number {
  let newest = from;
  for (const kind of historyKinds) for (const { at } of read[kind]) newest = Math.max(newest, at);
  return newest;
}
