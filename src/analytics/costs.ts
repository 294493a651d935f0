/** Costs of trading and of the account, by charge, month, year or instrument. */
import type Big from 'big.js';
import type { CashFlow } from './cash-flows.ts';
import { createSum, type ExactSum } from './exact-sum.ts';
import { getPeriodName } from './periods.ts';
import { accumulate, byAmountDescending, computePercent } from './sums.ts';
import { type OtherCurrency, totalsByCurrency } from './totals-by-currency.ts';
import type { Trade } from './trades.ts';

export interface CostQuestion {
  readonly groupBy: 'name' | 'month' | 'year' | 'ticker';
  /** Inclusive and exclusive bounds (ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Excludes fees of the account, which belong to no ticker. */
  readonly ticker?: string | undefined;
  readonly flows: readonly CashFlow[];
  /** The account's currency, also used for charges without one. */
  readonly currency?: string | undefined;
}

/** The costs of one group in one currency. */
export interface CostGroup {
  /** A charge (`STAMP_DUTY`, …), `2026-11` (UTC), `2026` or a ticker; `account` for fees without a ticker. */
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
  readonly percentOfTurnover: Big | undefined;
  /** Why the percentage is missing, or what it excludes. */
  readonly reason: string | undefined;
  readonly trades: number;
  /** Trades with neither a value nor charges; no figure includes their costs. */
  readonly tradesWithoutCosts: number;
}

interface Charge {
  readonly name: string;
  readonly at: number;
  readonly ticker: string;
  readonly amount: Big;
  readonly currency: string | undefined;
}

/**
 * Summarizes charges of trades (docs/interface.md, Fields and shapes) and fee transactions in the range. Months are
 * UTC calendar months of the execution or of the fee.
 */
export function summarizeCosts(trades: readonly Trade[], question: CostQuestion): CostSummary {
  const { groupBy, since, until, ticker, currency } = question;
  const isWithin = (at: number) => (since === undefined || at >= since) && (until === undefined || at < until);
  const chosen = trades.filter((trade) => isWithin(trade.at) && (ticker === undefined || trade.ticker === ticker));

  const sums = new Map<string | undefined, Map<string, ExactSum>>();
  const add = (charge: Charge) => {
    const key = charge.currency ?? currency;
    const ofCurrency = sums.get(key) ?? new Map<string, ExactSum>();
    sums.set(key, ofCurrency);
    accumulate(ofCurrency, getGroupKey(charge, groupBy), charge.amount);
  };
  const turnover = createSum();
  let withoutValue = 0;
  let withoutCosts = 0;
  for (const trade of chosen) {
    for (const { name, amount, currency } of trade.charges)
      add({ name, at: trade.at, ticker: trade.ticker, amount, currency });
    if (trade.netValue) turnover.add(trade.netValue);
    else if (trade.type === 'TRADE') {
      withoutValue++;
      if (trade.charges.length === 0) withoutCosts++;
    }
  }
  if (ticker === undefined)
    for (const flow of question.flows) if (isFee(flow) && isWithin(flow.at)) add(toCharge(flow));

  const groups = [...sums].flatMap(([currency, byKey]) =>
    [...byKey].map(([group, sum]): CostGroup => ({ group, currency, amount: sum.total(), count: sum.count })),
  );
  const totals = totalsByCurrency(groups, currency);
  const completeTurnover = withoutValue === 0 ? turnover.total() : undefined;
  return {
    currency,
    ...totals,
    groups: groups.sort(groupBy === 'month' || groupBy === 'year' ? oldestFirst : byAmountDescending),
    turnover: completeTurnover,
    percentOfTurnover: computePercent(totals.total, completeTurnover),
    reason: explainPercent(
      completeTurnover,
      `${withoutValue} of ${chosen.length}`,
      totals.otherCurrencies.map(({ currency }) => currency),
    ),
    trades: chosen.length,
    tradesWithoutCosts: withoutCosts,
  };
}

const isFee = ({ type }: CashFlow): boolean => type === 'FEE' || type.endsWith('_FEE');

const toCharge = ({ type, at, amount, currency }: CashFlow): Charge => ({
  name: type === 'FEE' ? 'ACCOUNT_FEE' : type,
  at,
  ticker: 'account',
  amount: amount.neg(),
  currency,
});

const getGroupKey = ({ name, at, ticker }: Charge, groupBy: CostQuestion['groupBy']): string => {
  if (groupBy === 'name') return name;
  return groupBy === 'ticker' ? ticker : getPeriodName(at, groupBy);
};

const oldestFirst = (a: CostGroup, b: CostGroup): number => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0);

function explainPercent(turnover: Big | undefined, silent: string, others: readonly string[]): string | undefined {
  if (!turnover) return `The service does not report the amount of ${silent} trades, so the turnover is unknown.`;
  if (turnover.eq(0)) return 'This range has no trades.';
  return others.length > 0 ? `The percentage excludes charges in ${others.join(', ')}.` : undefined;
}
