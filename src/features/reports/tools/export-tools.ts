import * as z from 'zod';
import { endpoints, type Report, reportFile } from '../../../core/endpoints/index.ts';
import { isReady } from '../../../core/endpoints/reports.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { orElse } from '../../../core/log.ts';
import { cursor, id, integer, waitSeconds } from '../../../core/mcp/arguments.ts';
import { count, group, groups, listOutput, table, text, texts } from '../../../core/mcp/output-schemas.ts';
import { type Columns, paginate } from '../../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import { nextTurn } from '../../../core/next-turn.ts';
import type { WriteJournal } from '../../../core/orders/write-journal.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import { escapedPieces } from '../../history/reports/escape-formulas.ts';
import { openReport, type ReportFile } from '../../history/reports/read-report.ts';
import { tickerResolver } from '../../history/reports/resolve-ticker.ts';
import type { ExportFiles } from '../export-files.ts';
import type { HistoryImport } from '../import/history-import.ts';

/** What the tools over reports need. */
export interface ReportDeps extends HistoryDeps {
  readonly writes: WriteJournal;
  readonly exports: ExportFiles;
  readonly historyImport: HistoryImport;
}

const reportColumns: Columns<Report> = {
  reportId: (report) => report.reportId,
  status: (report) => report.status,
  timeFrom: (report) => report.timeFrom,
  timeTo: (report) => report.timeTo,
  downloadReady: isReady,
  includeDividends: (report) => report.dataIncluded?.includeDividends,
  includeInterest: (report) => report.dataIncluded?.includeInterest,
  includeOrders: (report) => report.dataIncluded?.includeOrders,
  includeTransactions: (report) => report.dataIncluded?.includeTransactions,
};

export const listExports = defineTool({
  name: 'list_exports',
  title: 'CSV reports',
  toolset: 'exports',
  effect: 'reads',
  endpoints: [endpoints.listReports],
  description: 'Exports (reports, statements, CSV files), whether ready.',
  searchHint:
    'CSV reports, report status, export ready, the statement done yet, which files did ask the broker for, it finished, the file there, status of the export, exports, has the CSV been generated, the report ready, which reports or statements did I already request, has it been made, produced, prepared, export status, status, requested reports, list of exports, previous exports, ready yet, still being generated',
  input: z.strictObject({
    reportId: id('Only this').optional(),
    waitSeconds: waitSeconds('Until ready'),
    cursor: cursor(),
  }),
  output: () => ({
    ...listOutput(),
    ...table(reportColumns, {
      downloadReady: z.boolean(),
      includeDividends: z.boolean(),
      includeInterest: z.boolean(),
      includeOrders: z.boolean(),
      includeTransactions: z.boolean(),
    }),
    retryAfterSeconds: count(),
  }),
  run: async (args, call, deps: ReportDeps) => {
    const { reports, answeredAt } = await readReports(args.reportId, args.waitSeconds ?? 0, call, deps);
    const isPending = !reports.every(isSettled);
    return {
      asOf: answeredAt,
      fields: { complete: true, ...(isPending ? await computeNextPoll(answeredAt, deps) : {}) },
      list: paginate(reports, reportColumns, args),
    };
  },
});

/** How long (ms) the service has been seen to take for a report. */
const makingMs = 20_000;
/** Minimum pause (ms) between two polls for a report, also when the rate limit allows more. */
const minPollMs = 2_000;

/** A finished report without a link is not ready: the link follows. */
const isSettled = (report: Report): boolean =>
  report.status === 'Failed' || report.status === 'Canceled' || (report.status === 'Finished' && isReady(report));

/**
 * Returns the seconds until a poll can return more than the response of `answeredAt`, which is shared for one period of
 * the rate limit, and a note about that limit.
 */
async function computeNextPoll(answeredAt: number, deps: ReportDeps) {
  const { requests, periodMs } = await deps.getLimit(endpoints.listReports);
  const retryAfterSeconds = Math.max(1, Math.ceil((answeredAt + periodMs - deps.clock.now()) / 1000));
  const looks = requests === 1 ? 'one request' : `${requests} requests`;
  return { retryAfterSeconds, note: `The service allows ${looks} per ${periodMs / 1000} s.` };
}

/** Returns the pause (ms) before a report is polled again, as the rate limit allows. */
async function computePollPauseMs(answeredAt: number, deps: ReportDeps): Promise<number> {
  const { requests, periodMs, freeInMs } = await deps.getLimit(endpoints.listReports);
  const spacingMs = Math.max(minPollMs, periodMs / requests);
  return Math.max(freeInMs, answeredAt + spacingMs - deps.clock.now());
}

/** Reads the list, and polls again while the report is unfinished and the rate limit allows a request in time. */
async function readReports(
  reportId: string | undefined,
  seconds: number,
  call: ToolCall,
  deps: ReportDeps,
  { needsLinks = false } = {},
) {
  const until = Math.min(deps.clock.now() + seconds * 1000, call.deadlineAt - 2_000);
  let notBefore: number | undefined;
  if (reportId !== undefined) await giveItTime(reportId, until, call, deps);
  for (;;) {
    const { data, answeredAt } = await deps.broker.call(
      endpoints.listReports,
      {},
      { ...call.context({ notBefore }), needsComplete: needsLinks },
    );
    if (reportId === undefined) return { reports: data, answeredAt };
    const [report] = data.filter((candidate) => candidate.reportId === reportId);
    if (report && isSettled(report)) return { reports: [report], answeredAt };
    const pauseMs = await computePollPauseMs(answeredAt, deps);
    if (deps.clock.now() + pauseMs > until) {
      if (report) return { reports: [report], answeredAt };
      throw noReport(reportId);
    }
    call.progress(`Report ${reportId} is ${report?.status ?? 'not listed yet'}`);
    await deps.clock.sleep(pauseMs, call.signal);
    // Any newer response will do, also one that another process requested.
    notBefore = answeredAt + 1;
  }
}

/** Waits before the first poll of a report that was requested a moment ago, because polls are scarce. */
async function giveItTime(reportId: string, until: number, call: ToolCall, deps: ReportDeps): Promise<void> {
  const requestedAt = await deps.history.reportRequestedAt(reportId).catch(orElse('a request', undefined));
  if (requestedAt === undefined) return;
  const now = deps.clock.now();
  const waitMs = Math.min(requestedAt + makingMs, until) - now;
  if (waitMs <= 0 || requestedAt > now) return;
  call.progress(`Report ${reportId} is being generated`);
  await deps.clock.sleep(waitMs, call.signal);
}

const noReport = (reportId: string) =>
  new BrokerageError(
    'not_found',
    `The service does not list report ${reportId}.`,
    'List the reports with list_exports.',
  );

export const downloadExport = defineTool({
  name: 'download_export',
  title: 'Download a CSV report',
  toolset: 'exports',
  effect: 'saves',
  endpoints: [endpoints.listReports, endpoints.listInstruments],
  description: 'Downloads (saves) a finished export (CSV file) into the history.',
  searchHint:
    'download CSV, save statement, get the file the broker made, download my trades as CSV, fetch the file, give me the CSV, open the export, save it to disk, save that CSV to my computer, save the file, give me the file, get the finished report, open the CSV and show me the first rows, preview the rows, pull the CSV, where is my file, read the statement, fetch the report when it is ready',
  input: z.strictObject({
    reportId: id('Finished report'),
    previewRows: integer({ min: 0, max: 100 }, '0 to 100 rows, default 5').optional(),
  }),
  output: () => ({
    ...listOutput(),
    columns: texts(),
    rows: z.array(z.array(z.string())).optional(),
    reportId: text(),
    path: text(),
    uri: text(),
    totalRows: count(),
    markedCells: count(),
    rowsWithShortTicker: count(),
    keptForHistory: group({ orders: count(), dividends: count(), transactions: count(), reason: text() }),
    unreadRows: group({
      count: count(),
      rows: groups({ line: count(), action: text(), code: text(), reason: text() }),
    }),
  }),
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
