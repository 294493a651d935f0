/** Requests one report of an import, and takes the finished ones from the service's list into the mirror. */
import type { Broker, CallContext } from '../../broker/types.ts';
import { endpoints, type Report, reportFile, type TradableInstrument } from '../../catalogue/index.ts';
import { BrokerageError } from '../../errors.ts';
import type { Interval } from '../coverage.ts';
import type { ImportResult } from '../import-report.ts';
import { type ReportRows, readReport } from '../reports/read-report.ts';
import { tickerResolver } from '../reports/resolve-ticker.ts';
import type { FailedRange, ImportRecord, ImportRecords, PendingReport } from './import-record.ts';

/** A report that is not ready after this long (ms) counts as failed. */
const maxMakingMs = 15 * 60_000;
/** A file that cannot be imported is downloaded this often. */
const maxTries = 3;

/** The result of requesting a report. `unknown`: it may have been requested. */
export type RequestOutcome =
  | { readonly kind: 'requested'; readonly reportId: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'forbidden' };

export interface CollectDeps {
  readonly broker: Broker;
  readonly records: ImportRecords;
  readonly now: () => number;
  /** Requests a report of everything. Throws when it was provably not requested. */
  readonly requestReport: (range: Interval, context: CallContext) => Promise<RequestOutcome>;
  readonly reportRequested: (reportId: string, at: number) => Promise<void>;
  readonly importReport: (report: Report, rows: ReportRows) => Promise<ImportResult>;
  /** Whether a report of the range has something that is not read yet. */
  readonly lacksReport: (range: Interval) => Promise<boolean>;
  readonly context: () => CallContext;
}

/** Requests the report of a range. It is recorded before, so that a process that continues finds it in the list. */
export async function requestRange(deps: CollectDeps, range: Interval): Promise<void> {
  const { records, now, requestReport, reportRequested, context } = deps;
  const entry: PendingReport = { ...range, requestedAt: now(), tries: 0 };
  await change(records, (record) => ({ ...record, pending: [...record.pending, entry] }));
  const isOther = (one: Interval) => !isSame(one, range);
  let outcome: RequestOutcome;
  try {
    outcome = await requestReport(range, context());
  } catch (error) {
    await change(records, (record) => ({ ...record, pending: record.pending.filter(isOther) }));
    throw error;
  }
  if (outcome.kind === 'requested') await reportRequested(outcome.reportId, entry.requestedAt);
  await change(records, (record) => {
    const others = record.pending.filter(isOther);
    if (outcome.kind === 'forbidden') return { ...record, pending: others, isRefused: true, phase: 'pages' };
    // The same request would be rejected again.
    if (outcome.kind === 'rejected') return { ...record, pending: others, failed: addFailure(record, range, 2) };
    const reportId = outcome.kind === 'requested' ? outcome.reportId : undefined;
    return { ...record, pending: [...others, { ...entry, reportId }] };
  });
}

/** Reads the list of reports, and imports those that are finished and needed, also those of other clients. */
export async function collectFinished(deps: CollectDeps, record: ImportRecord): Promise<void> {
  const { broker, records, now, context, lacksReport } = deps;
  const { listedAt, pending, useless } = record;
  const notBefore = listedAt === undefined ? undefined : Math.min(listedAt + 1, now());
  const { data, askedAt } = await broker.call(
    endpoints.listReports,
    {},
    { ...context(), notBefore, needsComplete: true },
  );
  const seen = new Set<PendingReport>();
  let instruments: readonly TradableInstrument[] | undefined;
  for (const report of data) {
    const range = getRange(report);
    const { reportId } = report;
    if (!range || reportId === undefined || !hasEverything(report) || useless.includes(reportId)) continue;
    const entry =
      pending.find((one) => one.reportId === reportId) ??
      pending.find((one) => one.reportId === undefined && isSame(one, range));
    if (entry) seen.add(entry);
    if (!entry && !(await lacksReport(range))) continue;
    if (entry?.reportId === undefined && entry) await deps.reportRequested(reportId, entry.requestedAt);
    if (report.status === 'Finished' && report.downloadLink) {
      instruments ??= await readInstruments(broker, context());
      await takeFile(deps, report, range, entry, instruments);
    } else if (report.status === 'Failed' || report.status === 'Canceled') {
      if (entry) await settle(records, range, (one) => giveUp(one, { ...entry, reportId }));
    } else if (!entry?.reportId && !pending.some((one) => one !== entry && isSame(one, range)))
      await settle(records, range, (one) => ({
        pending: [...one.pending, { ...range, reportId, requestedAt: entry?.requestedAt ?? now(), tries: 0 }],
      }));
  }
  await change(records, (one) => ({
    ...dropLost(one, { seen, askedAt, listed: pending }),
    listedAt: askedAt,
  }));
}

/** Downloads and imports one file. A failure is recorded, and the file is downloaded again with a later list. */
async function takeFile(
  deps: CollectDeps,
  report: Report,
  range: Interval,
  entry: PendingReport | undefined,
  instruments: readonly TradableInstrument[],
): Promise<void> {
  const { broker, records, importReport, context } = deps;
  let added: ImportResult;
  try {
    const { data: csv } = await broker.call(reportFile, { link: report.downloadLink }, context());
    added = await importReport(report, readReport(csv, { resolveTicker: tickerResolver(instruments) }));
  } catch (error) {
    if (!(error instanceof BrokerageError) || error.code === 'cancelled') throw error;
    added = { rows: {}, reason: error.message };
  }
  const id = report.reportId ?? '';
  await settle(records, range, (one) => {
    if (added.reason === undefined) {
      // The report of another client can end before its range, because the time of its request is unknown.
      const useless = entry ? one.useless : [...one.useless, id];
      return { useless, unread: sumUp(one.unread, added.unread) };
    }
    if (!entry) return { useless: [...one.useless, id] };
    const tries = entry.tries + 1;
    if (tries >= maxTries) return { failed: addFailure(one, range, 2), useless: [...one.useless, id] };
    return { pending: [...one.pending, { ...entry, reportId: id, tries }] };
  });
}

/** Removes the pending entry of a range, and makes the change. */
const settle = (records: ImportRecords, range: Interval, more: (record: ImportRecord) => Partial<ImportRecord>) =>
  change(records, (record) => {
    const rest = { ...record, pending: record.pending.filter((one) => !isSame(one, range)) };
    return { ...rest, ...more(rest) };
  });

/** Removes reports that the service does not list, and counts those as failed that take too long. */
function dropLost(
  record: ImportRecord,
  {
    seen,
    askedAt,
    listed,
  }: {
    readonly seen: ReadonlySet<PendingReport>;
    readonly askedAt: number;
    readonly listed: readonly PendingReport[];
  },
): ImportRecord {
  let rest = record;
  const pending = record.pending.filter((one) => {
    const known = listed.find((entry) => isSame(entry, one));
    // Without an id the request was perhaps never sent; a list that was requested later would have it.
    if (known && !seen.has(known) && one.reportId === undefined && askedAt > one.requestedAt) return false;
    if (askedAt < one.requestedAt + maxMakingMs) return true;
    rest = { ...rest, ...giveUp(rest, one) };
    return false;
  });
  // A request of the future would never take too long: the clock was set back since.
  const corrected = pending.map((one) => ({ ...one, requestedAt: Math.min(one.requestedAt, askedAt) }));
  return { ...rest, pending: corrected };
}

/** Counts a failure of the range, and ignores its report. */
const giveUp = (record: ImportRecord, { reportId, ...range }: PendingReport): Partial<ImportRecord> => ({
  failed: addFailure(record, range),
  useless: reportId === undefined ? record.useless : [...record.useless, reportId],
});

/** The ranges that no report gives, because it failed twice. */
export const listAbandoned = ({ failed }: Pick<ImportRecord, 'failed'>): FailedRange[] =>
  failed.filter(({ times }) => times >= 2);

function addFailure({ failed }: Pick<ImportRecord, 'failed'>, { from, to }: Interval, times = 1): FailedRange[] {
  const before = failed.find((one) => isSame(one, { from, to }))?.times ?? 0;
  return [...failed.filter((one) => !isSame(one, { from, to })), { from, to, times: before + times }];
}

/** Reports name instruments by their short ticker, which stays when the list of instruments is unavailable. */
const readInstruments = (broker: Broker, context: CallContext): Promise<readonly TradableInstrument[]> =>
  broker.call(endpoints.listInstruments, {}, context).then(
    ({ data }) => data,
    () => [],
  );

export const change = (records: ImportRecords, work: (record: ImportRecord) => ImportRecord): Promise<ImportRecord> =>
  records.change((record) => work(record as ImportRecord));

const isSame = (one: Interval, other: Interval): boolean => one.from === other.from && one.to === other.to;

function getRange({ timeFrom, timeTo }: Report): Interval | undefined {
  const [from, to] = [Date.parse(timeFrom ?? ''), Date.parse(timeTo ?? '')];
  return from < to ? { from, to } : undefined;
}

const hasEverything = ({ dataIncluded: has }: Report): boolean =>
  has?.includeDividends === true &&
  has.includeInterest === true &&
  has.includeOrders === true &&
  has.includeTransactions === true;

function sumUp(one: ImportRecord['unread'], other: ImportRecord['unread'] = {}): ImportRecord['unread'] {
  const sums = { ...one };
  for (const [code, count] of Object.entries(other) as [keyof typeof sums, number][])
    sums[code] = (sums[code] ?? 0) + count;
  return sums;
}
