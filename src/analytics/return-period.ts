/** Determines the two account values between which a return is measured. */
import type Big from 'big.js';
import type { AccountSummary } from '../catalogue/index.ts';
import { toIsoDate } from './periods.ts';
import type { DailySnapshot } from './snapshots.ts';
import { toBig } from './sums.ts';
import { toZoneDate } from './zone-day.ts';

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
export type UnknownReturnCode =
  | 'value_at_start_unknown'
  | 'value_at_end_unknown'
  | 'history_incomplete'
  | 'no_deposit_listed'
  | 'deposits_in_other_currency'
  | 'transfer_value_unknown'
  | 'net_deposits_not_positive';

export interface UnknownReturn {
  readonly code: UnknownReturnCode;
  /** One sentence. */
  readonly message: string;
}

export interface ValuationRange {
  /** Undefined when the period starts before the first deposit, at a value of zero. */
  readonly start: ReturnPeriod | undefined;
  readonly end: ReturnPeriod | undefined;
  /** Why the return cannot be measured. */
  readonly reason?: UnknownReturn;
}

/** A value up to this old is used for a moment: a weekend and a day. */
const maxSnapshotAgeMs = 3 * 86_400_000;

/** Finds the values at the start and the end of the range. `external` are deposits, withdrawals and transfers
 * of shares, oldest first. */
export function resolveReturnPeriod(
  {
    since,
    until,
    now,
    zone,
    summary,
    snapshots,
  }: ReturnRange & {
    readonly summary: AccountSummary;
    readonly snapshots: readonly DailySnapshot[];
  },
  external: readonly { readonly at: number }[],
): ValuationRange {
  const own = snapshots.filter(({ currency }) => currency === (summary.currency ?? currency));
  const totalValue = toBig(summary.totalValue);
  const isToNow = until === undefined || until > now;
  const end = isToNow ? totalValue && { at: now, value: totalValue } : valueAt(own, until);
  const first = external[0]?.at;
  const isFromStart = since === undefined || (first !== undefined && since <= first);
  // Before the first deposit the account was empty, so no stored value is needed.
  const start = isFromStart ? undefined : valueAt(own, since);
  if (!end)
    return {
      start,
      end,
      reason: {
        code: 'value_at_end_unknown',
        message: isToNow ? 'The summary does not report the total value.' : noValue('end', until, own, zone),
      },
    };
  if (!isFromStart && !start)
    return { start, end, reason: { code: 'value_at_start_unknown', message: noValue('start', since, own, zone) } };
  // A practice account can start with money that no row shows, and all of it would count as a gain.
  if (isFromStart && first === undefined) return { start, end, reason: noDeposit };
  return { start, end };
}

const noDeposit: UnknownReturn = {
  code: 'no_deposit_listed',
  message: 'The history lists no deposit, so the amount deposited is unknown.',
};

/** The newest value at or before the moment (ms), if it is recent enough; otherwise undefined. */
function valueAt(snapshots: readonly DailySnapshot[], moment: number): ReturnPeriod | undefined {
  let found: DailySnapshot | undefined;
  for (const snapshot of snapshots)
    if (snapshot.at <= moment && moment - snapshot.at <= maxSnapshotAgeMs && !(found && found.at > snapshot.at))
      found = snapshot;
  const value = toBig(found?.totalValue);
  return found && value && { at: found.at, value };
}

function noValue(
  which: 'start' | 'end',
  moment: number,
  snapshots: readonly DailySnapshot[],
  zone: string | undefined,
): string {
  const day = zone === undefined ? toIsoDate(moment) : toZoneDate(moment, zone);
  return `The account's value at the ${which} (${day}) is unknown: ${dailyValuesNote(snapshots)}.`;
}

/** Describes since when daily values are stored. */
export function dailyValuesNote(snapshots: readonly DailySnapshot[]): string {
  const [first] = snapshots.toSorted((a, b) => a.at - b.at);
  return first
    ? `this server has stored daily values only since ${first.day}`
    : 'this server has not stored any daily values yet';
}
