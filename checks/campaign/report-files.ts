/** Finished reports of the last year, as the service lists them, each with a file that can be downloaded. */
import type { WireAnswer } from './wire.ts';

export interface ReportFiles {
  /** Undefined for a route that is not about reports. */
  respond(route: string, origin: string): WireAnswer | undefined;
}

const yearMs = 365 * 86_400_000;
const marginMs = 3_600_000;
const parts = { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true };
const file = 'Action,Time,Total,Currency (Total)\nDeposit,2026-06-01 08:00:00,5,USD\n';

/** `onDownload` is called before the file of the report is sent. */
export const createReportFiles = (ids: readonly number[], onDownload: (id: number) => void): ReportFiles => ({
  respond: (route, origin) => {
    const [, id] = /^\/report-files\/(\d+)$/.exec(route) ?? [];
    if (id !== undefined) {
      onDownload(Number(id));
      return { status: 200, body: file, headers: { 'content-type': 'text/csv' } };
    }
    if (route !== '/history/exports') return undefined;
    const now = Date.now();
    const list = ids.map((reportId) => ({
      reportId,
      status: 'Finished',
      timeFrom: new Date(now - yearMs - marginMs).toISOString(),
      timeTo: new Date(now).toISOString(),
      dataIncluded: parts,
      downloadLink: `${origin}/report-files/${reportId}`,
    }));
    return { status: 200, body: JSON.stringify(list) };
  },
});
