/** Determines the two account values between which a return is measured. */

import type Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import type { AccountSummary } from '../../core/endpoints/index.ts';
import { toZoneDate, toZoneTime } from '../../core/text/dates.ts';
import { toBig } from './sums.ts';

export interface ReturnRange {
  /** Inclusive and exclusive bounds (ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly now: number;
  /** The zone (IANA) of the days that a message names; UTC by default. */
  readonly zone?: string | undefined;
}

/** The account's value at a moment. */
export interface ReturnPeriod {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly value: Big;
}

/** Why a return is unknown. */
export const unknownReturnCodes = [
  'value_at_start_unknown',
  'value_at_end_unknown',
  'history_incomplete',
  'no_deposit_listed',
  'deposits_in_other_currency',
  'transfer_value_unknown',
  'net_deposits_not_positive',
  'row_value_unknown',
  'quantity_differs',
] as const;
export type UnknownReturnCode = (typeof unknownReturnCodes)[number];

export interface UnknownReturn {
  readonly code: UnknownReturnCode;
  /** One sentence; undefined where the sentence before it names this too. */
  readonly message?: string;
}

interface ValuationRange {
  /** Undefined when the period starts before the first deposit, at a value of zero. */
  readonly start: ReturnPeriod | undefined;
  readonly end: ReturnPeriod | undefined;
  /** Why the return cannot be measured; empty when it can. */
  readonly reasons: readonly UnknownReturn[];
}

/** A value up to this many days old is used for a moment: a weekend and a day. */
export const maxSnapshotAgeDays = 3;

export interface ValuationQuestion extends ReturnRange {
  readonly summary: AccountSummary;
  readonly snapshots: readonly DailySnapshot[];
  /** The value when the range begins, from the user. It counts before a stored one. */
  readonly valueAtStart?: Big | undefined;
}

/**
 * Finds the values at the start and the end of the range. `external` are deposits, withdrawals and transfers of
 * shares, oldest first.
 */
export function resolveReturnPeriod(
  question: ValuationQuestion,
  external: readonly { readonly at: number }[],
): ValuationRange {
  const { since, until, now, summary } = question;
  const record = listValues(question);
  const totalValue = toBig(summary.totalValue);
  const isToNow = until === undefined || until > now;
  const end = isToNow ? totalValue && { at: now, value: totalValue } : valueAt(record.own, until);
  const first = external[0]?.at;
  const isFromStart = since === undefined || (first !== undefined && since <= first);
  // Before the first deposit the account was empty, so no stored value is needed.
  const given = question.valueAtStart;
  const start = isFromStart ? undefined : given ? { at: since, value: given } : valueAt(record.own, since);
  const reasons = [
    ...describeMissing(
      { start: isFromStart || start ? undefined : since, end: isToNow || end ? undefined : until },
      record,
    ),
    ...(isToNow && !end ? [noTotalValue] : []),
  ];
  // A practice account can start with money that no row shows, and all of it would count as a gain.
  const hasNoDeposit = reasons.length === 0 && isFromStart && first === undefined;
  return { start, end, reasons: hasNoDeposit ? [noDeposit] : reasons };
}

const noTotalValue: UnknownReturn = {
  code: 'value_at_end_unknown',
  message: 'The summary does not report the total value.',
};

const noDeposit: UnknownReturn = {
  code: 'no_deposit_listed',
  message: 'The history lists no deposit, so the amount deposited is unknown.',
};

/** The newest value at or before the moment (ms), if it is recent enough; otherwise undefined. */
export function valueAt(snapshots: readonly DailySnapshot[], moment: number): ReturnPeriod | undefined {
  const found = snapshots.findLast(({ at }) => at <= moment && moment - at <= maxSnapshotAgeDays * dayMs);
  const value = toBig(found?.totalValue);
  return found && value && { at: found.at, value };
}

/** The daily values that this server has stored in the currency of the account, oldest first. */
export interface ValueRecord {
  readonly own: readonly DailySnapshot[];
  /** Undefined when no value is in another currency. */
  readonly onlyIn: string | undefined;
  /** The zone (IANA) of days and times in messages. */
  readonly zone: string;
}

export function listValues({
  summary: { currency },
  snapshots,
  zone = 'UTC',
}: Pick<ValuationQuestion, 'summary' | 'snapshots' | 'zone'>): ValueRecord {
  const own = snapshots.filter((snapshot) => snapshot.currency === (currency ?? snapshot.currency));
  const onlyIn = own.length < snapshots.length ? currency : undefined;
  return { own: own.toSorted((a, b) => a.at - b.at), onlyIn, zone };
}

/** One sentence for both ends if they have one cause. */
function describeMissing(
  { start, end }: { readonly start: number | undefined; readonly end: number | undefined },
  record: ValueRecord,
): UnknownReturn[] {
  const name = (which: string, at: number) => `at the ${which} (${toZoneDate(at, record.zone)})`;
  const startCause = start === undefined ? undefined : describeRecord(record, start, 'before');
  const endCause = end === undefined ? undefined : describeRecord(record, end, 'before');
  if (start !== undefined && end !== undefined && startCause === endCause) {
    const message = `The account's values ${name('start', start)} and ${name('end', end)} are unknown: ${startCause}.`;
    return [{ code: 'value_at_start_unknown', message }, { code: 'value_at_end_unknown' }];
  }
  const describe = (which: 'start' | 'end', at: number, cause: string | undefined): UnknownReturn => ({
    code: `value_at_${which}_unknown`,
    message: `The account's value ${name(which, at)} is unknown: ${cause}.`,
  });
  return [
    ...(start === undefined ? [] : [describe('start', start, startCause)]),
    ...(end === undefined ? [] : [describe('end', end, endCause)]),
  ];
}

/** Why the record has no value near a moment (ms), on the side where one would count. */
export function describeRecord({ own, onlyIn, zone }: ValueRecord, moment: number, side: 'before' | 'after'): string {
  const [first] = own;
  if (!first) return `this server has stored no daily value${onlyIn === undefined ? '' : ` in ${onlyIn}`} yet`;
  if (first.at > moment)
    return `the first daily value that this server has stored is of ${toZoneDate(first.at, zone)} ${toZoneTime(first.at, zone)} ${zone}`;
  return `this server has stored no daily value in the ${maxSnapshotAgeDays} days ${side} it`;
}

/** The account's value on a day, stored by this program, because the service keeps no such history. */
export interface DailySnapshot {
  /** `YYYY-MM-DD`, the UTC day. */
  readonly day: string;
  /** When the service reported it (ms since 1970, UTC). */
  readonly at: number;
  /** Exact decimal, in `currency`. */
  readonly totalValue: string;
  readonly cash?: string;
  /** The account's currency at that time. */
  readonly currency: string;
}
