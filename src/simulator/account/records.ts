/** What the account keeps. Decimals are exact strings, so that a record is its own persisted form. */

export type OrderType = 'LIMIT' | 'STOP' | 'MARKET' | 'STOP_LIMIT';
export type Side = 'BUY' | 'SELL';
type OrderStatus = 'NEW' | 'CONFIRMED' | 'PARTIALLY_FILLED' | 'CANCELLING' | 'CANCELLED' | 'REJECTED' | 'FILLED';
export type InitiatedFrom = 'API' | 'IOS' | 'ANDROID' | 'WEB' | 'SYSTEM' | 'AUTOINVEST';

export interface OrderRecord {
  readonly id: number;
  readonly createdAt: number;
  readonly ticker: string;
  readonly type: OrderType;
  readonly side: Side;
  /** Signed: negative sells. Undefined for an order by value. */
  readonly quantity?: string;
  /** Account currency; for orders by value, which only the app places. */
  readonly value?: string;
  readonly limitPrice?: string;
  readonly stopPrice?: string;
  readonly timeInForce: 'DAY' | 'GOOD_TILL_CANCEL';
  readonly extendedHours: boolean;
  readonly initiatedFrom: InitiatedFrom;
  status: OrderStatus;
  /** Signed like quantity. */
  filledQuantity: string;
  filledValue?: string;
  /** Cash put aside for a buy that is pending; account currency. */
  reserved: string;
  /** When the price passed the stop price. */
  triggeredAt?: number;
  /** When the cancellation that was asked for takes effect. */
  cancelAt?: number;
  /** When the rest of a partly filled order is due. */
  restAt?: number;
}

export type TaxName =
  | 'CURRENCY_CONVERSION_FEE'
  | 'FINRA_FEE'
  | 'FRENCH_TRANSACTION_TAX'
  | 'PTM_LEVY'
  | 'STAMP_DUTY_RESERVE_TAX'
  | 'TRANSACTION_FEE';

export interface TaxRecord {
  readonly name: TaxName;
  /** Account currency, positive. */
  readonly quantity: string;
}

export interface FillRecord {
  readonly id: number;
  readonly filledAt: number;
  /** Instrument currency. */
  readonly price: string;
  /** Signed: negative sells. */
  readonly quantity: string;
  readonly type: 'TRADE' | 'STOCK_SPLIT';
  readonly tradingMethod: 'TOTV' | 'OTC';
  /** Units of the instrument's currency for one unit of the account's. */
  readonly fxRate: string;
  /** What moved in cash, account currency, always positive: taxes are added to a buy and taken from a sale. */
  readonly netValue: string;
  readonly taxes: readonly TaxRecord[];
  /** Account currency, against average cost; 0 for a buy. */
  readonly realisedProfitLoss: string;
}

export interface HistoryRow {
  readonly order: OrderRecord;
  readonly fill?: FillRecord;
  /** When it happened: filled, cancelled, rejected or expired. The list is in this order. */
  readonly at: number;
}

export interface DividendRecord {
  readonly reference: string;
  readonly ticker: string;
  readonly quantity: string;
  /** After withholding, account currency. */
  readonly amount: string;
  readonly amountInEuro: string;
  /** Before withholding, instrument currency. */
  readonly grossAmountPerShare: string;
  readonly withheld: string;
  readonly fxRate: string;
  readonly at: number;
  readonly type: string;
}

export interface TransactionRecord {
  readonly reference: string;
  readonly type: 'DEPOSIT' | 'WITHDRAW' | 'FEE' | 'INTEREST_ON_FREE_CASH';
  /** Signed: what moved in cash. */
  readonly amount: string;
  readonly at: number;
}

export interface PieRecord {
  readonly id: number;
  readonly createdAt: number;
  name: string;
  icon?: string;
  goal?: string;
  endDate?: string;
  dividendCashAction: 'REINVEST' | 'TO_ACCOUNT_CASH';
  /** Ticker to weight. */
  shares: Record<string, string>;
  /** Ticker to shares owned inside the pie. */
  holdings: Record<string, string>;
  /** Cash inside the pie that is not invested. */
  cash: string;
}

export interface ReportRecord {
  readonly id: number;
  readonly requestedAt: number;
  readonly timeFrom: number;
  readonly timeTo: number;
  readonly included: {
    readonly includeDividends: boolean;
    readonly includeInterest: boolean;
    readonly includeOrders: boolean;
    readonly includeTransactions: boolean;
  };
  readonly signature: string;
}
