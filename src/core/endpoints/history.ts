import { defineEndpoint } from './endpoint.ts';
import { dateTime, decimal, int64, nested, openEnum, optionalArrayOf, record, row, text } from './fields.ts';
import { instrument } from './instruments.ts';
import { order } from './orders.ts';
import { paginatedList } from './shapes.ts';

/**
 * docs/interface.md, Endpoints, has both 6 and 20 per minute; the stricter one is used until response headers
 * arrive.
 */
const historyLimit = { requests: 6, periodSeconds: 60 } as const;

const tax = record({
  name: openEnum([
    'COMMISSION_TURNOVER',
    'CURRENCY_CONVERSION_FEE',
    'FINRA_FEE',
    'FRENCH_TRANSACTION_TAX',
    'PTM_LEVY',
    'STAMP_DUTY',
    'STAMP_DUTY_RESERVE_TAX',
    'TRANSACTION_FEE',
  ]),
  quantity: decimal(),
  currency: text(),
  chargedAt: dateTime(),
});

const fillWalletImpact = record({
  currency: text(),
  /** Its direction is unreliable: derive it per row from quantity, price and netValue. */
  fxRate: decimal(),
  netValue: decimal(),
  realisedProfitLoss: decimal(),
  taxes: optionalArrayOf(tax),
});

export const fillTypes = [
  'TRADE',
  'STOCK_SPLIT',
  'STOCK_DISTRIBUTION',
  'FOP',
  'FOP_CORRECTION',
  'CUSTOM_STOCK_DISTRIBUTION',
  'EQUITY_RIGHTS',
  'SCRIP_STOCK_DIVIDENDS',
  'STOCK_DIVIDENDS',
  'STOCK_ACQUISITION',
  'CASH_AND_STOCK_ACQUISITION',
  'SPIN_OFF',
] as const;

export type FillType = (typeof fillTypes)[number];

const fill = record({
  id: int64(),
  filledAt: dateTime(),
  /** Per share, instrument currency. */
  price: decimal(),
  quantity: decimal(),
  tradingMethod: openEnum(['TOTV', 'OTC']),
  type: openEnum(fillTypes),
  walletImpact: nested(fillWalletImpact),
});

/** A row without an execution has no `fill`. */
const historicalOrder = row({ order: nested(order), fill: nested(fill) });

const plainDividendTypes = [
  'ORDINARY',
  'BONUS',
  'PROPERTY_INCOME',
  'RETURN_OF_CAPITAL_NON_US',
  'DEMERGER',
  'INTEREST',
  'CAPITAL_GAINS_DISTRIBUTION_NON_US',
  'INTERIM_LIQUIDATION',
  'INTEREST_PAID_BY_US_OBLIGORS',
  'INTEREST_PAID_BY_FOREIGN_CORPORATIONS',
  'DIVIDENDS_PAID_BY_US_CORPORATIONS',
  'DIVIDENDS_PAID_BY_FOREIGN_CORPORATIONS',
  'CAPITAL_GAINS',
  'REAL_PROPERTY_INCOME_AND_NATURAL_RESOURCES_ROYALTIES',
  'OTHER_INCOME',
  'QUALIFIED_INVESTMENT_ENTITY',
  'TRUST_DISTRIBUTION',
  'PUBLICLY_TRADED_PARTNERSHIP_DISTRIBUTION',
  'CAPITAL_GAINS_DISTRIBUTION',
  'RETURN_OF_CAPITAL',
  'OTHER_DIVIDEND_EQUIVALENT',
  'TAX_EVENT_1446F_FOR_PUBLICLY_TRADED_SECURITIES',
  'PTP_UNCHARACTERISED_INCOME',
  'MULTIPLE_1042S_TAX_COMPONENTS',
  'DIVIDEND',
  'SHORT_TERM_CAPITAL_GAINS',
  'LONG_TERM_CAPITAL_GAINS',
  'PROPERTY_INCOME_DISTRIBUTION',
  'TAX_EXEMPTED',
] as const;

type PlainDividendType = (typeof plainDividendTypes)[number];

/** The 29 values of the specification, each also with the suffix `_MANUFACTURED_PAYMENT`. */
export const dividendTypes: readonly (PlainDividendType | `${PlainDividendType}_MANUFACTURED_PAYMENT`)[] = [
  ...plainDividendTypes,
  ...plainDividendTypes.map((type) => `${type}_MANUFACTURED_PAYMENT` as const),
];

const dividend = row({
  ticker: text(),
  instrument: nested(instrument),
  reference: text(),
  quantity: decimal(),
  /** In the account's primary currency. */
  amount: decimal(),
  amountInEuro: decimal(),
  /** The account's primary currency. */
  currency: text(),
  /** In the instrument's currency. */
  grossAmountPerShare: decimal(),
  tickerCurrency: text(),
  paidOn: dateTime(),
  type: openEnum(dividendTypes),
});

export const transactionTypes = ['WITHDRAW', 'DEPOSIT', 'FEE', 'TRANSFER'] as const;

const transaction = row({
  type: openEnum(transactionTypes),
  /** In the transaction's currency, with the service's sign: a withdrawal may be positive. */
  amount: decimal(),
  currency: text(),
  dateTime: dateTime(),
  reference: text(),
});

const reading = { method: 'GET', effect: 'read', limit: historyLimit } as const;

export const listHistoricalOrders = defineEndpoint({
  id: 'listHistoricalOrders',
  ...reading,
  path: '/equity/history/orders',
  query: ['limit', 'cursor', 'ticker'],
  response: paginatedList(historicalOrder),
});

export const listDividends = defineEndpoint({
  id: 'listDividends',
  ...reading,
  path: '/equity/history/dividends',
  query: ['limit', 'cursor', 'ticker'],
  response: paginatedList(dividend),
});

export const listTransactions = defineEndpoint({
  id: 'listTransactions',
  ...reading,
  path: '/equity/history/transactions',
  query: ['limit', 'cursor', 'time'],
  response: paginatedList(transaction),
});
