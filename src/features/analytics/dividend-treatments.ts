/** What a dividend is for tax. The type is the service's; the treatment says how such a payment is declared. */

/**
 * `return_of_capital`, `liquidation` and `demerger` are payments of capital: they reduce the cost of the shares or
 * are a disposal, and are no income.
 */
export type DividendTreatment =
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
