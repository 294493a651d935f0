/** The return of the account on the money deposited. */

import type Big from 'big.js';
import { createSum, type ExactSum } from '../../core/endpoints/exact-sum.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { type CashFlow, isFeeType, isInterestType } from './cash-flows.ts';
import { getFillMeaning } from './executions.ts';
import { listNames } from './names.ts';
import { toIsoDate } from './periods.ts';
import {
  listValues,
  type ReturnPeriod,
  resolveReturnPeriod,
  type UnknownReturn,
  type ValuationQuestion,
} from './return-period.ts';
import { moneyWeightedRate, type Rate, timeWeightedRate } from './return-rates.ts';
import { computePercent, computeSum, isSameCurrency, zero } from './sums.ts';
import type { Trade } from './trades.ts';

export interface ReturnQuestion extends ValuationQuestion {
  /** All cash flows, independent of the range; oldest first. */
  readonly flows: readonly CashFlow[];
  readonly dividends?: readonly Dividend[] | undefined;
  readonly trades?: readonly Trade[] | undefined;
  /** Whether all flows and trades are known; default true. Without that, no gain and no rate is known. */
  readonly isWhole?: boolean | undefined;
}

/** Amounts in the account's currency; undefined where unknown, with a reason in `unknown`. */
export interface Returns {
  readonly currency: string | undefined;
  /** Within the requested range; both positive. */
  readonly moneyIn: Big;
  readonly moneyOut: Big;
  /** Shares transferred from and to other brokers in that range, at their value; both positive. */
  readonly sharesIn: Big | undefined;
  readonly sharesOut: Big | undefined;
  /** Money and shares in, minus money and shares out. */
  readonly netDeposits: Big | undefined;
  /** Income and costs of the account within that range; they are part of the gain and no deposits. */
  readonly dividends: Big | undefined;
  readonly interest: Big;
  /** Bookings of fees; the charges of orders are not in it. */
  readonly accountFees: Big;
  /** Internal bookings of other types, and these types. */
  readonly otherBookings: Big;
  readonly otherTypes: readonly string[];
  /** Sum of the broker's own results. */
  readonly realised: Big | undefined;
  /** The values between which gain and rates are measured, and their times. */
  readonly start: ReturnPeriod | undefined;
  readonly end: ReturnPeriod | undefined;
  /** The money and shares that the owner moved between the two values, oldest first. */
  readonly between: readonly CashFlow[];
  /** The end value minus the start value minus the net deposits in between. */
  readonly gain: Big | undefined;
  /** In percent of net deposits; only for the complete life of the account, and if net deposits are above zero. */
  readonly gainPercent: Big | undefined;
  readonly moneyWeighted: Rate;
  readonly timeWeighted: Rate;
  readonly unknown: readonly UnknownReturn[];
  /** Rows of the range in other currencies, which no figure includes; one sentence per currency. */
  readonly otherCurrencies: readonly string[];
}

/**
 * Computes gain and rates of return. Without `since`, for the life of the account; with it, from the daily value
 * stored up to three days before, because the API reports only the current value. Shares transferred in or out count
 * as money moved at their value.
 */
export function calculateReturns(question: ReturnQuestion): Returns {
  const { summary, since, until, now } = question;
  const { currency } = summary;
  const isWithin = (at: number) =>
    (since === undefined || at >= since) && (until === undefined || at < until) && at <= now;
  const { flows, unvalued } = listFlows(question);
  const isOwn = (rowCurrency: string | undefined) => isSameCurrency(rowCurrency, currency);
  const own = flows.filter((flow) => isOwn(flow.currency));
  const external = own.filter(({ isExternal }) => isExternal);
  const sums = sumsByKind(own.filter(({ at }) => isWithin(at)));
  const hasUnvalued = unvalued.some(({ at }) => isWithin(at));
  const [moneyIn, moneyOut] = [sums.in.total(), sums.out.total().abs()];
  const [sharesIn, sharesOut] = [sums.sharesIn.total(), sums.sharesOut.total().abs()];
  const netDeposits = hasUnvalued ? undefined : moneyIn.minus(moneyOut).plus(sharesIn).minus(sharesOut);

  const { start, end, reasons: noValue } = resolveReturnPeriod(question, [...external, ...unvalued].sort(oldestFirst));
  // A stored value has what happened until then; the user's is of the first moment of the range, before anything happens.
  const isAfterStart = (at: number) => !start || (question.valueAtStart ? at >= start.at : at > start.at);
  const isBetween = (at: number) => isAfterStart(at) && end !== undefined && at <= end.at;
  const isForeign = flows.some((flow) => flow.isExternal && !isOwn(flow.currency));
  const lost = unvalued.filter(({ at }) => isBetween(at));
  const unknown = [
    question.isWhole === false ? unreadFlows : undefined,
    isForeign ? foreignDeposits : undefined,
    describeLostTransfers(lost),
    ...noValue,
  ].filter((reason) => reason !== undefined);
  const between = external.filter(({ at }) => isBetween(at));
  const [reason] = unknown;
  const gain =
    end && !reason
      ? end.value.minus(start?.value ?? zero).minus(computeSum(between.map(({ amount }) => amount)))
      : undefined;
  const gainPercent = start ? undefined : computePercent(gain, netDeposits);
  if (gain && !start && !gainPercent) unknown.push(noNetDeposits);
  return {
    currency,
    moneyIn,
    moneyOut,
    sharesIn: hasUnvalued ? undefined : sharesIn,
    sharesOut: hasUnvalued ? undefined : sharesOut,
    netDeposits,
    dividends: question.dividends && sumDividends(question.dividends, currency, isWithin),
    interest: sums.interest.total(),
    accountFees: sums.fee.total().neg(),
    otherBookings: sums.other.total(),
    otherTypes: [...sums.otherTypes].sort(),
    realised: question.trades && sumRealised(question.trades, currency, isWithin),
    start,
    end,
    between,
    gain,
    gainPercent,
    moneyWeighted: reason ? { code: reason.code } : moneyWeightedRate(between, start, end),
    timeWeighted: reason ? { code: reason.code } : timeWeightedRate(listValues(question), { external, start, end }),
    unknown,
    otherCurrencies: describeOtherCurrencies(question, isOwn, isWithin),
  };
}

const unreadFlows: UnknownReturn = {
  code: 'history_incomplete',
  message: 'Not all deposits, withdrawals and transfers of shares have been read, so gain and rates are unknown.',
};

const foreignDeposits: UnknownReturn = {
  code: 'deposits_in_other_currency',
  message: 'Deposits or withdrawals in another currency are excluded from all figures, so gain and rates are unknown.',
};

const noNetDeposits: UnknownReturn = {
  code: 'net_deposits_not_positive',
  message: 'Net deposits are not above zero, so the gain cannot be expressed as a percentage of them.',
};

function describeLostTransfers(lost: readonly Trade[]): UnknownReturn | undefined {
  if (lost.length === 0) return undefined;
  const names = listNames(lost.map(({ ticker, at }) => `${ticker} on ${toIsoDate(at)}`));
  return {
    code: 'transfer_value_unknown',
    message: `Shares were transferred without a value (${names}), so gain and rates are unknown.`,
  };
}

const oldestFirst = (a: { readonly at: number }, b: { readonly at: number }): number => a.at - b.at;

/** The cash flows and the transfers of shares, oldest first. */
function listFlows({ flows, trades }: ReturnQuestion) {
  const transfers = listShareTransfers(trades ?? []);
  if (transfers.flows.length === 0) return { flows, unvalued: transfers.unvalued };
  return { flows: [...flows, ...transfers.flows].sort(oldestFirst), unvalued: transfers.unvalued };
}

const kinds = ['in', 'out', 'sharesIn', 'sharesOut', 'interest', 'fee', 'other'] as const;
type FlowKind = (typeof kinds)[number];

/** The sums, and the types of the other bookings. */
function sumsByKind(
  flows: readonly CashFlow[],
): Readonly<Record<FlowKind, ExactSum>> & { readonly otherTypes: ReadonlySet<string> } {
  const sums = Object.fromEntries(kinds.map((kind) => [kind, createSum()])) as Record<FlowKind, ExactSum>;
  const otherTypes = new Set<string>();
  for (const flow of flows) {
    const kind = getFlowKind(flow);
    sums[kind].add(flow.amount);
    if (kind === 'other') otherTypes.add(flow.type);
  }
  return { ...sums, otherTypes };
}

function getFlowKind({ isExternal, type, amount }: CashFlow): FlowKind {
  if (getFillMeaning(type) === 'transfer') return amount.lt(0) ? 'sharesOut' : 'sharesIn';
  if (isExternal) return amount.lt(0) ? 'out' : 'in';
  if (isInterestType(type)) return 'interest';
  return isFeeType(type) ? 'fee' : 'other';
}

/** Says which rows of the range are in another currency than the account's. */
function describeOtherCurrencies(
  { flows, dividends = [], trades = [] }: ReturnQuestion,
  isOwn: (currency: string | undefined) => boolean,
  isWithin: (at: number) => boolean,
): string[] {
  const counts = new Map<string, Map<string, number>>();
  const count = (at: number, currency: string | undefined, name: string) => {
    if (currency === undefined || isOwn(currency) || !isWithin(at)) return;
    const ofCurrency = counts.get(currency) ?? new Map<string, number>();
    counts.set(currency, ofCurrency.set(name, (ofCurrency.get(name) ?? 0) + 1));
  };
  for (const { at, currency, type } of flows) count(at, currency, type);
  for (const { paidOn, currency } of dividends) count(Date.parse(paidOn ?? ''), currency, 'dividends');
  for (const { at, valueCurrency, realisedProfitLoss } of trades)
    if (realisedProfitLoss) count(at, valueCurrency, 'results of sales');
  return [...counts].map(
    ([currency, names]) =>
      `Rows in ${currency} are in no figure: ${[...names].map(([name, rows]) => `${name} (${rows})`).join(', ')}.`,
  );
}

function sumDividends(
  dividends: readonly Dividend[],
  currency: string | undefined,
  isWithin: (at: number) => boolean,
): Big {
  const rows = dividends.filter(
    (row) => isSameCurrency(row.currency, currency) && isWithin(Date.parse(row.paidOn ?? '')),
  );
  return computeSum(rows.flatMap(({ amount }) => amount ?? []));
}

/** Undefined when the result of a sale is unknown. */
function sumRealised(
  trades: readonly Trade[],
  currency: string | undefined,
  isWithin: (at: number) => boolean,
): Big | undefined {
  const sum = createSum();
  for (const { at, type, side, realisedProfitLoss, valueCurrency } of trades) {
    if (!isWithin(at) || !isSameCurrency(valueCurrency, currency)) continue;
    if (realisedProfitLoss) sum.add(realisedProfitLoss);
    else if (side === 'SELL' && type === 'TRADE') return undefined;
  }
  return sum.total();
}

// Shares moved from or to another broker (FOP). They are money in or out at their value, and move no cash.

interface ShareTransfers {
  /** One flow per transfer whose value is known, positive for shares that came in; oldest first. */
  readonly flows: readonly CashFlow[];
  /** Transfers without a value. */
  readonly unvalued: readonly Trade[];
}

/** Finds the transfers among the trades. A service that does not know the value writes 0 or nothing. */
function listShareTransfers(trades: readonly Trade[]): ShareTransfers {
  const transfers = trades.filter(({ type, quantity }) => getFillMeaning(type) === 'transfer' && !quantity.eq(0));
  const flows = transfers.flatMap((trade) => {
    const { at, type, netValue, valueCurrency: currency } = trade;
    return netValue?.gt(0) ? { at, type, amount: signed(trade, netValue), currency, isExternal: true } : [];
  });
  return { flows, unvalued: transfers.filter(({ netValue }) => !netValue?.gt(0)) };
}

const signed = ({ side, quantity }: Trade, value: Big): Big =>
  side === 'SELL' || quantity.lt(0) ? value.neg() : value;
