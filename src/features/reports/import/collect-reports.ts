/** Requests one report of an import, and takes the finished ones from the service's list into the mirror. */
import type { Broker, CallContext } from '../../../core/broker/types.ts';
import { endpoints, type Report, type TradableInstrument } from '../../../core/endpoints/index.ts';
import type { Interval } from '../../history/coverage.ts';
import { addFailure, change, giveUp, type ImportRecord, isSame, type PendingReport, settle } from './import-record.ts';
import { type TakeFileDeps, takeFile } from './take-file.ts';

/** A report that is not ready after this long (ms) counts as failed. */
const maxMakingMs = 15 * 60_000;

/** The result of requesting a report. `unknown`: it may have been requested. */
export type RequestOutcome =
  | { readonly kind: 'requested'; readonly reportId: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'forbidden' };

export interface CollectDeps extends TakeFileDeps {
  readonly now: () => number;
  /** Requests a report of everything. Throws when it was provably not requested. */
  readonly requestReport: (range: Interval, context: CallContext) => Promise<RequestOutcome>;
  readonly reportRequested: (reportId: string, at: number) => Promise<void>;
  /** Whether a report of the range has something that is not read yet. */
  readonly lacksReport: (range: Interval) => Promise<boolean>;
}

/** Requests the report of a range. It is recorded before, so that a process that continues finds it in the list. */
export async function requestRange(deps: CollectDeps, range: Interval): Promise<void> {
  const { records, now, requestReport, reportRequested, context } = deps;
  const entry: PendingReport = { ...range, requestedAt: now() };
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
        pending: [...one.pending, { ...range, reportId, requestedAt: entry?.requestedAt ?? now() }],
      }));
  }
  await change(records, (one) => ({
    ...dropLost(one, { seen, askedAt, listed: pending }),
    listedAt: askedAt,
  }));
}

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

/** Reports name instruments by their short ticker, which stays when the list of instruments is unavailable. */
const readInstruments = (broker: Broker, context: CallContext): Promise<readonly TradableInstrument[]> =>
  broker.call(endpoints.listInstruments, {}, context).then(
    ({ data }) => data,
    () => [],
  );

function getRange({ timeFrom, timeTo }: Report): Interval | undefined {
  const [from, to] = [Date.parse(timeFrom ?? ''), Date.parse(timeTo ?? '')];
  return from < to ? { from, to } : undefined;
}

const hasEverything = ({ dataIncluded: has }: Report): boolean =>
  has?.includeDividends === true &&
  has.includeInterest === true &&
  has.includeOrders === true &&
  has.includeTransactions === true;
