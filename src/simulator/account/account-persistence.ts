/** Saves and restores the account; the text contains only the differences from its seeded start. */
import type { World } from '../world/world.ts';
import { bookFill } from './ledger.ts';
import type { DividendRecord, FillRecord, OrderRecord, PieRecord, ReportRecord, TransactionRecord } from './records.ts';
import { type Account, addDividend, addTransaction, openAccount } from './simulated-account.ts';

/** Version 1 of the persisted text. */
interface Saved {
  readonly version: 1;
  readonly seed: number;
  readonly startedAt: number;
  readonly settledAt: number;
  readonly next: { order: number; pie: number; report: number };
  readonly orders: OrderRecord[];
  readonly rows: { orderId: number; fill?: FillRecord; at: number }[];
  readonly pending: number[];
  readonly dividends: DividendRecord[];
  readonly transactions: TransactionRecord[];
  readonly pies: PieRecord[];
  readonly reports: ReportRecord[];
}

export function saveAccount(account: Account, seed: number): string {
  const rows = account.history.slice(account.seeded.history);
  const orders = new Map(account.pending);
  for (const { order } of rows) orders.set(order.id, order);
  const saved: Saved = {
    version: 1,
    seed,
    startedAt: account.startedAt,
    settledAt: account.settledAt,
    next: {
      order: account.nextOrderId,
      pie: account.nextPieId,
      report: account.nextReportId,
    },
    orders: [...orders.values()],
    rows: rows.map(({ order, fill, at }) => ({ orderId: order.id, ...(fill && { fill }), at })),
    pending: [...account.pending.keys()],
    dividends: account.dividends.slice(account.seeded.dividends),
    transactions: account.transactions.slice(account.seeded.transactions),
    pies: [...account.pies.values()],
    reports: account.reports,
  };
  return JSON.stringify(saved);
}

/** The seed of a saved account, and when it started (ms). */
export const readStart = (text: string): Pick<Saved, 'seed' | 'startedAt'> => JSON.parse(text) as Saved;

/** Restores an account. Rejects when the text is not from saveAccount, or belongs to another seed. */
export async function restoreAccount(text: string, world: World, rareRows: boolean, number = 1): Promise<Account> {
  const saved = JSON.parse(text) as Saved;
  if (saved.version !== 1) throw new Error('the stored account has an unknown version');
  if (saved.seed !== world.seed) throw new Error(`the stored account belongs to seed ${saved.seed}`);
  if (!Number.isFinite(saved.startedAt)) throw new Error('the stored account has no start time');
  const account = await openAccount(world, saved.startedAt, rareRows, number);
  const orders = new Map(saved.orders.map((order) => [order.id, order]));
  const getOrder = (id: number) => {
    const order = orders.get(id);
    if (!order) throw new Error(`the stored account has no order ${id}`);
    return order;
  };
  for (const { orderId, fill, at } of saved.rows) {
    const order = getOrder(orderId);
    account.history.push({ order, at, ...(fill && { fill: bookFill(account.ledger, order, fill) }) });
  }
  for (const row of saved.dividends) addDividend(account, row);
  for (const row of saved.transactions) addTransaction(account, row);
  for (const id of saved.pending) account.pending.set(id, getOrder(id));
  account.pies.clear();
  for (const pie of saved.pies) account.pies.set(pie.id, pie);
  account.reports.push(...saved.reports);
  account.settledAt = saved.settledAt;
  account.nextOrderId = saved.next.order;
  account.nextPieId = saved.next.pie;
  account.nextReportId = saved.next.report;
  account.revision = 0;
  return account;
}
