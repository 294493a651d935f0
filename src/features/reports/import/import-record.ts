/** What is stored about an import, so that any process can continue it. */

import type { KeyValueStore } from '../../../core/broker/types.ts';
import type { ErrorCode } from '../../../core/errors.ts';
import type { Interval } from '../../history/coverage.ts';
import type { UnreadCode } from '../../history/reports/read-report.ts';

/** A report that was requested and whose rows are not imported yet. Its range is in ms since 1970. */
export interface PendingReport extends Interval {
  /** Undefined while the response of the service is unknown. */
  readonly reportId?: string | undefined;
  /** When it was requested, or first seen if another client requested it (ms). */
  readonly requestedAt: number;
}

/** A report whose file is not read again, and why. */
export interface AbandonedFile extends Interval {
  readonly reportId: string;
  /** `crashed` when each process that tried it ended before it was read. */
  readonly code: ErrorCode | 'crashed';
  /** Which bound the file exceeds. */
  readonly reportFault?: unknown;
  /** A sentence. */
  readonly reason: string;
}

/** A range whose report failed: once it is requested again, after that its pages are read. */
interface FailedRange extends Interval {
  readonly times: number;
}

export interface ImportRecord {
  readonly startedAt: number;
  /** Reports are requested up to this moment (ms, on a full second); pages have what is newer. */
  readonly until: number;
  /** How many years to import; undefined means back to the first row. */
  readonly years?: number | undefined;
  /** `reports`, then `pages` for what no report has, then `done`. */
  readonly phase: 'reports' | 'pages' | 'done';
  readonly pending: readonly PendingReport[];
  readonly failed: readonly FailedRange[];
  /** Ids of reports that other clients requested and that give nothing. */
  readonly useless: readonly string[];
  /** How often the file of a report was tried, by its id. Counted before the try, so that a crash counts. */
  readonly tries: Readonly<Record<string, number>>;
  /** The newest files that were given up. */
  readonly abandonedFiles: readonly AbandonedFile[];
  /** When the list of reports was last read (ms); undefined before the first time. */
  readonly listedAt?: number | undefined;
  /** When the oldest open position began (ms); undefined while unknown. */
  readonly oldestPositionAt?: number | undefined;
  /** The service refuses reports for this account, so pages are read instead. */
  readonly isRefused?: true | undefined;
  /** Rows that could not be read, by code. */
  readonly unread: Partial<Record<UnreadCode, number>>;
  /** The last error; absent after a success. */
  readonly trouble?: { readonly code: ErrorCode; readonly message: string } | undefined;
}

const namespace = 'history-import';

/** The record of one account. */
export interface ImportRecords {
  read(): Promise<ImportRecord | undefined>;
  /** Changes the record; `change` gets undefined when there is none. */
  change(change: (record: ImportRecord | undefined) => ImportRecord): Promise<ImportRecord>;
}

export const createImportRecords = (records: KeyValueStore, account: string): ImportRecords => ({
  read: () => records.read<ImportRecord>(namespace, account),
  change: (change) =>
    records.update<ImportRecord, ImportRecord>(namespace, account, (before) => {
      const state = change(before);
      return { state, result: state };
    }),
});

// Changes of the record of an import.

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
