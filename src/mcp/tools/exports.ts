import * as z from 'zod';
import { endpoints, type Report, reportFile } from '../../catalogue/index.ts';
import { BrokerageError } from '../../errors.ts';
import { previewCsv } from '../../history/csv-preview.ts';
import type { LookUp } from '../../orders/writes.ts';
import { cursor, id, moment, shown, waitSeconds } from '../arguments.ts';
import { type Columns, listPart } from '../list.ts';
import { isoMoment } from '../moment.ts';
import { listOutput, outcomeOutput } from '../output.ts';
import { defineTool, type ToolCall } from '../tool.ts';
import { writeOnce } from '../write-once.ts';

const parts = ['dividends', 'interest', 'orders', 'transactions'] as const;
const yearMs = 366 * 86_400_000;

export const requestExport = defineTool({
  name: 'request_export',
  title: 'Request a CSV report',
  toolset: 'exports',
  effect: 'creates',
  endpoints: [endpoints.requestReport],
  description:
    'Asks the service for a CSV report of at most a year. Answers a reportId; then list_exports, then download_export.',
  input: z
    .strictObject({
      timeFrom: moment('ISO date or date-time'),
      timeTo: moment('ISO date or date-time'),
      include: z
        .array(z.enum(parts, `must be among ${parts.join(', ')}`), `must be a list of ${parts.join(', ')}`)
        .min(1, `must name at least one of ${parts.join(', ')}`)
        .meta({ description: 'What the report holds' }),
    })
    .refine((args) => args.timeFrom < args.timeTo, 'timeFrom must be before timeTo')
    .refine((args) => args.timeTo - args.timeFrom <= yearMs, 'a report covers at most one year; ask for several'),
  output: { ...outcomeOutput, reportId: z.string().optional() },
  run: async (args, call) => {
    const includes = (part: (typeof parts)[number]) => args.include.includes(part);
    const body = {
      timeFrom: isoMoment(args.timeFrom),
      timeTo: isoMoment(args.timeTo),
      dataIncluded: {
        includeDividends: includes('dividends'),
        includeInterest: includes('interest'),
        includeOrders: includes('orders'),
        includeTransactions: includes('transactions'),
      },
    };
    const reply = await writeOnce(endpoints.requestReport, { body }, call, {
      changesAccount: false,
      whenUnknown: 'Look with list_exports whether it was requested.',
      lookUp: reportLookUp(body, call),
    });
    const result = reply.fields?.result as { reportId?: string } | undefined;
    return { ...reply, fields: { ...reply.fields, ...(result?.reportId ? { reportId: result.reportId } : {}) } };
  },
});

type ReportRequest = { timeFrom: string; timeTo: string; dataIncluded: Record<string, boolean> };

/** A report of exactly the same range and content is as good as the one that was asked for. */
const reportLookUp = (wanted: ReportRequest, call: ToolCall): LookUp => ({
  ids: async (context) => {
    const { data } = await call.broker.call(endpoints.listReports, {}, context);
    return data.filter((report) => isLike(report, wanted)).flatMap(({ reportId }) => reportId ?? []);
  },
  isIt: async () => true,
  result: (reportId) => ({ reportId }),
});

const isLike = (report: Report, wanted: ReportRequest): boolean =>
  Date.parse(report.timeFrom ?? '') === Date.parse(wanted.timeFrom) &&
  Date.parse(report.timeTo ?? '') === Date.parse(wanted.timeTo) &&
  Object.entries(wanted.dataIncluded).every(
    ([part, isIncluded]) => (report.dataIncluded as Record<string, unknown> | undefined)?.[part] === isIncluded,
  );

const reportColumns: Columns<Report> = {
  reportId: (report) => report.reportId,
  status: (report) => report.status,
  timeFrom: (report) => report.timeFrom,
  timeTo: (report) => report.timeTo,
  downloadReady: (report) => report.downloadLink !== undefined,
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
  description: 'Requested reports and their status. The service allows one look per minute.',
  input: z.strictObject({
    reportId: id('Only this report').optional(),
    waitSeconds: waitSeconds('Wait for reportId to finish'),
    cursor: cursor(),
  }),
  output: listOutput,
  run: async (args, call) => {
    const { reports, answeredAt } = await readReports(args.reportId, args.waitSeconds ?? 0, call);
    return { asOf: answeredAt, fields: { complete: true }, list: listPart(reports, reportColumns, args) };
  },
});

const settled = new Set(['Finished', 'Failed', 'Canceled']);

/** Looks at the list, and again while the report is not at its end and the limit allows a look in time. */
async function readReports(reportId: string | undefined, seconds: number, call: ToolCall) {
  const until = Math.min(call.clock.now() + seconds * 1000, call.deadlineAt - 2_000);
  let notBefore: number | undefined;
  for (;;) {
    const { data, answeredAt } = await call.broker.call(endpoints.listReports, {}, call.context({ notBefore }));
    if (reportId === undefined) return { reports: data, answeredAt };
    const [report] = data.filter((candidate) => candidate.reportId === reportId);
    if (report && settled.has(report.status ?? '')) return { reports: [report], answeredAt };
    const periodMs = (endpoints.listReports.limit?.periodSeconds ?? 60) * 1000;
    if (answeredAt + periodMs > until) {
      if (report) return { reports: [report], answeredAt };
      throw noReport(reportId);
    }
    call.progress(`Report ${reportId} is ${report?.status ?? 'not listed yet'}`);
    await call.clock.sleep(Math.max(0, answeredAt + periodMs - call.clock.now()), call.signal);
    notBefore = call.clock.now();
  }
}

export const downloadExport = defineTool({
  name: 'download_export',
  title: 'Download a CSV report',
  toolset: 'exports',
  effect: 'saves',
  endpoints: [endpoints.listReports],
  description: 'Fetches a finished report, saves it in the state folder and answers its path, columns and first rows.',
  input: z.strictObject({
    reportId: id('A finished report'),
    previewRows: shown(
      z
        .number('must be a whole number')
        .int('must be a whole number')
        .min(0, 'must be 0 to 100')
        .max(100, 'must be 0 to 100'),
      { type: 'integer', minimum: 0, maximum: 100, description: 'Default 5' },
    ).optional(),
  }),
  output: { ...listOutput, path: z.string().optional(), totalRows: z.number().optional() },
  run: async ({ reportId, previewRows }, call) => {
    const { reports } = await readReports(reportId, 0, call);
    const [report] = reports;
    if (!report?.downloadLink) throw notReady(reportId, report?.status);
    const { data: csv, answeredAt } = await call.broker.call(reportFile, { link: report.downloadLink }, call.context());
    const path = await call.saveExport(`report-${reportId}.csv`, csv);
    const { columns, rows, totalRows } = previewCsv(csv, previewRows ?? 5);
    return {
      asOf: answeredAt,
      fields: { reportId, path, totalRows, complete: true },
      list: { columns, rows, cursorAfter: () => undefined },
    };
  },
});

const noReport = (reportId: string) =>
  new BrokerageError('not_found', `The service lists no report ${reportId}.`, 'See the reports with list_exports.');

const notReady = (reportId: string, status: string | undefined) =>
  new BrokerageError(
    'not_found',
    `Report ${reportId} has no file: its status is ${status ?? 'unknown'}.`,
    status === 'Failed' || status === 'Canceled' ? 'Request it anew.' : 'Look again with list_exports in a minute.',
  );
