/** The current state of the account, and the operations that add to it. */

import Big from 'big.js';
import { dayMs } from '../../core/clock.ts';
import { toUuid } from '../random.ts';
import type { World } from '../world/world.ts';
import { bookCash, bookFill, copyLedger, type Ledger } from './ledger.ts';
import {
  type DividendRecord,
  type FillRecord,
  firstOrderId,
  type HistoryRow,
  type OrderRecord,
  type PieRecord,
  type ReportRecord,
  type TransactionRecord,
} from './records.ts';
import { getSeedHistory, type SeedHistory } from './seed-history.ts';
import { addRareRows } from './seed-rare-rows.ts';

export interface Account {
  readonly id: number;
  readonly startedAt: number;
  readonly ledger: Ledger;
  /** Oldest first, like dividends and transactions. */
  readonly history: HistoryRow[];
  readonly dividends: DividendRecord[];
  readonly transactions: TransactionRecord[];
  readonly pending: Map<number, OrderRecord>;
  readonly pies: Map<number, PieRecord>;
  readonly reports: ReportRecord[];
  /** Number of rows at the start. */
  readonly seeded: { readonly history: number; readonly dividends: number; readonly transactions: number };
  /** The order book has been advanced to this time. */
  settledAt: number;
  nextOrderId: number;
  nextPieId: number;
  nextReportId: number;
  /** Increases with each change. */
  revision: number;
  /** The ledger before the last fill, and the time of that fill: for the quirk in which reads lag behind. */
  beforeFill: { readonly ledger: Ledger; readonly at: number; readonly orders: OrderRecord[] } | undefined;
}

/** How many ids of accounts are between two accounts of a service. */
const accountIdStep = 1_000_000;

/** Opens the seeded account with a number from 1; `rareRows` adds the rows of seed-rare-rows.ts. */
export async function openAccount(world: World, startedAt: number, rareRows = false, number = 1): Promise<Account> {
  const past = await getSeedHistory(world, startedAt, number);
  if (rareRows) addRareRows(world, past, startedAt);
  return createAccount(startedAt, {
    id: 20_300_000 + (world.seed % 100_000) + (number - 1) * accountIdStep,
    past,
    pies: seedPies(past.ledger, startedAt),
  });
}

/** Creates an account with a past and pies, and without pending orders. */
export function createAccount(
  startedAt: number,
  { id, past, pies }: { readonly id: number; readonly past: SeedHistory; readonly pies: readonly PieRecord[] },
): Account {
  const { ledger, history, dividends, transactions } = past;
  return {
    id,
    startedAt,
    ledger,
    history,
    dividends,
    transactions,
    pending: new Map(),
    pies: new Map(pies.map((pie) => [pie.id, pie])),
    reports: [],
    seeded: { history: history.length, dividends: dividends.length, transactions: transactions.length },
    settledAt: startedAt,
    nextOrderId: history.reduce((last, { order }) => Math.max(last, order.id), firstOrderId) + 731,
    nextPieId: pies.reduce((last, { id }) => Math.max(last, id), 0) + 13,
    nextReportId: 4_410_001,
    revision: 0,
    beforeFill: undefined,
  };
}

export function addDividend(account: Account, row: DividendRecord): void {
  account.dividends.push(row);
  bookCash(account.ledger, row);
  account.revision++;
}

export function addTransaction(account: Account, row: TransactionRecord): void {
  account.transactions.push(row);
  bookCash(account.ledger, row);
  account.revision++;
}

/** Books a fill and adds its row. */
export function addFill(account: Account, order: OrderRecord, fill: FillRecord, nowMs: number): void {
  account.beforeFill = {
    ledger: copyLedger(account.ledger),
    at: nowMs,
    orders: [...account.pending.values()].map((one) => ({ ...one })),
  };
  account.history.push({ order, at: fill.filledAt, fill: bookFill(account.ledger, order, fill) });
  account.revision++;
}

/** Adds a transaction of the current day, with its own reference. */
export const newTransaction = (
  account: Account,
  type: TransactionRecord['type'],
  amount: Big,
  at: number,
): TransactionRecord => ({
  reference: toUuid(`transaction ${account.id} ${account.transactions.length} ${at}`),
  type,
  amount: amount.toFixed(2),
  at,
});

const sum = (amounts: Iterable<string>): Big => {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total;
};

/** Returns the cash reserved for pending buys; with `placedUntil`, only for those placed until then. */
export const reservedCash = (account: Account, placedUntil = Number.POSITIVE_INFINITY): Big =>
  sum([...account.pending.values()].filter((order) => order.createdAt <= placedUntil).map(({ reserved }) => reserved));

/** Returns the cash in pies. */
export const pieCash = (account: Account): Big => sum([...account.pies.values()].map(({ cash }) => cash));

export const availableCash = (account: Account): Big =>
  account.ledger.cash.minus(reservedCash(account)).minus(pieCash(account));

/** Returns the shares of a ticker inside pies. */
export const sharesInPies = (account: Account, ticker: string): Big =>
  sum([...account.pies.values()].map(({ holdings }) => holdings[ticker] ?? '0'));

/**
 * Returns the shares of a ticker reserved for pending sales, positive; with a time, only for those placed until then.
 */
export function reservedShares(account: Account, ticker: string, placedUntil = Number.POSITIVE_INFINITY): Big {
  let total = new Big(0);
  for (const order of account.pending.values()) {
    if (order.ticker !== ticker || order.side !== 'SELL' || order.createdAt > placedUntil) continue;
    total = total.plus(order.filledQuantity).minus(order.quantity ?? '0');
  }
  return total;
}

export const availableShares = (account: Account, ticker: string): Big =>
  (account.ledger.holdings.get(ticker)?.quantity ?? new Big(0))
    .minus(sharesInPies(account, ticker))
    .minus(reservedShares(account, ticker));

/** Returns two pies that own a part of the holdings. */
function seedPies(ledger: Ledger, startedAt: number): PieRecord[] {
  const owned = (tickers: readonly string[], part: string) =>
    Object.fromEntries(
      tickers.flatMap((ticker) => {
        const quantity = ledger.holdings.get(ticker)?.quantity.times(part).round(4, 0);
        return quantity?.gt(0) ? [[ticker, quantity.toFixed()]] : [];
      }),
    );
  return [
    {
      id: 1_204_411,
      createdAt: startedAt - 700 * dayMs,
      name: 'Steady income',
      icon: 'Coins',
      goal: '5000',
      endDate: new Date(startedAt + 900 * dayMs).toISOString(),
      dividendCashAction: 'REINVEST',
      shares: { QDIVIl_EQ: '0.5', ZBONDl_EQ: '0.3', QBRAMl_EQ: '0.2' },
      holdings: owned(['QDIVIl_EQ', 'ZBONDl_EQ', 'QBRAMl_EQ'], '0.3'),
      cash: '25.40',
    },
    {
      id: 1_311_920,
      createdAt: startedAt - 410 * dayMs,
      name: 'World core',
      icon: 'Globe',
      dividendCashAction: 'TO_ACCOUNT_CASH',
      shares: { QWRLDl_EQ: '0.6', ZSANXl_EQ: '0.4' },
      holdings: owned(['QWRLDl_EQ', 'ZSANXl_EQ'], '0.25'),
      cash: '12.15',
    },
  ];
}
