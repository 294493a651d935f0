/** Summarizes dividends: when and by which instrument they were paid, and their yield on cost. */
import type Big from 'big.js';
import type { ExactSum } from '../../core/endpoints/exact-sum.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { type DividendGroup, groupPayments } from './dividend-groups.ts';
import { type DividendQuestion, type Payment, toPayments } from './dividend-payments.ts';
import { type DividendProjection, projectDividends } from './dividend-projection.ts';
import { isCapitalPayment } from './dividend-treatments.ts';
import { type YieldOnCost, yieldOnCost } from './dividend-yield.ts';
import { addYears } from './periods.ts';
import { accumulate, computeSum } from './sums.ts';
import { type OtherCurrency, totalsByCurrency } from './totals-by-currency.ts';

/** The dividends of a range, in total and by group, with the trailing year and the yield on cost. */
export interface DividendSummary {
  readonly currency: string | undefined;
  /** The sum of the range in `currency`, as the broker paid it, so after withholding tax. */
  readonly total: Big;
  readonly count: number;
  readonly groups: readonly DividendGroup[];
  /** Payments in other currencies than the account's; only the groups include them. */
  readonly otherCurrencies: readonly OtherCurrency[];
  /** Rows of the range without an amount; no figure includes them. */
  readonly withoutAmount: readonly Payment[];
  /** Payments of the range that are capital and no income; `total` includes those in its currency. */
  readonly capital: readonly Payment[];
  /** The payments of the range, oldest first; one without a date is included, because it may belong to it. */
  readonly payments: readonly Payment[];
  /** The year that ends now, or at `until` if that is earlier; `since` does not shorten it. */
  readonly trailingTwelveMonths: { readonly amount: Big; readonly from: number; readonly to: number };
  readonly yieldOnCost: YieldOnCost;
  /** No other figure includes it. */
  readonly projection: DividendProjection | undefined;
}

/**
 * The time (ms) since which rows are needed, because the trailing year may start before `since`; undefined means
 * all rows.
 */
export const dividendsNeededSince = ({ since, until, now }: Pick<DividendQuestion, 'since' | 'until' | 'now'>) =>
  since === undefined ? undefined : Math.min(since, addYears(Math.min(until ?? now, now), -1));

/** Summarizes dividends (docs/interface.md, Fields and shapes) by calendar period, ticker, type, country or treatment. */
export function summarizeDividends(dividends: readonly Dividend[], question: DividendQuestion): DividendSummary {
  const { ticker, now, since, until, positions } = question;
  const all = toPayments(dividends, question.currency);
  const payments = ticker === undefined ? all.payments : all.payments.filter((payment) => payment.ticker === ticker);
  const { currency } = all;
  const own = (payment: Payment) => payment.currency === currency;

  const inRange = payments.filter(({ at }) => isWithin(at, since, until));
  const to = Math.min(until ?? now, now);
  const from = addYears(to, -1);
  const trailing = payments.filter(
    (payment) => own(payment) && payment.at !== undefined && payment.at >= from && payment.at < to,
  );
  const trailingSums = new Map<string, ExactSum>();
  for (const { ticker, amount } of trailing) if (amount !== undefined) accumulate(trailingSums, ticker, amount);
  const trailingByTicker = new Map([...trailingSums].map(([ticker, sum]) => [ticker, sum.total()]));
  const earned = yieldOnCost(trailing, positions, ticker);

  const groups = groupPayments(inRange, { ...question, currency, trailingByTicker, yieldByTicker: earned.byTicker });

  return {
    currency,
    ...totalsByCurrency(groups, currency),
    groups,
    withoutAmount: inRange.filter(({ amount }) => amount === undefined),
    capital: inRange.filter(({ type }) => isCapitalPayment(type)),
    payments: inRange,
    trailingTwelveMonths: {
      amount: computeSum(trailingByTicker.values()),
      from,
      to,
    },
    yieldOnCost: earned,
    projection:
      question.project && positions
        ? projectDividends(payments.filter(own), { positions, ticker, now, zone: question.zone })
        : undefined,
  };
}

/** A row without a date cannot be placed outside the range, so it is included. */
const isWithin = (at: number | undefined, since: number | undefined, until: number | undefined): boolean =>
  at === undefined || ((since === undefined || at >= since) && (until === undefined || at < until));
