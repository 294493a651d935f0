/** Summarizes dividends: when and by which instrument they were paid, and their yield on cost. */

import Big from 'big.js';
import { createSum, type ExactSum } from '../../core/endpoints/exact-sum.ts';
import type { Dividend, Position } from '../../core/endpoints/index.ts';
import { toZoneDate } from '../../core/text/dates.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { type DividendGroup, groupPayments } from './dividend-groups.ts';
import { type DividendQuestion, isCapitalPayment, type Payment, toPayments } from './dividend-payments.ts';
import { addYears, getPeriodName, periodsBetween } from './periods.ts';
import {
  accumulate,
  computePercent,
  computeSum,
  type OtherCurrency,
  quotient,
  sumIfComplete,
  toBig,
  totalsByCurrency,
  zero,
} from './sums.ts';

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

// A year's dividends per share relative to the cost of a share that is still held.

interface YieldOnCost {
  /** For all holdings; undefined with a reason. */
  readonly percent: Big | undefined;
  readonly reason: string | undefined;
  /**
   * What the payments of the trailing year would be with the shares held now, and the cost of these; in the account's
   * currency.
   */
  readonly dividends: Big | undefined;
  readonly cost: Big | undefined;
  /** In percent, for each ticker held for which it is known. */
  readonly byTicker: ReadonlyMap<string, Big>;
}

/**
 * The yield of current holdings: each payment of the trailing year per share, times the shares held now, in percent of
 * their cost. So shares bought or sold within that year do not change it; a split within it does. Payments of capital
 * are left out. `trailing` are payments in the account's currency.
 */
function yieldOnCost(
  trailing: readonly Payment[],
  positions: readonly Position[] | undefined,
  onlyTicker: string | undefined,
): YieldOnCost {
  const held = positions?.filter(({ instrument }) => onlyTicker === undefined || instrument?.ticker === onlyTicker);
  const byPosition = groupBy(held ?? [], ({ instrument }) => instrument?.ticker ?? 'unknown');
  const income = trailing.filter(({ type, ticker }) => byPosition.has(ticker) && !isCapitalPayment(type));
  const payments = groupBy(income, ({ ticker }) => ticker);
  const holdings = [...byPosition].map(([ticker, rows]) => ({
    ticker,
    cost: sumIfComplete(rows.map(({ walletImpact }) => toBig(walletImpact?.totalCost))),
    dividends: scalePayments(payments.get(ticker) ?? [], sumIfComplete(rows.map(({ quantity }) => toBig(quantity)))),
  }));
  const cost = held && sumIfComplete(holdings.map((holding) => holding.cost));
  const dividends = sumIfComplete(holdings.map((holding) => holding.dividends));
  const percent = computePercent(dividends, cost);
  return {
    percent,
    reason: percent ? undefined : explainMissingYield(held, cost, dividends),
    dividends,
    cost,
    byTicker: new Map(
      holdings.flatMap((holding) => {
        const own = computePercent(holding.dividends, holding.cost);
        return own ? [[holding.ticker, own] as const] : [];
      }),
    ),
  };
}

/** The payments with the quantity held now; undefined when a payment or the holding has no quantity. */
function scalePayments(payments: readonly Payment[], held: Big | undefined): Big | undefined {
  if (payments.length === 0) return zero;
  if (!held || payments.some(({ quantity }) => quantity === undefined || new Big(quantity).eq(0))) return undefined;
  return computeSum(
    payments.map(({ amount = '0', quantity = '1' }) => quotient(held.times(amount), new Big(quantity).abs())),
  );
}

function explainMissingYield(
  held: readonly Position[] | undefined,
  cost: Big | undefined,
  dividends: Big | undefined,
): string {
  if (!held) return 'The positions are unknown.';
  if (held.length === 0) return 'No shares are held now.';
  if (!cost) return 'The service does not report the total cost of every position.';
  return dividends
    ? 'The cost of the shares held is zero.'
    : 'The service does not report the quantity of every payment and position.';
}

// Dividends of the next twelve months, assuming that the last twelve repeat. The data allow no better forecast.

/** Projected dividends, in the currency of the payments. */
export interface DividendProjection {
  /** How it was computed, in one sentence. */
  readonly method: string;
  readonly total: Big;
  /** Months of the zone of the question, starting with the current one; the first and the last are partial. */
  readonly months: readonly { readonly month: string; readonly amount: Big }[];
  /** The first payments, with the day of a year ago one year later (`YYYY-MM-DD`): a day near the payment. */
  readonly next: readonly { readonly about: string; readonly ticker: string; readonly amount: Big }[];
  /** Tickers held that paid nothing in the last twelve months. */
  readonly notProjected: readonly string[];
  /** Payments without an amount or a quantity, which cannot be scaled. */
  readonly notScaled: number;
}

const method =
  'An assumption, not a forecast: every payment of the last twelve months is repeated one year later, scaled by quantity held now / quantity then, for instruments still held; it ignores splits since then, changed exchange rates and changed dividends.';

/** More than the next payments is what the months are for. */
const maxNext = 5;

/** Projects payments in one currency; `now` is in ms. */
function projectDividends(
  payments: readonly Payment[],
  options: {
    readonly positions: readonly Position[];
    readonly ticker?: string | undefined;
    readonly now: number;
    /** IANA name; UTC by default. */
    readonly zone?: string | undefined;
  },
): DividendProjection {
  const { now, zone } = options;
  const held = heldNow(options.positions, options.ticker);
  const from = addYears(now, -1);
  const to = addYears(now, 1);
  const months = new Map(periodsBetween(now, to, 'month', zone).map(({ name }) => [name, createSum()]));
  /** By day and ticker. */
  const days = new Map<string, ExactSum>();
  const paying = new Set<string>();
  let notScaled = 0;
  for (const { at, ticker, amount, quantity } of payments) {
    const quantityNow = held.get(ticker);
    if (quantityNow === undefined || at === undefined || at < from || at >= now) continue;
    paying.add(ticker);
    // Services differ in the sign of the quantity of a reversal.
    const then = new Big(quantity ?? 0).abs();
    if (amount === undefined || then.eq(0)) notScaled++;
    else {
      const expected = quotient(quantityNow.times(amount), then);
      const day = addYears(at, 1);
      accumulate(months, getPeriodName(day, 'month', zone), expected);
      accumulate(days, `${toZoneDate(day, zone ?? 'UTC')} ${ticker}`, expected);
    }
  }
  return {
    method,
    total: computeSum([...months.values()].map((sum) => sum.total())),
    months: [...months].map(([month, sum]) => ({ month, amount: sum.total() })),
    next: [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, maxNext)
      .map(([name, sum]) => ({ about: name.slice(0, 10), ticker: name.slice(11), amount: sum.total() })),
    notProjected: [...held.keys()].filter((ticker) => !paying.has(ticker)).sort(),
    notScaled,
  };
}

function heldNow(positions: readonly Position[], onlyTicker: string | undefined): Map<string, Big> {
  const held = new Map<string, Big>();
  for (const { instrument, quantity } of positions) {
    const ticker = instrument?.ticker;
    if (ticker === undefined || (onlyTicker !== undefined && ticker !== onlyTicker)) continue;
    const sum = (held.get(ticker) ?? zero).plus(quantity ?? zero);
    if (sum.gt(0)) held.set(ticker, sum);
  }
  return held;
}
