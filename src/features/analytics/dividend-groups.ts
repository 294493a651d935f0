/** Groups dividend payments by period, ticker, type, country or treatment. */
import type Big from 'big.js';
import type { ExactSum } from '../../core/endpoints/exact-sum.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { type DividendQuestion, getTreatment, type Payment } from './dividend-payments.ts';
import { computeDividendTax } from './dividend-tax.ts';
import { findCountry } from './names.ts';
import { getPeriodName, periodsBetween } from './periods.ts';
import { accumulate, byAmountDescending, sumIfComplete, zero } from './sums.ts';

/** The payments of one group in one currency. */
export interface DividendGroup {
  /** `2026-11`, `2026-Q4`, `2026`, a ticker, a type, a country (of the ISIN) or a treatment. */
  readonly group: string;
  readonly currency: string | undefined;
  readonly amount: Big;
  readonly count: number;
  /** Only by ticker: payments of the trailing year, and their yield on the cost of current holdings. */
  readonly trailingTwelveMonths?: Big | undefined;
  readonly yieldOnCostPercent?: Big | undefined;
  /** Only by country and treatment. */
  readonly tax?: GroupTax | undefined;
}

/** Amounts before tax and the tax withheld, of one group. */
export interface GroupTax {
  /** In the currency of the group; undefined when that of one payment is unknown. */
  readonly gross: Big | undefined;
  readonly withheld: Big | undefined;
  /** Payments whose tax is unknown. */
  readonly unknown: number;
  /** Amounts before tax in the currencies of the instruments, as far as known, in the order of their first payment. */
  readonly grossByCurrency: ReadonlyMap<string, Big>;
}

interface Grouping extends DividendQuestion {
  readonly trailingByTicker: ReadonlyMap<string, Big>;
  readonly yieldByTicker: ReadonlyMap<string, Big>;
}

/** Periods oldest first, including covered ones without payments; tickers and types largest first. */
export function groupPayments(payments: readonly Payment[], grouping: Grouping): DividendGroup[] {
  const { groupBy: groupName, currency: main } = grouping;
  const groups = sumPayments(payments, grouping);
  if (groupName === 'type') return groups.sort(byAmountDescending);
  if (groupName === 'country' || groupName === 'treatment')
    return withTaxes(groups.sort(byAmountDescending), payments, groupName);
  if (groupName === 'ticker') return groups.sort(byAmountDescending).map((group) => withYield(group, grouping));
  const paid = new Set(groups.filter(({ currency }) => currency === main).map(({ group }) => group));
  const empty = coveredPeriods(payments, grouping).filter((name) => !paid.has(name));
  return [...groups, ...empty.map((group): DividendGroup => ({ group, currency: main, amount: zero, count: 0 }))].sort(
    (a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0),
  );
}

function sumPayments(payments: readonly Payment[], { groupBy, zone }: Grouping): DividendGroup[] {
  const sums = new Map<string | undefined, Map<string, ExactSum>>();
  for (const payment of payments) {
    if (payment.amount === undefined) continue;
    const ofCurrency = sums.get(payment.currency) ?? new Map<string, ExactSum>();
    sums.set(payment.currency, ofCurrency);
    accumulate(ofCurrency, getGroupKey(payment, groupBy, zone), payment.amount);
  }
  return [...sums].flatMap(([currency, byKey]) =>
    [...byKey].map(([group, sum]): DividendGroup => ({ group, currency, amount: sum.total(), count: sum.count })),
  );
}

function getGroupKey(payment: Payment, groupBy: DividendQuestion['groupBy'], zone?: string): string {
  switch (groupBy) {
    case 'ticker':
      return payment.ticker;
    case 'type':
      return payment.type;
    case 'treatment':
      return getTreatment(payment.type);
    case 'country':
      return getCountry(payment.row);
    default:
      return payment.at === undefined ? 'unknown' : getPeriodName(payment.at, groupBy, zone);
  }
}

/** Where the security is registered: the first two letters of its ISIN; `unknown` without one. */
export const getCountry = ({ instrument }: Dividend): string => findCountry(instrument?.isin);

function withTaxes(
  groups: readonly DividendGroup[],
  payments: readonly Payment[],
  groupName: 'country' | 'treatment',
): DividendGroup[] {
  const toName = (currency: string | undefined, group: string) => `${currency} ${group}`;
  const paid = payments.filter(({ amount }) => amount !== undefined);
  const members = groupBy(paid, (payment) => toName(payment.currency, getGroupKey(payment, groupName)));
  return groups.map((group) => ({ ...group, tax: sumTaxes(members.get(toName(group.currency, group.group)) ?? []) }));
}

function sumTaxes(payments: readonly Payment[]): GroupTax {
  const taxes = payments.map(({ row, currency }) => computeDividendTax(row, currency));
  const grossByCurrency = new Map<string, ExactSum>();
  for (const { gross } of taxes) if (gross) accumulate(grossByCurrency, gross.currency, gross.amount);
  return {
    gross: sumIfComplete(taxes.map(({ ownGross }) => ownGross)),
    withheld: sumIfComplete(taxes.map(({ ownWithheld }) => ownWithheld)),
    unknown: taxes.filter(({ ownGross }) => ownGross === undefined).length,
    grossByCurrency: new Map([...grossByCurrency].map(([currency, sum]) => [currency, sum.total()])),
  };
}

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
function coveredPeriods(
  payments: readonly Payment[],
  { groupBy, since, until, now, covered, zone }: Grouping,
): string[] {
  if (groupBy !== 'month' && groupBy !== 'quarter' && groupBy !== 'year') return [];
  let first = Number.POSITIVE_INFINITY;
  for (const { at } of payments) if (at !== undefined && at < first) first = at;
  const from = since ?? first;
  const to = Math.min(until ?? now, now);
  if (!Number.isFinite(from) || from >= to) return [];
  return (
    periodsBetween(from, to, groupBy, zone)
      .filter((period) => Math.max(period.from, from) >= (covered?.from ?? from))
      // The current period is included as far as it has been read.
      .filter((period) => (period.to <= to ? period.to <= (covered?.to ?? to) : period.from < (covered?.to ?? to)))
      .map(({ name }) => name)
  );
}
