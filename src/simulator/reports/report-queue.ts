import { dayMs } from '../../core/clock.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import type { ReportRecord } from '../account/records.ts';
import type { Account } from '../account/simulated-account.ts';
import { ApiError, invalid } from '../api-error.ts';
import type { Request, State } from '../handlers/handler-state.ts';
import { readBody } from '../http/read-body.ts';
import { hashText, toUuid } from '../random.ts';
import type { Quirks } from '../testing/quirks.ts';

/** Path of the files: outside the interface, as if on another host. */
export const filePrefix = '/report-files/';

/** Milliseconds after the request at which each status starts. */
const stages = [
  [0, 'Queued'],
  [2_000, 'Processing'],
  [6_000, 'Running'],
  [15_000, 'Finished'],
] as const;

function computeStatus({ requestedAt }: ReportRecord, now: number, outcome: Quirks['reportOutcome']): string {
  const status = stages.findLast(([after]) => now - requestedAt >= after)?.[1] ?? 'Queued';
  if (status !== 'Finished') return status;
  return { finished: 'Finished', never: 'Running', failed: 'Failed', canceled: 'Canceled' }[outcome];
}

function refuseExports(quirks: Quirks): void {
  if (quirks.exportsForbidden)
    throw new ApiError(403, 'not-available-in-demo-account', 'reports are not available in this account');
}

export function requestReport(request: Request): { reportId: bigint } {
  refuseExports(request.quirks);
  const { account, now } = request;
  const { timeFrom, timeTo, dataIncluded } = readBody(endpoints.requestReport, request.bodyText);
  const from = Date.parse(timeFrom);
  const to = Date.parse(timeTo);
  if (Number.isNaN(from) || Number.isNaN(to)) throw invalid('timeFrom and timeTo must be date-times');
  if (from >= to) throw invalid('timeFrom must be before timeTo');
  const yearLater = new Date(from);
  yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
  // Clients of such services ask for a year and a day, with success.
  if (to > yearLater.getTime() + dayMs) throw invalid('the range is longer than one year');
  const id = account.nextReportId;
  account.nextReportId += 3;
  const signature = toUuid(`report ${account.id} ${id} ${now}`).replaceAll('-', '');
  account.reports.push({ id, requestedAt: now, timeFrom: from, timeTo: to, included: dataIncluded, signature });
  account.revision++;
  return { reportId: BigInt(id) };
}

export function reportBodies(state: State) {
  refuseExports(state.quirks);
  const { account, quirks, now, origin } = state;
  const bodies = account.reports.map((report) => {
    const status = computeStatus(report, now, quirks.reportOutcome);
    return {
      reportId: BigInt(report.id),
      status,
      timeFrom: new Date(report.timeFrom),
      timeTo: new Date(report.timeTo),
      dataIncluded: report.included,
      downloadLink:
        status === 'Finished'
          ? (quirks.downloadLink ?? `${origin}${filePrefix}${report.id}.csv?signature=${report.signature}`)
          : null,
    };
  });
  if (!quirks.reportsShuffled) return bodies;
  return bodies
    .map((body) => ({ body, key: hashText(`${body.reportId} ${now}`) }))
    .sort((a, b) => a.key - b.key)
    .map(({ body }) => body);
}

/** Returns the finished report for the path and signature of its link. */
export function reportBehind(account: Account, quirks: Quirks, url: URL, now: number): ReportRecord | undefined {
  const report = account.reports.find(({ id }) => url.pathname === `${filePrefix}${id}.csv`);
  if (!report || url.searchParams.get('signature') !== report.signature) return undefined;
  return computeStatus(report, now, quirks.reportOutcome) === 'Finished' ? report : undefined;
}
