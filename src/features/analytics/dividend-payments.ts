/** Converts rows of the dividend history to payments. */

import type { Dividend, Position } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import type { Period } from './periods.ts';

export interface Payment {
  /** Milliseconds since 1970, UTC; undefined when the row has no date. */
  readonly at: number | undefined;
  readonly ticker: string;
  /** The type as the service wrote it; payments that replace a lent share's dividend end in `_MANUFACTURED_PAYMENT`. */
  readonly type: string;
  /** Exact decimals as text, because most are only added. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** The number of shares that the payment is for. */
  readonly quantity: string | undefined;
  readonly row: Dividend;
}

/**
 * Returns the payments and the currency of their sums: the account's, or if that is unknown the most frequent one.
 * A row without a currency is in the account's (docs/interface.md).
 */
export function toPayments(
  dividends: readonly Dividend[],
  accountCurrency: string | undefined,
): { readonly payments: readonly Payment[]; readonly currency: string | undefined } {
  const currency = accountCurrency ?? commonest(dividends);
  const payments = dividends.map((row): Payment => {
    const at = Date.parse(row.paidOn ?? '');
    return {
      at: Number.isNaN(at) ? undefined : at,
      ticker: getTicker(row) ?? 'unknown',
      type: row.type ?? 'unknown',
      amount: row.amount,
      currency: row.currency ?? currency,
      quantity: row.quantity,
      row,
    };
  });
  return { payments, currency };
}

function commonest(dividends: readonly Dividend[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { currency } of dividends) if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

export interface DividendQuestion {
  readonly groupBy: Period | 'ticker' | 'type' | 'country' | 'treatment';
  /** Inclusive and exclusive bounds (ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  readonly now: number;
  /** The time zone (IANA) of months, quarters and years; UTC by default. */
  readonly zone?: string | undefined;
  /** The account's currency; by default the most frequent one of the payments. */
  readonly currency?: string | undefined;
  /**
   * The range (ms) whose rows have all been read; only within it can a month be shown without a payment. By default
   * everything.
   */
  readonly covered?: { readonly from: number; readonly to: number } | undefined;
  /** Needed for the yield on cost and the projection, which are unknown without them. */
  readonly positions?: readonly Position[] | undefined;
  readonly project?: boolean | undefined;
}

/** What a dividend is for tax. The type is the service's; the treatment says how such a payment is declared. */

/**
 * `return_of_capital`, `liquidation` and `demerger` are payments of capital: they reduce the cost of the shares or
 * are a disposal, and are no income.
 */
type DividendTreatment =
  | 'ordinary'
  | 'property_income'
  | 'interest'
  | 'capital_gains'
  | 'return_of_capital'
  | 'liquidation'
  | 'demerger'
  | 'tax_exempt'
  | 'other';

const treatments: Readonly<Record<string, DividendTreatment>> = {
  ORDINARY: 'ordinary',
  DIVIDEND: 'ordinary',
  BONUS: 'ordinary',
  DIVIDENDS_PAID_BY_US_CORPORATIONS: 'ordinary',
  DIVIDENDS_PAID_BY_FOREIGN_CORPORATIONS: 'ordinary',
  PROPERTY_INCOME: 'property_income',
  PROPERTY_INCOME_DISTRIBUTION: 'property_income',
  REAL_PROPERTY_INCOME_AND_NATURAL_RESOURCES_ROYALTIES: 'property_income',
  INTEREST: 'interest',
  INTEREST_PAID_BY_US_OBLIGORS: 'interest',
  INTEREST_PAID_BY_FOREIGN_CORPORATIONS: 'interest',
  CAPITAL_GAINS: 'capital_gains',
  CAPITAL_GAINS_DISTRIBUTION: 'capital_gains',
  CAPITAL_GAINS_DISTRIBUTION_NON_US: 'capital_gains',
  SHORT_TERM_CAPITAL_GAINS: 'capital_gains',
  LONG_TERM_CAPITAL_GAINS: 'capital_gains',
  RETURN_OF_CAPITAL: 'return_of_capital',
  RETURN_OF_CAPITAL_NON_US: 'return_of_capital',
  INTERIM_LIQUIDATION: 'liquidation',
  DEMERGER: 'demerger',
  TAX_EXEMPTED: 'tax_exempt',
};

const suffix = '_MANUFACTURED_PAYMENT';

const getPlainTreatment = (type: string): DividendTreatment =>
  Object.hasOwn(treatments, type) ? (treatments[type] as DividendTreatment) : 'other';

const capital = new Set<DividendTreatment>(['return_of_capital', 'liquidation', 'demerger']);

/**
 * The treatment of a dividend type; `other` for a type that no treatment fits. A manufactured payment replaces the
 * dividend of a lent share and is treated like it. One that replaces a payment of capital is `other`: the borrower paid
 * it, so the company returned nothing.
 */
export function getTreatment(type: string): DividendTreatment {
  if (!type.endsWith(suffix)) return getPlainTreatment(type);
  return isManufacturedCapital(type) ? 'other' : getPlainTreatment(type.slice(0, -suffix.length));
}

/** Whether the borrower of lent shares paid it in place of a payment of capital. */
export const isManufacturedCapital = (type: string): boolean =>
  type.endsWith(suffix) && capital.has(getPlainTreatment(type.slice(0, -suffix.length)));

/** Whether a dividend type is a payment of capital and no income. */
export const isCapitalPayment = (type: string): boolean => capital.has(getTreatment(type));
