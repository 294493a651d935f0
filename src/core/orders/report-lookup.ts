/** Finds a report whose request lost its response, in the service's list of reports. */
import type { Broker } from '../broker/types.ts';
import { endpoints, type Report } from '../endpoints/index.ts';
import type { RecoveryLookup } from './recovery-lookup.ts';

/** The body of a request for a report; times are ISO 8601. */
export interface ReportRequest {
  readonly timeFrom: string;
  readonly timeTo: string;
  readonly dataIncluded: Readonly<Record<string, boolean>>;
}

/** A report with exactly the same range and content counts as the requested one, because it contains the same. */
export const createReportLookUp = (wanted: ReportRequest, broker: Broker): RecoveryLookup => ({
  ids: async (context) => {
    const { data } = await broker.call(endpoints.listReports, {}, context);
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
