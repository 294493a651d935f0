import * as z from 'zod';
import { endpoints, type Report } from '../../../core/endpoints/index.ts';
import { isReady } from '../../../core/endpoints/reports.ts';
import { BrokerageError } from '../../../core/errors.ts';
import { orElse } from '../../../core/log.ts';
import { cursor, id, waitSeconds } from '../../../core/mcp/arguments.ts';
import { listOutput } from '../../../core/mcp/output-schemas.ts';
import { type Columns, paginate } from '../../../core/mcp/pagination.ts';
import { defineTool, type ToolCall } from '../../../core/mcp/tool.ts';
import type { ReportDeps } from '../report-deps.ts';

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
  description: 'Requested reports and their status; poll after retryAfterSeconds.',
  searchHint: 'CSV reports, report status',
  input: z.strictObject({
    reportId: id('Only this report').optional(),
    waitSeconds: waitSeconds('Wait for reportId to finish'),
    cursor: cursor(),
  }),
  output: listOutput,
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
export async function computeNextPoll(answeredAt: number, deps: ReportDeps) {
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
export async function readReports(
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
