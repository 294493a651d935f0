/** Requests reports by year: a longer range becomes several requests in sequence under the rate limit. */

import * as z from 'zod';
import { endpoints } from '../../../core/endpoints/index.ts';
import { hasCode } from '../../../core/errors.ts';
import { orElse } from '../../../core/log.ts';
import { timestamp } from '../../../core/mcp/arguments.ts';
import { sendJournaledWrite } from '../../../core/mcp/journaled-write.ts';
import { group, groups, text, upstream, writeOutput, yesNo } from '../../../core/mcp/output-schemas.ts';
import { defineTool, type ToolCall, type ToolReply } from '../../../core/mcp/tool.ts';
import { createReportLookUp, type ReportRequest } from '../../../core/orders/write-journal.ts';
import { toIsoTimestamp } from '../../../core/text/dates.ts';
import type { ReportDeps } from './export-tools.ts';

const contents = ['dividends', 'interest', 'orders', 'transactions'] as const;
const maxYears = 30;

export const requestExport = defineTool({
  name: 'request_export',
  title: 'Request a CSV report',
  toolset: 'exports',
  effect: 'creates',
  endpoints: [endpoints.requestReport],
  description:
    'Requests a full CSV statement (annual report, file, download of all transactions, dividends) from the broker, several for a long range. Gives reportIds; follow with list_exports, then download_export.',
  searchHint:
    'CSV export, statement, report, ask the broker for a full statement, order a CSV of all my trades, transactions dividends from the broker, official statement, account statement, request a report, I need an annual statement, I need a statement for, order a report for the years 2023 to 2025, yearly statement, get a CSV of all transactions, full transaction list from the broker, order a report for 2023 to 2025, generate a CSV, create a statement, data export of my account, for the last three years, all my data from the broker, have the broker make a file',
  input: z
    .strictObject({
      timeFrom: timestamp('ISO 8601'),
      timeTo: timestamp('ISO 8601'),
      include: z
        .array(z.enum(contents, `must be among ${contents.join(', ')}`), `must be a list of ${contents.join(', ')}`)
        .min(1, `must name at least one of ${contents.join(', ')}`)
        .meta({ description: 'Contents of the report' }),
    })
    .refine((args) => args.timeFrom < args.timeTo, 'timeFrom must be before timeTo')
    .refine(
      (args) => splitByYear(args.timeFrom, args.timeTo).length <= maxYears,
      `The range is over ${maxYears} years`,
    ),
  output: () => ({
    ...writeOutput(upstream(endpoints.requestReport.response)),
    reportId: text(),
    reports: groups({ reportId: text(), timeFrom: text(), timeTo: text() }),
    complete: yesNo(),
    remaining: group({ timeFrom: text(), timeTo: text() }),
  }),
  run: async ({ timeFrom, timeTo, include }, call, deps: ReportDeps) => {
    const dataIncluded = {
      includeDividends: include.includes('dividends'),
      includeInterest: include.includes('interest'),
      includeOrders: include.includes('orders'),
      includeTransactions: include.includes('transactions'),
    };
    const reports: { reportId: string; timeFrom: string; timeTo: string }[] = [];
    let last: ToolReply | undefined;
    // The files have times in full seconds, so the parts meet at full seconds.
    for (const year of splitByYear(Math.floor(timeFrom / 1000) * 1000, timeTo)) {
      const range = { timeFrom: toIsoTimestamp(year.from), timeTo: toIsoTimestamp(year.to) };
      const askedAt = deps.clock.now();
      const reply = await request({ ...range, dataIncluded }, call, deps, last !== undefined);
      if (!reply) return partly(last, reports, { timeFrom: range.timeFrom, timeTo: toIsoTimestamp(timeTo) });
      last = reply;
      const { reportId } = (reply.fields?.result ?? {}) as { reportId?: string };
      if (reply.fields?.outcome !== 'done' || reportId === undefined) break;
      // A report that was found by recovery can be older than this request.
      if (reply.asOf !== undefined)
        await deps.history.reportRequested(reportId, askedAt).catch(orElse('a request', undefined));
      reports.push({ reportId, ...range });
    }
    return {
      ...last,
      fields: { ...last?.fields, ...toReportFields(reports), ...(isDone(last) ? afterwards(reports) : {}) },
    };
  },
});

/** For one report, returns the service's reportId; for several, a list with their ranges. */
const toReportFields = (reports: readonly { reportId: string }[]) =>
  reports[0] && { reportId: reports[0].reportId, ...(reports.length > 1 ? { reports } : {}) };

const isDone = (reply: ToolReply | undefined): boolean => reply?.fields?.outcome === 'done';

/** Returns the next step for all reports; the service's own response names only the last one. */
const afterwards = (reports: readonly { reportId: string }[]) => ({
  ...(reports.length > 1 ? { result: undefined } : {}),
  next: `Call list_exports with reportId ${reports.at(-1)?.reportId} and waitSeconds, then download_export${reports.length > 1 ? ' for each' : ''}.`,
});

/** Returns the result when the rate limit left part of the range for a later call. */
const partly = (last: ToolReply | undefined, reports: readonly { reportId: string }[], rest: object): ToolReply => ({
  ...last,
  fields: {
    ...last?.fields,
    ...toReportFields(reports),
    reports,
    complete: false,
    remaining: rest,
    message: 'The rate limit does not allow the rest of the range to be requested in this call.',
    next: 'Call request_export again with the remaining timeFrom and timeTo.',
  },
});

/** Splits the range into parts that the service accepts: a year at most, counted from the start of the range. */
function splitByYear(from: number, to: number): { from: number; to: number }[] {
  const years: { from: number; to: number }[] = [];
  for (let start = from; start < to && years.length <= maxYears; ) {
    const next = new Date(start);
    next.setUTCFullYear(next.getUTCFullYear() + 1);
    // 29 February does not exist in the next year; the last day of February is still within one year.
    if (next.getUTCDate() !== new Date(start).getUTCDate()) next.setUTCDate(0);
    const end = Math.min(to, next.getTime());
    years.push({ from: start, to: end });
    start = end;
  }
  return years;
}

/** Requests one report. Returns undefined when it is not the first and the rate limit has no room within this call. */
async function request(
  body: ReportRequest,
  call: ToolCall,
  deps: ReportDeps,
  isLater: boolean,
): Promise<ToolReply | undefined> {
  try {
    return await sendJournaledWrite(endpoints.requestReport, { body }, call, deps, {
      changesAccount: false,
      whenUnknown: 'Check with list_exports whether it was requested.',
      lookUp: createReportLookUp(body, deps.broker),
    });
  } catch (error) {
    if (isLater && hasCode(error, 'rate_limited')) return undefined;
    throw error;
  }
}
