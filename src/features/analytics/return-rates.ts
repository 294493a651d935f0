/** Rates of return for a response: over the period and annualized. */
import { dayMs } from '../../core/clock.ts';
import type { ExactSum } from '../../core/endpoints/exact-sum.ts';
import { toZoneDate } from '../../core/text/zone-day.ts';
import type { CashFlow } from './cash-flows.ts';
import { toIsoDate } from './periods.ts';
import {
  describeRecord,
  maxSnapshotAgeDays,
  type ReturnPeriod,
  type UnknownReturnCode,
  type ValueRecord,
} from './return-period.ts';
import { accumulate } from './sums.ts';
import { timeWeightedReturn } from './time-weighted.ts';
import { type DatedAmount, xirr } from './xirr.ts';

/**
 * A rate of return: the percentages, of which those too large to show are left out, or why there are none. Of a rate
 * that is unknown because the gain is, only the code of the reason is given: its sentence is that of the gain.
 */
export interface Rate {
  /** Annualized (actual days, 365 per year), in percent. */
  readonly annualPercent?: number;
  /** Over the period, in percent. */
  readonly periodPercent?: number;
  /** First and last UTC day of the period. */
  readonly from?: string;
  readonly to?: string;
  readonly days?: number;
  /** Why there is no rate. */
  readonly reason?: string | undefined;
  /** Where the gain is unknown for the same reason. */
  readonly code?: UnknownReturnCode;
  /** A caution about the rate. */
  readonly note?: string;
}

/** An annual rate above a million percent comes from a period of few days and is meaningless. */
const maxPercent = 1_000_000;
const shortNote = 'Less than a year: annualPercent assumes that the same rate continues.';

/** The rate from the deposits and withdrawals between two values; without a start value, from the first deposit. */
export function moneyWeightedRate(
  external: readonly CashFlow[],
  start: ReturnPeriod | undefined,
  end: ReturnPeriod | undefined,
): Rate {
  if (!end) return { reason: 'The value at the end is unknown.' };
  const from = start?.at ?? external[0]?.at ?? end.at;
  const days = Math.floor(end.at / dayMs) - Math.floor(from / dayMs);
  // An empty account is no amount, so xirr would not see the end.
  if (end.value.eq(0) && days > 0 && !external.some(({ amount }) => amount.lt(0)))
    return toRate(-1, -1, { from, to: end.at, days });
  const result = xirr([
    ...(start ? [{ at: start.at, amount: -start.value.toNumber() }] : []),
    ...byDay(external),
    { at: end.at, amount: end.value.toNumber() },
  ]);
  if ('reason' in result) return { from: toIsoDate(from), to: toIsoDate(end.at), reason: result.reason };
  return toRate(result.periodRate, result.annualRate, { from, to: end.at, days: result.days });
}

/** For the investor a deposit is an outflow. Sums are exact and per day, because xirr uses days. */
function byDay(external: readonly CashFlow[]): DatedAmount[] {
  const days = new Map<number, ExactSum>();
  for (const { at, amount } of external) accumulate(days, Math.floor(at / dayMs), amount);
  return [...days].map(([day, sum]) => ({ at: day * dayMs, amount: -sum.total().toNumber() }));
}

interface TimeWeightedInput {
  readonly external: readonly CashFlow[];
  readonly start: ReturnPeriod | undefined;
  readonly end: ReturnPeriod | undefined;
}

/** The rate from the daily values stored between start and end. */
export function timeWeightedRate(record: ValueRecord, { external, start, end }: TimeWeightedInput): Rate {
  if (!end) return { reason: 'The value at the end is unknown.' };
  const begin = start?.at ?? external[0]?.at ?? end.at;
  const values = record.own
    .filter(({ at }) => at >= begin && at < end.at)
    .map(({ at, totalValue }) => ({ at, value: Number(totalValue) }));
  const [first] = values;
  // A later first value would leave out the money of the first days and its result.
  if (!first || first.at - begin > maxSnapshotAgeDays * dayMs) {
    const since = toZoneDate(begin, record.zone);
    return { reason: `Since ${since} there are not enough values: ${describeRecord(record, begin, 'after')}.` };
  }
  const result = timeWeightedReturn(
    [...values, { at: end.at, value: end.value.toNumber() }],
    external.map(({ at, amount }) => ({ at, amount: amount.toNumber() })),
  );
  if ('reason' in result) return { from: toIsoDate(first.at), to: toIsoDate(end.at), reason: result.reason };
  const days = (end.at - first.at) / dayMs;
  return toRate(result.rate, (1 + result.rate) ** (365 / days) - 1, {
    from: first.at,
    to: end.at,
    days: Math.round(days),
  });
}

function toRate(
  period: number,
  annual: number,
  { from, to, days }: { readonly from: number; readonly to: number; readonly days: number },
): Rate {
  const [periodPercent, annualPercent] = [period * 100, annual * 100];
  return {
    from: toIsoDate(from),
    to: toIsoDate(to),
    days,
    ...(isPresentable(periodPercent) ? { periodPercent } : {}),
    ...(isPresentable(annualPercent) ? { annualPercent } : {}),
    ...(isPresentable(annualPercent)
      ? days < 365
        ? { note: shortNote }
        : {}
      : { note: 'Too large for a yearly rate.' }),
  };
}

const isPresentable = (percent: number): boolean => Number.isFinite(percent) && percent <= maxPercent;
