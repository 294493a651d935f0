/** Changes of the record of an import. */
import type { Interval } from '../../history/coverage.ts';
import type { FailedRange, ImportRecord, ImportRecords, PendingReport } from './import-record.ts';

export const change = (records: ImportRecords, work: (record: ImportRecord) => ImportRecord): Promise<ImportRecord> =>
  records.change((record) => work(record as ImportRecord));

/** Removes the pending entry of a range, and makes the change. */
export const settle = (
  records: ImportRecords,
  range: Interval,
  more: (record: ImportRecord) => Partial<ImportRecord>,
) =>
  change(records, (record) => {
    const rest = { ...record, pending: record.pending.filter((one) => !isSame(one, range)) };
    return { ...rest, ...more(rest) };
  });

/** Counts a failure of the range, and ignores its report. */
export const giveUp = (record: ImportRecord, { reportId, ...range }: PendingReport): Partial<ImportRecord> => ({
  failed: addFailure(record, range),
  useless: reportId === undefined ? record.useless : [...record.useless, reportId],
});

/** The ranges that no report gives, because it failed twice. */
export const listAbandoned = ({ failed }: Pick<ImportRecord, 'failed'>): FailedRange[] =>
  failed.filter(({ times }) => times >= 2);

export function addFailure({ failed }: Pick<ImportRecord, 'failed'>, { from, to }: Interval, times = 1): FailedRange[] {
  const before = failed.find((one) => isSame(one, { from, to }))?.times ?? 0;
  return [...failed.filter((one) => !isSame(one, { from, to })), { from, to, times: before + times }];
}

export const isSame = (one: Interval, other: Interval): boolean => one.from === other.from && one.to === other.to;
