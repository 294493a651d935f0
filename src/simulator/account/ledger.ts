/** Cash, holdings and realised result: the sum of all history rows, exact to the penny. */

import Big from 'big.js';
import type { DividendRecord, FillRecord, OrderRecord, TransactionRecord } from './records.ts';

export interface LedgerHolding {
  readonly ticker: string;
  readonly openedAt: number;
  quantity: Big;
  /** Total paid for the current holding, taxes included; account currency. */
  totalCost: Big;
  /**
   * Price times quantity of the current holding, in the instrument's currency and, at the rates paid, in the account's.
   */
  paid: Big;
  gross: Big;
}

export interface Ledger {
  /** All cash: available, reserved and in pies. */
  cash: Big;
  realised: Big;
  readonly holdings: Map<string, LedgerHolding>;
}

export const createLedger = (): Ledger => ({ cash: new Big(0), realised: new Big(0), holdings: new Map() });

export const copyLedger = (ledger: Ledger): Ledger => ({
  cash: ledger.cash,
  realised: ledger.realised,
  holdings: new Map([...ledger.holdings].map(([ticker, holding]) => [ticker, { ...holding }])),
});

const createHolding = (ticker: string, openedAt: number): LedgerHolding => ({
  ticker,
  openedAt,
  quantity: new Big(0),
  totalCost: new Big(0),
  paid: new Big(0),
  gross: new Big(0),
});

/** Books a fill and returns it with its realised result. A corporate action changes shares, and no cost. */
export function bookFill(ledger: Ledger, order: Pick<OrderRecord, 'ticker' | 'side'>, fill: FillRecord): FillRecord {
  if (fill.type !== 'TRADE') {
    const holding = ledger.holdings.get(order.ticker) ?? createHolding(order.ticker, fill.filledAt);
    holding.quantity = holding.quantity.plus(fill.quantity);
    ledger.holdings.set(order.ticker, holding);
    return fill;
  }
  return order.side === 'BUY' ? bookBuy(ledger, order.ticker, fill) : bookSale(ledger, order.ticker, fill);
}

function bookBuy(ledger: Ledger, ticker: string, fill: FillRecord): FillRecord {
  const holding = ledger.holdings.get(ticker) ?? createHolding(ticker, fill.filledAt);
  const paid = new Big(fill.price).times(fill.quantity);
  holding.quantity = holding.quantity.plus(fill.quantity);
  holding.totalCost = holding.totalCost.plus(fill.netValue);
  holding.paid = holding.paid.plus(paid);
  holding.gross = holding.gross.plus(toAccountCurrency(paid, new Big(fill.fxRate)).round(10, 1));
  ledger.holdings.set(ticker, holding);
  ledger.cash = ledger.cash.minus(fill.netValue);
  return { ...fill, realisedProfitLoss: '0' };
}

function bookSale(ledger: Ledger, ticker: string, fill: FillRecord): FillRecord {
  const holding = ledger.holdings.get(ticker);
  const sold = new Big(fill.quantity).abs();
  if (!holding || holding.quantity.lt(sold)) throw new RangeError(`sale of more ${ticker} than is held`);
  const isAll = holding.quantity.eq(sold);
  // Rounds the cost to pennies, so that the sum of all realised results stays exact.
  const cost = isAll ? holding.totalCost : roundToPence(holding.totalCost.times(sold).div(holding.quantity));
  const prorate = (amount: Big) => amount.times(sold).div(holding.quantity).round(10, 1);
  holding.paid = holding.paid.minus(prorate(holding.paid));
  holding.gross = holding.gross.minus(prorate(holding.gross));
  holding.totalCost = holding.totalCost.minus(cost);
  holding.quantity = holding.quantity.minus(sold);
  if (isAll) ledger.holdings.delete(ticker);
  const realised = new Big(fill.netValue).minus(cost);
  ledger.cash = ledger.cash.plus(fill.netValue);
  ledger.realised = ledger.realised.plus(realised);
  return { ...fill, realisedProfitLoss: realised.toFixed() };
}

export function bookCash(ledger: Ledger, row: DividendRecord | TransactionRecord): void {
  // The ledger has only the wallet in the account's currency.
  if ('currency' in row && row.currency !== undefined) return;
  ledger.cash = ledger.cash.plus(row.amount);
}

/** Rounds half up to the penny. */
export const roundToPence = (amount: Big): Big => amount.round(2, 1);

/** Converts an amount in another currency, or in pence, to the account's currency; `rate` is units per pound. */
export function toAccountCurrency(amount: Big, rate: Big): Big {
  // Half of all rows have one of these two rates, and skipping the division saves time: it is slow in big.js.
  if (rate.eq(1)) return amount;
  return rate.eq(100) ? amount.times('0.01') : amount.div(rate);
}
