/** Rates of return for a response: over the period and annualized. */

import { dayMs } from '../../core/clock.ts';
import type { ExactSum } from '../../core/endpoints/exact-sum.ts';
import { toZoneDate } from '../../core/text/dates.ts';
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
const shortNote = 'Less than a year: the rate per year assumes that it goes on like this.';

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

// The time-weighted return: the result of one unit invested all the time, independent of deposits and withdrawals.
// It needs the account's value at many times, so only values stored by this program make it possible. A rate is no
// amount of money, so doubles are accurate enough.

/** The value of the complete account at a moment (ms). */
interface Valuation {
  readonly at: number;
  readonly value: number;
}

/** A deposit (positive) or withdrawal (negative) at a moment (ms). */
interface ExternalFlow {
  readonly at: number;
  readonly amount: number;
}

/** Between values further apart than this, the weight of a flow would be a guess; without a flow there is no weight. */
const maxGapMs = 7 * 86_400_000;

/**
 * The return over all values, not annualized (0.1 is 10 %), or why there is none. Without a flow between two values
 * their quotient is exact, however far apart they are. A flow is weighted by the part of the time that it was invested
 * (modified Dietz); flows at or before the first value and after the last one are ignored. Both lists are oldest first.
 */
export function timeWeightedReturn(
  valuations: readonly Valuation[],
  flows: readonly ExternalFlow[],
): { readonly rate: number } | { readonly reason: string } {
  const [first] = valuations;
  if (!first || new Set(valuations.map(({ at }) => toIsoDate(at))).size < 2)
    return { reason: 'Daily values of at least two days are required.' };
  let growth = 1;
  let before = first;
  let next = flows.findIndex(({ at }) => at > first.at);
  if (next < 0) next = flows.length;
  for (const valuation of valuations.slice(1)) {
    const span = valuation.at - before.at;
    if (span <= 0) continue;
    if (span > maxGapMs && (flows[next]?.at ?? Number.POSITIVE_INFINITY) <= valuation.at)
      return {
        reason: `Money moved between ${toIsoDate(before.at)} and ${toIsoDate(valuation.at)}, where there is no daily value.`,
      };
    let moved = 0;
    let invested = before.value;
    for (let flow = flows[next]; flow && flow.at <= valuation.at; flow = flows[++next]) {
      moved += flow.amount;
      invested += (flow.amount * (valuation.at - flow.at)) / span;
    }
    // An empty account that stays empty has no return and needs none.
    const gain = valuation.value - before.value - moved;
    if (invested <= 0 && gain !== 0)
      return { reason: `The account was empty on ${toIsoDate(before.at)}, so no return can be measured.` };
    if (invested > 0) growth *= 1 + gain / invested;
    before = valuation;
  }
  return { rate: growth - 1 };
}
