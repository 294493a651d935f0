import * as z from 'zod';
import { endpoints, type Report, reportFile } from '../../../core/endpoints/index.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { orElse } from '../../../core/log.ts';
import { id, integer } from '../../../core/mcp/arguments.ts';
import { listOutput } from '../../../core/mcp/output-schemas.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import { nextTurn } from '../../../core/next-turn.ts';
import { escapedPieces } from '../../history/reports/escape-formulas.ts';
import { openReport, type ReportFile } from '../../history/reports/read-report.ts';
import { tickerResolver } from '../../history/reports/resolve-ticker.ts';
import type { ReportDeps } from '../report-deps.ts';
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
  run: async ({ reportId, previewRows }, call, deps: ReportDeps) => {
    const { reports, answeredAt: listedAt } = await readReports(reportId, 0, call, deps, { needsLinks: true });
    const [report] = reports;
    if (!report?.downloadLink) throw await notReady(reportId, report?.status, listedAt, deps);
    const { data: csv, answeredAt } = await deps.broker.call(reportFile, { link: report.downloadLink }, call.context());
    const file = await open(csv, call, deps, previewRows ?? 5);
    const { path, marked } = await saveEscaped(reportId, csv, call, deps);
    const added = await deps.history.importReport(report, file);
    return {
      asOf: answeredAt,
      fields: {
        reportId,
        path,
        uri: `export://${reportId}`,
        totalRows: file.totalRows,
        complete: file.isComplete,
        ...(file.isComplete ? {} : { note: `The file is incomplete: ${file.reason}. Download it again.` }),
        ...(marked > 0 ? { markedCells: marked } : {}),
        ...shortTickers(file),
        ...unreadRows(file),
        // The history uses these rows for times that its pages do not reach.
        keptForHistory: added.reason === undefined ? added.rows : { reason: `Nothing: ${added.reason}.` },
      },
      list: {
        columns: file.columns,
        rows: file.firstRows,
        cursorAfter: () => undefined,
        rest: 'the file has all rows',
      },
    };
  },
});

const maxShownRows = 5;

/** Rows that could not be read are not in the history; the first few are shown with a code and a reason. */
function unreadRows({ unread }: ReportFile) {
  if (unread.length === 0) return {};
  const rows = unread.slice(0, maxShownRows).map(({ line, action, code, reason }) => ({ line, action, code, reason }));
  return { unreadRows: { count: unread.length, rows } };
}

/** Rows whose full ticker is unknown are not found by a query for that ticker. */
function shortTickers({ kinds }: ReportFile) {
  const count = kinds.orders.shortTickers + kinds.dividends.shortTickers;
  return count > 0 ? { rowsWithShortTicker: count } : {};
}

/**
 * Opens a report. It names instruments by their short ticker, which stays when the list of instruments is
 * unavailable.
 */
async function open(csv: string, call: ToolCall, deps: ReportDeps, firstRows: number): Promise<ReportFile> {
  const instruments = await deps.broker
    .call(endpoints.listInstruments, {}, call.context({ waitUntil: deps.clock.now() + 5_000 }))
    .then(({ data }) => data)
    .catch(orElse('a request', []));
  return openReport(csv, { resolveTicker: tickerResolver(instruments), firstRows, signal: call.signal });
}

/** Saves the file without formulas that a spreadsheet would run, with a pause after each piece. */
async function saveEscaped(reportId: string, csv: string, call: ToolCall, deps: ReportDeps) {
  let marked = 0;
  async function* pieces() {
    const escaped = escapedPieces(csv);
    for (let piece = escaped.next(); ; piece = escaped.next()) {
      if (piece.done) {
        marked = piece.value;
        return;
      }
      yield piece.value;
      await nextTurn(call.signal);
    }
  }
  return { path: await deps.exports.save(reportId, pieces()), marked };
}

async function notReady(reportId: string, status: Report['status'], listedAt: number, deps: ReportDeps) {
  const sentence = `Report ${reportId} has no file: its status is ${status ?? 'unknown'}.`;
  if (status === 'Failed' || status === 'Canceled')
    return new BrokerageError('not_found', sentence, 'Request the report again.');
  const { retryAfterSeconds } = await computeNextPoll(listedAt, deps);
  const next = `Check again with list_exports in ${retryAfterSeconds} s.`;
  return new BrokerageError('not_found', sentence, next, { retryAfterSeconds });
}
