/** Downloads the file of one report and imports it. A file that cannot be read is given up after some tries. */
import type { Broker, CallContext } from '../../../core/broker/types.ts';
import { type Report, reportFile, type TradableInstrument } from '../../../core/endpoints/index.ts';
import { BrokerageError } from '../../../core/errors.ts';
import type { Interval } from '../../history/coverage.ts';
import type { ImportResult } from '../../history/reports/import-report.ts';
import { openReport, type ReportFile } from '../../history/reports/read-report.ts';
import { tickerResolver } from '../../history/reports/resolve-ticker.ts';
import {
  type AbandonedFile,
  addFailure,
  change,
  type ImportRecord,
  type ImportRecords,
  type PendingReport,
  settle,
} from './import-record.ts';

/** A file that cannot be imported is downloaded this often. */
const maxTries = 3;
/** Files that were given up are shown up to this number. */
const maxAbandoned = 10;

export interface TakeFileDeps {
  readonly broker: Broker;
  readonly records: ImportRecords;
  readonly importReport: (report: Report, file: ReportFile) => Promise<ImportResult>;
  readonly context: () => CallContext;
}

/** Downloads and imports one file. A failure is recorded, and the file is downloaded again with a later list. */
export async function takeFile(
  deps: TakeFileDeps,
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
  { broker, importReport, context }: TakeFileDeps,
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
