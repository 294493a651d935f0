import * as z from 'zod';
import { defineEndpoint, externalLinkPath } from './endpoint.ts';
import { dateTime, flag, int64, nested, nonEmptyText, openEnum, record, row } from './fields.ts';
import { unpaginatedList } from './shapes.ts';

const reportDataIncluded = record({
  includeDividends: flag(),
  includeInterest: flag(),
  includeOrders: flag(),
  includeTransactions: flag(),
});

export const reportStatuses = ['Queued', 'Processing', 'Running', 'Canceled', 'Failed', 'Finished'] as const;

const report = row({
  reportId: int64(),
  status: openEnum(reportStatuses),
  timeFrom: dateTime(),
  timeTo: dateTime(),
  dataIncluded: nested(reportDataIncluded),
  /** The URL of the CSV file, present at the latest some time after status is Finished. Often on another host. */
  downloadLink: nonEmptyText(),
  /** Not a field of the service: a shared copy of the list, which has no links, keeps that there is one. */
  hasLink: flag(),
});

/**
 * The same value without URLs. The link of a report gives access to it without a key, so links are neither stored
 * nor shown. Fields of any name are checked, because the specification shows no body.
 */
export function withoutLinks(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('://') ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutLinks);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutLinks(inner)]));
  return value;
}

type Report = z.output<typeof report>;

/** Whether the file can be downloaded. A report is listed as finished a moment before its link is there. */
export const isReady = ({ downloadLink, hasLink }: Report): boolean => downloadLink !== undefined || hasLink === true;

export const listReports = defineEndpoint({
  id: 'listReports',
  method: 'GET',
  path: '/equity/history/exports',
  effect: 'read',
  limit: { requests: 1, periodSeconds: 60 },
  response: unpaginatedList(report),
  toKeep: (data) => withoutLinks((data as Report[]).map((one) => ({ ...one, hasLink: isReady(one) }))),
});

export const requestReport = defineEndpoint({
  id: 'requestReport',
  method: 'POST',
  path: '/equity/history/exports',
  effect: 'write',
  limit: { requests: 1, periodSeconds: 30 },
  body: z.strictObject({
    timeFrom: z.string(),
    timeTo: z.string(),
    // Observed: no field is required, and what is missing is not included.
    dataIncluded: z
      .strictObject({
        includeDividends: z.boolean().default(false),
        includeInterest: z.boolean().default(false),
        includeOrders: z.boolean().default(false),
        includeTransactions: z.boolean().default(false),
      })
      .prefault({}),
  }),
  response: record({ reportId: int64() }).transform((answer) => withoutLinks(answer) as typeof answer),
});

/**
 * The CSV file behind a finished report's `downloadLink`. It is no endpoint of the service: the link is pre-signed
 * and on another host, so it is requested without credentials. Its rate limit is unknown, so it has one of our own.
 */
export const reportFile = defineEndpoint({
  id: 'reportFile',
  method: 'GET',
  path: externalLinkPath,
  effect: 'read',
  limit: { requests: 60, periodSeconds: 60 },
  response: z.string(),
});

/**
 * Fields that only rows of a CSV report have. The interface's JSON histories do not contain them; a row that was
 * imported from a report has them beside the fields of its JSON row.
 */

/** A row of an imported report. */
export interface ReportedRow {
  /** Set on rows of a report; absent on rows of a JSON page. Services can write signs differently in the two. */
  readonly fromReport?: true | undefined;
}

/**
 * The tax that was withheld from a dividend, from the columns `Withholding tax` and its currency. A row of a page has it
 * when a report has the same payment.
 */
export interface ReportedWithholding {
  /** Decimal text, positive. `0` when nothing was withheld; undefined when the report does not say. */
  readonly withholdingTax?: string | undefined;
  /** ISO 4217, or GBX for pence: usually the instrument's currency. Undefined when the report does not say. */
  readonly withholdingTaxCurrency?: string | undefined;
  /** Set on a row of a page that fits several rows of reports, whose taxes differ: its tax is unknown. */
  readonly withholdingTaxIsAmbiguous?: true | undefined;
}
