/** The return of the account on the money deposited. */
import type Big from 'big.js';
import type { AccountSummary, Dividend } from '../catalogue/index.ts';
import type { CashFlow } from './cash-flows.ts';
import { createSum } from './exact-sum.ts';
import { type ReturnPeriod, type ReturnRange, resolveReturnPeriod } from './return-period.ts';
import { moneyWeightedRate, type Rate, timeWeightedRate } from './return-rates.ts';
import type { DailySnapshot } from './snapshots.ts';
import { computePercent, computeSum, zero } from './sums.ts';
import type { Trade } from './trades.ts';

export interface ReturnQuestion extends ReturnRange {
  /** All cash flows, independent of the range. */
  readonly flows: readonly CashFlow[];
  readonly summary: AccountSummary;
  readonly dividends?: readonly Dividend[] | undefined;
  readonly trades?: readonly Trade[] | undefined;
  readonly snapshots: readonly DailySnapshot[];
}

/** Amounts in the account's currency; undefined where unknown, with a sentence in `unknown`. */
export interface Returns {
  readonly currency: string | undefined;
  /** Within the requested range; both positive. */
  readonly moneyIn: Big;
  readonly moneyOut: Big;
  readonly netDeposits: Big;
  /** Income and costs of the account within that range; they are part of the gain and no deposits. */
  readonly dividends: Big | undefined;
  readonly interest: Big;
  readonly fees: Big;
  /** Internal bookings of other types. */
  readonly otherBookings: Big;
  /** Sum of the broker's own results. */
  readonly realised: Big | undefined;
  /** The values between which gain and rates are measured, and their times. */
  readonly start: ReturnPeriod | undefined;
  readonly end: ReturnPeriod | undefined;
  /** The end value minus the start value minus the net deposits in between. */
  readonly gain: Big | undefined;
  /** In percent of net deposits; only for the complete life of the account, and if net deposits are above zero. */
  readonly gainPercent: Big | undefined;
  readonly moneyWeighted: Rate;
  readonly timeWeighted: Rate;
  readonly unknown: readonly string[];
}

/**
 * Computes gain and rates of return. Without `since`, for the life of the account; with it, from the daily value
 * stored up to three days before, because the API reports only the current value.
 */
export function calculateReturns(question: ReturnQuestion): Returns {
  const { flows, summary, since, until, now } = question;
  const { currency } = summary;
  const unknown: string[] = [];
  const isWithin = (at: number) =>
    (since === undefined || at >= since) && (until === undefined || at < until) && at <= now;
  const own = flows.filter((flow) => isOwn(flow.currency, currency));
  const external = own.filter(({ isExternal }) => isExternal);
  const sums = sumsByKind(own.filter(({ at }) => isWithin(at)));
  const moneyIn = sums.in.total();
  const moneyOut = sums.out.total().abs();
  const netDeposits = moneyIn.minus(moneyOut);
  const isForeign = flows.some((flow) => flow.isExternal && !isOwn(flow.currency, currency));
  if (isForeign)
    unknown.push(
      'Deposits or withdrawals in another currency are excluded from all figures, so gain and rates are unknown.',
    );

  const span = resolveReturnPeriod(question, external);
  if (span.reason) unknown.push(span.reason);
  const { start, end } = span;
  const between = external.filter(({ at }) => (!start || at > start.at) && end !== undefined && at <= end.at);
  const isMeasured = end !== undefined && span.reason === undefined && !isForeign;
  const gain = isMeasured
    ? end.value.minus(start?.value ?? zero).minus(computeSum(between.map(({ amount }) => amount)))
    : undefined;
  const gainPercent = start ? undefined : computePercent(gain, netDeposits);
  if (gain && !start && !gainPercent)
    unknown.push('Net deposits are not above zero, so the gain cannot be expressed as a percentage of them.');
  const reason = isForeign ? unknown[0] : span.reason;
  return {
    currency,
    moneyIn,
    moneyOut,
    netDeposits,
    dividends: question.dividends && sumDividends(question.dividends, currency, isWithin),
    interest: sums.interest.total(),
    fees: sums.fee.total().neg(),
    otherBookings: sums.other.total(),
    realised: question.trades && sumRealised(question.trades, isWithin),
    start,
    end,
    gain,
    gainPercent,
    moneyWeighted: reason ? { reason } : moneyWeightedRate(between, start, end),
    timeWeighted: isForeign
      ? { reason }
      : timeWeightedRate(question.snapshots, { currency, external, start, end, reason: span.reason }),
    unknown,
  };
}

const isOwn = (currency: string | undefined, account: string | undefined): boolean =>
  currency === undefined || account === undefined || currency === account;

function sumsByKind(flows: readonly CashFlow[]) {
  const sums = { in: createSum(), out: createSum(), interest: createSum(), fee: createSum(), other: createSum() };
  for (const flow of flows) sums[getFlowKind(flow)].add(flow.amount);
  return sums;
}

function getFlowKind({ isExternal, type, amount }: CashFlow): 'in' | 'out' | 'interest' | 'fee' | 'other' {
  if (isExternal) return amount.lt(0) ? 'out' : 'in';
  if (type.includes('INTEREST')) return 'interest';
  return type.endsWith('FEE') ? 'fee' : 'other';
}

function sumDividends(
  dividends: readonly Dividend[],
  currency: string | undefined,
  isWithin: (at: number) => boolean,
): Big {
  const rows = dividends.filter((row) => isOwn(row.currency, currency) && isWithin(Date.parse(row.paidOn ?? '')));
  return computeSum(rows.flatMap(({ amount }) => amount ?? []));
}

/** Undefined when the result of a sale is unknown. */
function sumRealised(trades: readonly Trade[], isWithin: (at: number) => boolean): Big | undefined {
  const sum = createSum();
  for (const { at, type, side, realisedProfitLoss } of trades) {
    if (!isWithin(at)) continue;
    if (realisedProfitLoss) sum.add(realisedProfitLoss);
    else if (side === 'SELL' && type === 'TRADE') return undefined;
  }
  return sum.total();
}
