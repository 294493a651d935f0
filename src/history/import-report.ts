/**
 * The rows of a report become part of the mirror. They lack ids, and often full tickers, so they are kept
 * apart from those of the pages and used only for moments that no page covers: nothing is told twice.
 */
import type { Report } from '../catalogue/index.ts';
import { type HistoryKind, historyKinds, kinds } from './kinds.ts';
import { emptyMirror } from './mirror-state.ts';
import type { HistoryStore } from './ports.ts';
import type { ReportRows } from './reports/read-report.ts';
import { storedRow } from './write-rows.ts';

export interface ImportResult {
  /** How many rows of each kind may be used from now on; a kind that the report does not hold whole is left out. */
  readonly rows: Partial<Record<HistoryKind, number>>;
  /** Why nothing was added. */
  readonly reason?: string;
}

/** Interest and other transactions are one history, so a report covers it with both or not at all. */
const isIn = (kind: HistoryKind, included: Report['dataIncluded']): boolean =>
  ({
    orders: included?.includeOrders === true,
    dividends: included?.includeDividends === true,
    transactions: included?.includeTransactions === true && included.includeInterest === true,
  })[kind];

/**
 * `requestedAt` (ms) is when the report was asked for, where that is known: a range that was not over by then
 * is covered up to that moment only, and otherwise up to the newest row.
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
  // The file has whole seconds: a second that was not over, or not begun, cannot be told from one that was.
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
