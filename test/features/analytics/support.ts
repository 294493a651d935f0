/** Rows in the form of the catalogue, made by hand or read from the simulator over HTTP. */
import Big from 'big.js';
import {
  type AccountSummary,
  type Dividend,
  endpoints,
  type HistoricalOrder,
  type Position,
  type Transaction,
} from '../../../src/core/endpoints/index.ts';
import type { SimulatorOptions } from '../../../src/simulator/index.ts';
import { setup, walk } from '../../simulator/support.ts';

export const at = (text: string): number => Date.parse(text);

interface PositionFigures {
  readonly ticker: string;
  readonly currency?: string;
  readonly isin?: string;
  readonly name?: string;
  readonly quantity?: string;
  readonly value?: string;
  readonly cost?: string;
  readonly profitLoss?: string;
  readonly fxImpact?: string;
}

export const position = (figures: PositionFigures): Position => ({
  instrument: {
    ticker: figures.ticker,
    name: figures.name ?? `${figures.ticker} plc`,
    isin: figures.isin ?? 'GB0000000001',
    currency: figures.currency ?? 'GBP',
  },
  quantity: figures.quantity ?? '1',
  createdAt: undefined,
  quantityAvailableForTrading: undefined,
  quantityInPies: undefined,
  averagePricePaid: undefined,
  // A price in pence beside values in pounds: code that takes it for a value is wrong by a factor of 100.
  currentPrice: '123456',
  walletImpact: {
    currency: 'GBP',
    currentValue: figures.value,
    totalCost: figures.cost,
    unrealizedProfitLoss: figures.profitLoss,
    fxImpact: figures.fxImpact,
  },
});

export const summaryOf = (figures: {
  readonly cash?: string;
  readonly value?: string;
  readonly cost?: string;
  readonly totalValue?: string;
  readonly currency?: string;
}): AccountSummary => ({
  id: '1',
  currency: figures.currency ?? 'GBP',
  totalValue: figures.totalValue,
  cash: { availableToTrade: figures.cash ?? '0', inPies: '0', reservedForOrders: '0' },
  investments: {
    currentValue: figures.value,
    realizedProfitLoss: '0',
    totalCost: figures.cost,
    unrealizedProfitLoss:
      figures.value !== undefined && figures.cost !== undefined
        ? new Big(figures.value).minus(figures.cost).toFixed()
        : undefined,
  },
});

export const dividend = (row: {
  readonly ticker: string;
  readonly amount?: string;
  readonly paidOn?: string;
  readonly type?: string;
  readonly currency?: string;
  readonly quantity?: string;
}): Dividend => ({
  ticker: row.ticker,
  instrument: undefined,
  reference: undefined,
  quantity: row.quantity ?? '10',
  amount: row.amount,
  amountInEuro: undefined,
  currency: row.currency ?? 'GBP',
  grossAmountPerShare: undefined,
  tickerCurrency: undefined,
  paidOn: row.paidOn,
  type: row.type ?? 'ORDINARY',
});

/** The simulator's account, read over HTTP as a client does, and its books for comparison. */
export async function simulated(options: Partial<SimulatorOptions> & { readonly startAt?: number } = {}) {
  const made = await setup(options);
  const list = async (path: string) => (await walk(made.get, path)).rows.reverse();
  const parsed = <Row>(schema: { parse(value: unknown): { items: Row[] } }, items: unknown) =>
    schema.parse({ items }).items;
  const read = async () => ({
    summary: endpoints.getAccountSummary.response.parse(
      (await made.get('/equity/account/summary')).json,
    ) as AccountSummary,
    positions: endpoints.listPositions.response.parse((await made.get('/equity/positions')).json) as Position[],
    orders: parsed<HistoricalOrder>(endpoints.listHistoricalOrders.response, await list('/equity/history/orders')),
    dividends: parsed<Dividend>(endpoints.listDividends.response, await list('/equity/history/dividends')),
    transactions: parsed<Transaction>(endpoints.listTransactions.response, await list('/equity/history/transactions')),
  });
  return { ...made, read, rows: await read(), books: made.simulator.groundTruth() };
}
