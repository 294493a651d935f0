import * as z from 'zod';
import { endpoints, type Report, reportFile } from '../../../catalogue/index.ts';
import { BrokerageError } from '../../../errors.ts';
import { escapeFormulas } from '../../../history/reports/escape-formulas.ts';
import { type ReportRows, readReport } from '../../../history/reports/read-report.ts';
import { previewReport } from '../../../history/reports/report-preview.ts';
import { tickerResolver } from '../../../history/reports/resolve-ticker.ts';
import { id, integer } from '../../arguments.ts';
import { listOutput } from '../../output-schemas.ts';
import { defineTool, type ToolCall } from '../../tool.ts';
import { computeNextPoll, readReports } from './list-exports.ts';

export const downloadExport = defineTool({
  name: 'download_export',
  title: 'Download a CSV report',
  toolset: 'exports',
  effect: 'saves',
  endpoints: [endpoints.listReports, endpoints.listInstruments],
  description: 'Saves a finished report, adds its rows to the local history, and returns its path and first rows.',
  searchHint: 'download CSV, save statement',
  input: z.strictObject({
    reportId: id('A finished report'),
    previewRows: integer({ min: 0, max: 100 }, '0 to 100, default 5').optional(),
  }),
  output: {
    ...listOutput,
    path: z.string().optional(),
    totalRows: z.number().optional(),
    keptForHistory: z.looseObject({}).optional(),
    unreadRows: z.looseObject({}).optional(),
  },
  run: async ({ reportId, previewRows }, call) => {
    const { reports, answeredAt: listedAt } = await readReports(reportId, 0, call, { needsLinks: true });
    const [report] = reports;
    if (!report?.downloadLink) throw await notReady(reportId, report?.status, listedAt, call);
    const { data: csv, answeredAt } = await call.broker.call(reportFile, { link: report.downloadLink }, call.context());
    const { columns, rows, totalRows } = previewReport(csv, previewRows ?? 5);
    const safe = escapeFormulas(csv);
    const path = await call.exports.save(reportId, safe.text);
    const read = await readRows(csv, call);
    const added = await call.history.importReport(report, read);
    return {
      asOf: answeredAt,
      fields: {
        reportId,
        path,
        uri: `export://${reportId}`,
        totalRows,
        complete: read.isComplete,
        ...(read.isComplete ? {} : { note: `The file is incomplete: ${read.reason}. Download it again.` }),
        ...(safe.marked > 0 ? { markedCells: safe.marked } : {}),
        ...shortTickers(read),
        ...unreadRows(read),
        // The history uses these rows for times that its pages do not reach.
        keptForHistory: added.reason === undefined ? added.rows : { reason: `Nothing: ${added.reason}.` },
      },
      list: { columns, rows, cursorAfter: () => undefined, rest: 'the file has all rows' },
    };
  },
});

const maxShownRows = 5;

/** Rows that could not be read are not in the history; the first few are shown with a code and a reason. */
function unreadRows({ unread }: ReportRows) {
  if (unread.length === 0) return {};
  const rows = unread
    .slice(0, maxShownRows)
    .map(({ line, action, code, reason }) => ({ line, action: action.slice(0, 80), code, reason }));
  return { unreadRows: { count: unread.length, rows } };
}

/** Rows whose full ticker is unknown are not found by a query for that ticker. */
function shortTickers({ orders, dividends }: ReportRows) {
  const count = [...orders, ...dividends].filter(({ tickerIsShort }) => tickerIsShort).length;
  return count > 0 ? { rowsWithShortTicker: count } : {};
}

/**
 * Reads the rows of a report. It names instruments by their short ticker, which stays when the list of instruments is
 * unavailable.
 */
async function readRows(csv: string, call: ToolCall): Promise<ReportRows> {
  const instruments = await call.broker
    .call(endpoints.listInstruments, {}, call.context({ waitUntil: call.clock.now() + 5_000 }))
    .then(({ data }) => data)
    .catch(() => []);
  return readReport(csv, { resolveTicker: tickerResolver(instruments) });
}

async function notReady(reportId: string, status: Report['status'], listedAt: number, call: ToolCall) {
  const sentence = `Report ${reportId} has no file: its status is ${status ?? 'unknown'}.`;
  if (status === 'Failed' || status === 'Canceled')
    return new BrokerageError('not_found', sentence, 'Request the report again.');
  const { retryAfterSeconds } = await computeNextPoll(listedAt, call);
  const next = `Check again with list_exports in ${retryAfterSeconds} s.`;
  return new BrokerageError('not_found', sentence, next, { retryAfterSeconds });
}
