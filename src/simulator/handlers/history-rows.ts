import Big from 'big.js';
import type { DividendRecord, FillRecord, HistoryRow, TransactionRecord } from '../account/records.ts';
import type { State } from './handler-state.ts';
import { formatQuantity, instrumentBody, orderBody } from './orders.ts';

export const historyRowBody = (row: HistoryRow, state: State) => ({
  order: { ...orderBody(row.order, state), createdAt: toSecond(row.order.createdAt) },
  fill: row.fill && fillBody(row.fill, state),
});

/** Observed: times in the order history have no fraction of a second. */
const toSecond = (atMs: number): Date => new Date(Math.floor(atMs / 1000) * 1000);

const fillBody = (fill: FillRecord, { quirks, world }: State) => ({
  id: BigInt(fill.id),
  filledAt: toSecond(fill.filledAt),
  price: new Big(fill.price),
  quantity: formatQuantity(fill.quantity, quirks),
  tradingMethod: quirks.unknownEnums && fill.tradingMethod === 'OTC' ? 'SYSTEMATIC' : fill.tradingMethod,
  type: fill.type,
  walletImpact: {
    currency: world.currency,
    fxRate: new Big(fill.fxRate),
    netValue: new Big(fill.netValue),
    realisedProfitLoss: new Big(fill.realisedProfitLoss),
    taxes: fill.taxes.map(({ name, shownAs, quantity }) => ({
      name: shownAs ?? name,
      // Observed: what is charged is negative; one published sample is positive.
      quantity: quirks.taxSign === 'negative' ? new Big(quantity).neg() : new Big(quantity),
      currency: world.currency,
      chargedAt: toSecond(fill.filledAt),
    })),
  },
});

export const dividendBody = (row: DividendRecord, { world, quirks }: State) => ({
  ticker: row.ticker,
  instrument: instrumentBody(world, row.ticker),
  reference: row.reference,
  quantity: new Big(row.quantity),
  amount: new Big(row.amount),
  amountInEuro: new Big(row.amountInEuro),
  currency: world.currency,
  grossAmountPerShare: new Big(row.grossAmountPerShare),
  tickerCurrency: world.get(row.ticker).currency,
  paidOn: new Date(row.at),
  type: quirks.unknownEnums && row.type === 'ORDINARY' ? 'SPECIAL_ORDINARY' : row.type,
});

export const transactionBody = (row: TransactionRecord, { quirks, world }: State) => ({
  type:
    quirks.unknownEnums && row.type === 'INTEREST_ON_FREE_CASH' && row.amount.endsWith('1')
      ? 'LENDING_INTEREST'
      : (row.shownAs ?? row.type),
  amount: quirks.positiveWithdrawals ? new Big(row.amount).abs() : new Big(row.amount),
  currency: row.currency ?? world.currency,
  dateTime: new Date(row.at),
  reference: row.reference,
});
