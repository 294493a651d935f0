/** Requests one report of an import, and takes the finished ones from the service's list into the mirror. */

import type { Broker, CallContext } from '../../../core/broker/types.ts';
import { endpoints, type Report, reportFile, type TradableInstrument } from '../../../core/endpoints/index.ts';
import { BrokerageError } from '../../../core/errors.ts';
import type { Interval } from '../../history/coverage.ts';
import type { ImportResult } from '../../history/reports/import-report.ts';
import { openReport, type ReportFile } from '../../history/reports/read-report.ts';
import { tickerResolver } from '../../history/reports/resolve-ticker.ts';
import {
  type AbandonedFile,
  addFailure,
  change,
  giveUp,
  type ImportRecord,
  type ImportRecords,
  isSame,
  type PendingReport,
  settle,
} from './import-record.ts';

/** A report that is not ready after this long (ms) counts as failed. */
const maxMakingMs = 15 * 60_000;

/** The result of requesting a report. `unknown`: it may have been requested. */
export type RequestOutcome =
  | { readonly kind: 'requested'; readonly reportId: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'forbidden' };

export interface CollectDeps {
  readonly broker: Broker;
  readonly records: ImportRecords;
  readonly importReport: (report: Report, file: ReportFile) => Promise<ImportResult>;
  readonly context: () => CallContext;
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

// Downloads the file of one report and imports it. A file that cannot be read is given up after some tries.

/** A file that cannot be imported is downloaded this often. */
const maxTries = 3;
/** Files that were given up are shown up to this number. */
const maxAbandoned = 10;

/** Downloads and imports one file. A failure is recorded, and the file is downloaded again with a later list. */
async function takeFile(
  deps: CollectDeps,
  report: Report,
  range: Interval,
  entry: PendingReport | undefined,
  instruments: readonly TradableInstrument[],
): Promise<void> {
  const { records } = deps;
  const reportId = report.reportId ?? '';
  const file: ListedFile = { reportId, range, entry };
  const tries = await countTry(records, reportId);
  if (tries > maxTries) {
    const reason = `Each of ${maxTries} tries to read report ${reportId} ended before the file was read.`;
    await settle(records, range, (one) => abandon(one, file, { code: 'crashed', reason }));
    return;
  }
  try {
    const added = await importFile(deps, report, instruments);
    if (added.reason !== undefined)
      throw new BrokerageError('unexpected_answer', `Report ${reportId}: ${added.reason}.`, 'Request it again.');
    // The report of another client can end before its range, because the time of its request is unknown.
    await settle(records, range, (one) => ({
      useless: entry ? one.useless : [...one.useless, reportId],
      unread: sumUp(one.unread, added.unread),
      tries: withoutKey(one.tries, reportId),
    }));
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    if (error.code === 'cancelled' || error.code === 'store_unavailable') {
      // The file is not the cause.
      await change(records, (one) => ({ ...one, tries: withoutKey(one.tries, reportId) }));
      throw error;
    }
    const { code, message: reason, facts } = error;
    const isLast = !entry || tries >= maxTries || facts.reportFault !== undefined;
    await settle(records, range, (one) =>
      isLast
        ? abandon(one, file, {
            code,
            reason,
            ...(facts.reportFault !== undefined && { reportFault: facts.reportFault }),
          })
        : { pending: [...one.pending, { ...entry, reportId }] },
    );
  }
}

async function importFile(
  { broker, importReport, context }: CollectDeps,
  report: Report,
  instruments: readonly TradableInstrument[],
): Promise<ImportResult> {
  const { signal } = context();
  const { data: csv } = await broker.call(reportFile, { link: report.downloadLink }, context());
  return importReport(report, await openReport(csv, { resolveTicker: tickerResolver(instruments), signal }));
}

/** Counts a try before it begins, and returns its number. */
async function countTry(records: ImportRecords, reportId: string): Promise<number> {
  const { tries } = await change(records, (one) => ({
    ...one,
    tries: { ...one.tries, [reportId]: (one.tries[reportId] ?? 0) + 1 },
  }));
  return tries[reportId] ?? 1;
}

interface ListedFile {
  readonly reportId: string;
  readonly range: Interval;
  readonly entry: PendingReport | undefined;
}

/** The changes that give up a file: pages are read instead of a report of this import. */
const abandon = (
  one: ImportRecord,
  { reportId, range, entry }: ListedFile,
  why: Pick<AbandonedFile, 'code' | 'reason' | 'reportFault'>,
): Partial<ImportRecord> => ({
  ...(entry ? { failed: addFailure(one, range, 2) } : {}),
  useless: [...one.useless, reportId],
  tries: withoutKey(one.tries, reportId),
  abandonedFiles: [{ reportId, ...range, ...why }, ...one.abandonedFiles].slice(0, maxAbandoned),
});

const withoutKey = <Value>(map: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

function sumUp(one: ImportRecord['unread'], other: ImportRecord['unread'] = {}): ImportRecord['unread'] {
  const sums = { ...one };
  for (const [code, count] of Object.entries(other) as [keyof typeof sums, number][])
    sums[code] = (sums[code] ?? 0) + count;
  return sums;
}
