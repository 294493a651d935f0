/** Costs of trading and of the account, by charge, month, year or instrument. */
import type Big from 'big.js';
import type { ExactSum } from '../../core/endpoints/exact-sum.ts';
import { countOf } from '../../core/text/count-of.ts';
import { toZoneDate } from '../../core/text/dates.ts';
import { type CashFlow, isFeeType } from './cash-flows.ts';
import { getFillMeaning } from './executions.ts';
import { listNames } from './names.ts';
import { getPeriodName, toIsoDate } from './periods.ts';
import { accumulate, byAmountDescending, computePercent, type OtherCurrency, totalsByCurrency } from './sums.ts';
import type { Trade } from './trades.ts';

export interface CostQuestion {
  readonly groupBy: 'name' | 'month' | 'year' | 'ticker';
  /** Inclusive and exclusive bounds (ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Excludes fees of the account, which belong to no ticker. */
  readonly ticker?: string | undefined;
  readonly flows: readonly CashFlow[];
  /** The account's currency, also used for charges and trades without one. */
  readonly currency?: string | undefined;
  /** The time zone (IANA) of months and years; UTC by default. */
  readonly zone?: string | undefined;
}

/** The costs of one group in one currency. */
export interface CostGroup {
  /** A charge (`STAMP_DUTY`, …), `2026-11`, `2026` or a ticker; `account` for fees without a ticker. */
  readonly group: string;
  readonly currency: string | undefined;
  /** Positive for a cost, negative for a refund. */
  readonly amount: Big;
  readonly count: number;
}

/** The costs of a range, in total and by group. */
export interface CostSummary {
  readonly currency: string | undefined;
  /** In `currency`. */
  readonly total: Big;
  /** The number of charges in `total`. */
  readonly count: number;
  readonly groups: readonly CostGroup[];
  /** Charges in other currencies than the account's; they are not part of the total. */
  readonly otherCurrencies: readonly OtherCurrency[];
  /**
   * Sum of the amounts paid and received for trades, in the account's currency. Undefined when the amount of a
   * trade is unknown.
   */
  readonly turnover: Big | undefined;
  /** Amounts paid and received in other currencies; `count` is the number of trades. */
  readonly otherTurnover: readonly OtherCurrency[];
  /** `total` in percent of `turnover`, so of the account's currency only. */
  readonly percentOfTurnover: Big | undefined;
  /** Why the percentage is missing, or what it excludes. */
  readonly reason: string | undefined;
  /** Purchases and sales in any currency. Splits, transfers and other corporate actions are no trades. */
  readonly trades: number;
  /** Trades with neither a value nor charges, by ticker and day; no figure includes their costs. */
  readonly tradesWithoutCosts: readonly string[];
}

/** One charge of a fill, or one fee of the account. */
export interface Charge {
  readonly name: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** `account` for a fee without a ticker. */
  readonly ticker: string;
  /** Positive for a cost, negative for a refund. */
  readonly amount: Big;
  readonly currency: string | undefined;
}

/**
 * Summarizes charges of fills (docs/interface.md, Fields and shapes) and fee transactions in the range. Months are
 * calendar months of the execution or of the fee, in UTC or in the zone of the question.
 */
export function summarizeCosts(trades: readonly Trade[], question: CostQuestion): CostSummary {
  const { groupBy, since, until, ticker, currency } = question;
  const nameTrade = createNamer(question.zone);
  const isWithin = (at: number) => (since === undefined || at >= since) && (until === undefined || at < until);
  const fills = trades.filter((trade) => isWithin(trade.at) && (ticker === undefined || trade.ticker === ticker));
  const groups = groupCharges(iterateCharges(fills, ticker === undefined ? question.flows : [], isWithin), question);
  const totals = totalsByCurrency(groups, currency);
  const chosen = fills.filter(({ type }) => getFillMeaning(type) === 'trade');
  const { turnover, otherTurnover, silent } = sumTurnover(chosen, currency);
  return {
    currency,
    ...totals,
    groups: groups.sort(groupBy === 'month' || groupBy === 'year' ? oldestFirst : byAmountDescending),
    turnover,
    otherTurnover,
    percentOfTurnover: computePercent(totals.total, turnover),
    reason: explainPercent(turnover, silent.map(nameTrade), chosen.length, [
      ...totals.otherCurrencies,
      ...otherTurnover,
    ]),
    trades: chosen.length,
    tradesWithoutCosts: silent.filter(({ charges }) => charges.length === 0).map(nameTrade),
  };
}

function groupCharges(charges: Iterable<Charge>, { groupBy, currency, zone }: CostQuestion): CostGroup[] {
  const sums = new Map<string | undefined, Map<string, ExactSum>>();
  for (const charge of charges) {
    const key = charge.currency ?? currency;
    const ofCurrency = sums.get(key) ?? new Map<string, ExactSum>();
    sums.set(key, ofCurrency);
    accumulate(ofCurrency, getGroupKey(charge, groupBy, zone), charge.amount);
  }
  return [...sums].flatMap(([currency, byKey]) =>
    [...byKey].map(([group, sum]): CostGroup => ({ group, currency, amount: sum.total(), count: sum.count })),
  );
}

/** Amounts of two currencies are never added. `silent` are the trades without an amount. */
function sumTurnover(trades: readonly Trade[], currency: string | undefined) {
  const sums = new Map<string | undefined, ExactSum>();
  const silent: Trade[] = [];
  for (const trade of trades) {
    if (trade.netValue) accumulate(sums, trade.valueCurrency ?? currency, trade.netValue);
    else silent.push(trade);
  }
  const { total, otherCurrencies } = totalsByCurrency(
    [...sums].map(([key, sum]) => ({ currency: key, amount: sum.total(), count: sum.count })),
    currency,
  );
  return { turnover: silent.length === 0 ? total : undefined, otherTurnover: otherCurrencies, silent };
}

const createNamer =
  (zone: string | undefined) =>
  ({ ticker, at }: Trade): string =>
    `${ticker} on ${zone === undefined ? toIsoDate(at) : toZoneDate(at, zone)}`;

/** The charges of fills and the fees of the account at the moments (ms) that `isWithin` accepts. */
export const listCharges = (...from: Parameters<typeof iterateCharges>): Charge[] => [...iterateCharges(...from)];

/** One at a time, because a list of all charges of a long history takes longer than their sums. */
function* iterateCharges(
  fills: readonly Trade[],
  flows: readonly CashFlow[],
  isWithin: (at: number) => boolean,
): Generator<Charge> {
  for (const { at, ticker, charges } of fills) {
    if (!isWithin(at)) continue;
    for (const { name, amount, currency } of charges) yield { name, at, ticker, amount, currency };
  }
  for (const flow of flows) if (isFeeType(flow.type) && isWithin(flow.at)) yield toCharge(flow);
}

const toCharge = ({ type, at, amount, currency }: CashFlow): Charge => ({
  name: type === 'FEE' ? 'ACCOUNT_FEE' : type,
  at,
  ticker: 'account',
  amount: amount.neg(),
  currency,
});

const getGroupKey = (
  { name, at, ticker }: Charge,
  groupBy: CostQuestion['groupBy'],
  zone: string | undefined,
): string => {
  if (groupBy === 'name') return name;
  return groupBy === 'ticker' ? ticker : getPeriodName(at, groupBy, zone);
};

const oldestFirst = (a: CostGroup, b: CostGroup): number => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0);

function explainPercent(
  turnover: Big | undefined,
  silent: readonly string[],
  trades: number,
  others: readonly OtherCurrency[],
): string | undefined {
  if (!turnover)
    return `The service does not report the amount of ${silent.length} of ${countOf(trades, 'trade')} (${listNames(silent)}), so the turnover is unknown.`;
  if (others.length > 0)
    return `The percentage excludes charges and trades in ${[...new Set(others.map(({ currency }) => currency))].join(', ')}.`;
  return turnover.eq(0) ? 'This range has no trades.' : undefined;
}
