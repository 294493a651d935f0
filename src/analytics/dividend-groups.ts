/** Groups dividend payments by period, ticker or type. */
import type Big from 'big.js';
import type { DividendQuestion, Payment } from './dividend-payments.ts';
import type { ExactSum } from './exact-sum.ts';
import { getPeriodName, periodsBetween } from './periods.ts';
import { accumulate, byAmountDescending, zero } from './sums.ts';

/** The payments of one group in one currency. */
export interface DividendGroup {
  /** `2026-11`, `2026-Q4`, `2026`, a ticker or a type. */
  readonly group: string;
  readonly currency: string | undefined;
  readonly amount: Big;
  readonly count: number;
  /** Only by ticker: payments of the trailing year, and their yield on the cost of current holdings. */
  readonly trailingTwelveMonths?: Big | undefined;
  readonly yieldOnCostPercent?: Big | undefined;
}

interface Grouping extends DividendQuestion {
  readonly trailingByTicker: ReadonlyMap<string, Big>;
  readonly yieldByTicker: ReadonlyMap<string, Big>;
}

/** Periods oldest first, including covered ones without payments; tickers and types largest first. */
export function groupPayments(payments: readonly Payment[], grouping: Grouping): DividendGroup[] {
  const { groupBy, currency: main } = grouping;
  const sums = new Map<string | undefined, Map<string, ExactSum>>();
  for (const payment of payments) {
    if (payment.amount === undefined) continue;
    const ofCurrency = sums.get(payment.currency) ?? new Map<string, ExactSum>();
    sums.set(payment.currency, ofCurrency);
    accumulate(ofCurrency, getGroupKey(payment, groupBy), payment.amount);
  }
  const groups = [...sums].flatMap(([currency, byKey]) =>
    [...byKey].map(([group, sum]): DividendGroup => ({ group, currency, amount: sum.total(), count: sum.count })),
  );
  if (groupBy === 'type') return groups.sort(byAmountDescending);
  if (groupBy === 'ticker') return groups.sort(byAmountDescending).map((group) => withYield(group, grouping));
  const paid = new Set(groups.filter(({ currency }) => currency === main).map(({ group }) => group));
  const empty = coveredPeriods(payments, grouping).filter((name) => !paid.has(name));
  return [...groups, ...empty.map((group): DividendGroup => ({ group, currency: main, amount: zero, count: 0 }))].sort(
    (a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0),
  );
}

const getGroupKey = ({ at, ticker, type }: Payment, groupBy: DividendQuestion['groupBy']): string => {
  if (groupBy === 'ticker') return ticker;
  if (groupBy === 'type') return type;
  return at === undefined ? 'unknown' : getPeriodName(at, groupBy);
};

const withYield = (group: DividendGroup, { currency, trailingByTicker, yieldByTicker }: Grouping): DividendGroup =>
  group.currency === currency
    ? {
        ...group,
        trailingTwelveMonths: trailingByTicker.get(group.group) ?? zero,
        yieldOnCostPercent: yieldByTicker.get(group.group),
      }
    : group;

/**
 * Periods of the range whose rows have all been read. Others are left out, because a gap must not appear as a month
 * without dividends.
 */
function coveredPeriods(payments: readonly Payment[], { groupBy, since, until, now, covered }: Grouping): string[] {
  if (groupBy === 'ticker' || groupBy === 'type') return [];
  let first = Number.POSITIVE_INFINITY;
  for (const { at } of payments) if (at !== undefined && at < first) first = at;
  const from = since ?? first;
  const to = Math.min(until ?? now, now);
  if (!Number.isFinite(from) || from >= to) return [];
  return (
    periodsBetween(from, to, groupBy)
      .filter((period) => Math.max(period.from, from) >= (covered?.from ?? from))
      // The current period is included as far as it has been read.
      .filter((period) => (period.to <= to ? period.to <= (covered?.to ?? to) : period.from < (covered?.to ?? to)))
      .map(({ name }) => name)
  );
}
