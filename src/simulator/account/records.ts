/** The records of the account. Decimals are exact strings, so that a record is persisted unchanged. */

import type { FillType } from '../../core/endpoints/index.ts';
import { hashNumbers } from '../random.ts';

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
  /** Cash reserved for a pending buy; account currency. */
  reserved: string;
  /** When the price passed the stop price (ms). */
  triggeredAt?: number;
  /** When the requested cancellation takes effect (ms). */
  cancelAt?: number;
  /** When the remainder of a partly filled order fills (ms). */
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
  /** The name in the interface, where a report has none of its own for it. */
  readonly shownAs?: 'STAMP_DUTY' | 'COMMISSION_TURNOVER';
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
  readonly type: FillType;
  readonly tradingMethod: 'TOTV' | 'OTC';
  /** Units of the instrument's currency per unit of the account's. */
  readonly fxRate: string;
  /** Cash moved, account currency, always positive: taxes are added to a buy and subtracted from a sale. */
  readonly netValue: string;
  readonly taxes: readonly TaxRecord[];
  /** Account currency, by average cost; 0 for a buy. */
  readonly realisedProfitLoss: string;
}

export interface HistoryRow {
  readonly order: OrderRecord;
  readonly fill?: FillRecord;
  /** When it was filled, cancelled, rejected or expired (ms); the list has this order. */
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
  /** The type in the interface, where the books have none of their own for it. */
  readonly shownAs?: 'TRANSFER';
  /** The action in a report, where it is not that of the type. */
  readonly reportedAs?: string;
  /** The currency of a wallet that is not the account's; the ledger has only the account's. */
  readonly currency?: string;
  /** The other leg of a currency conversion, which has one row in a report and two in the interface. */
  readonly convertedTo?: { readonly amount: string; readonly currency: string };
  /** A leg that the report's row of the other leg contains. */
  readonly isInOtherRow?: true;
  /** Signed: the cash moved. */
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
  /** Weights by ticker. */
  shares: Record<string, string>;
  /** Shares inside the pie by ticker. */
  holdings: Record<string, string>;
  /** Uninvested cash in the pie. */
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

// Observed: orders and fills have one series of ids, and the id of a fill is just above that of its order.

/** Observed: ids are around this number, which 32 bits cannot hold. */
export const firstOrderId = 50_000_000_000;

/** An order fills in at most two parts, and the next order leaves room for their ids. */
const maxFills = 2;

/** Takes the id of a new order. */
export function takeOrderId(account: { nextOrderId: number }, seed: number): number {
  const id = account.nextOrderId;
  account.nextOrderId += 1 + maxFills + (hashNumbers(seed, id) % 900);
  return id;
}

/** Returns the id of an order's nth fill, counted from 1. */
export const getFillId = (orderId: number, nth: 1 | 2): number => orderId + nth;
