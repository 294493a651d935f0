/**
 * Finds orders of other programs that ended immediately: they are never among the pending orders. While this program
 * trades, one process reads the newest page of the order history once a minute for all processes of the account.
 */
import Big from 'big.js';
import type { Broker, CallContext } from '../../broker/types.ts';
import { endpoints, type HistoricalOrder } from '../../catalogue/index.ts';
import { type Clock, dayMs } from '../../clock.ts';
import { readExternalRecord, writeExternalRecord } from '../account/external-record.ts';
import { computeNewestTime, isFinalOrder } from '../account/find-order.ts';
import type { TradingSettings } from '../enrollment/trading-settings.ts';
import type { Journal, JournalChange, JournalView } from '../intent/ports.ts';
import type { RiskLimits } from '../intent/risk-limits.ts';
import { clockMarginMs, noteExternalOrders, readWatchStart, type SeenOrder } from './external-orders.ts';

export interface WatchDeps {
  readonly broker: Broker;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly settings: TradingSettings;
  readonly limits: (tx: JournalView) => Promise<RiskLimits>;
  readonly readOnly: boolean;
}

/** How often the page is read (ms). */
const everyMs = 60_000;
/** A page that another call read this long ago (ms) serves too: as old as the account data of an order may be. */
const sharedMs = 30_000;
/** Half of the requests that the service allows in a minute. */
const maxPages = 3;

/**
 * Reads the newest orders if a minute has passed since a process did, and records those of other programs. Searches for
 * own orders go first. Returns when to call again (ms); undefined when this process or environment does not watch.
 * Never throws: what could not be read is read a minute later.
 */
export async function watchOrders(
  deps: WatchDeps,
  accountKey: string,
  context: CallContext,
): Promise<number | undefined> {
  const { journal, clock, settings } = deps;
  const { environment, liveTrading } = settings;
  if (deps.readOnly || environment === 'sandbox' || (environment === 'live' && !liveTrading)) return undefined;
  try {
    const now = clock.now();
    const dueAt = await journal.read((tx) => readDueAt(tx, deps, accountKey));
    if (dueAt === undefined || dueAt > now) return dueAt;
    const claimed = await journal.change((tx) => claim(tx, deps, accountKey));
    if (claimed === undefined) return now + everyMs;
    const seen = await readOrders(deps.broker, claimed.readAt, {
      ...context,
      // The background load leaves one request free for searches of own orders, and so does this read.
      priority: 'sync',
      notBefore: now - sharedMs,
    });
    await journal.change(async (tx) => {
      const recent = seen.rows.filter(({ order }) => Date.parse(order.createdAt ?? '') > clock.now() - dayMs);
      const limits = await deps.limits(tx);
      const unread = { pending: undefined, serviceOffsetMs: undefined };
      await noteExternalOrders(tx, { environment, limits, accountKey, orders: recent, ...unread, now: clock.now() });
      const record = await readExternalRecord(tx, accountKey);
      if (record && seen.readAt !== undefined)
        await writeExternalRecord(tx, accountKey, { ...record, readAt: seen.readAt });
    });
  } catch {
    // The store cannot be used, so no order is sent either.
  }
  return clock.now() + everyMs;
}

/** When the page may be read (ms); undefined in an environment without a start. */
async function readDueAt(tx: JournalView, { clock, settings }: WatchDeps, accountKey: string) {
  const record = await readExternalRecord(tx, accountKey);
  if (settings.environment === 'live' && (await readWatchStart(tx, 'live', record)) === undefined) return undefined;
  const now = clock.now();
  const searched = await tx.list({ accountKey, states: ['UNKNOWN'] });
  if (searched.some(({ search }) => search && search.nextAt <= now)) return now + 1;
  // A clock that was set back must not stop the reads.
  const nextAt = record?.nextAt ?? 0;
  return nextAt > now + everyMs ? now : nextAt;
}

/** Takes the turn of this minute for this process; undefined when another process has it. */
async function claim(tx: JournalChange, deps: WatchDeps, accountKey: string) {
  const now = deps.clock.now();
  const dueAt = await readDueAt(tx, deps, accountKey);
  if (dueAt === undefined || dueAt > now) return undefined;
  const record = await readExternalRecord(tx, accountKey);
  const since = deps.settings.environment === 'demo' ? (record?.since ?? now) : undefined;
  const claimed = { orders: [], ...record, since, nextAt: now + everyMs };
  await writeExternalRecord(tx, accountKey, claimed);
  return claimed;
}

/**
 * Reads from the newest order back to those that the last read has seen; the first read takes one page. `readAt` is when
 * the newest page was requested; undefined when the orders could not all be read.
 */
async function readOrders(
  broker: Broker,
  lastReadAt: number | undefined,
  context: CallContext,
): Promise<{ readonly readAt: number | undefined; readonly rows: readonly SeenOrder[] }> {
  const rows: HistoricalOrder[] = [];
  let readAt: number | undefined;
  let [last, pages]: [HistoricalOrder | undefined, number] = [undefined, 0];
  try {
    for await (const page of broker.pages(endpoints.listHistoricalOrders, {}, context)) {
      readAt ??= page.askedAt;
      rows.push(...page.items);
      last = page.next && page.items.at(-1);
      const isSeen = lastReadAt === undefined || (last && computeNewestTime(last) < lastReadAt - clockMarginMs);
      if (isSeen || ++pages >= maxPages) break;
    }
  } catch {
    // What was read counts. The next minute reads again, back to the last read that was complete.
    readAt = undefined;
  }
  return { readAt, rows: toSeen(rows, last) };
}

/** The orders of the rows. The fills of one order are several rows, and those of the last may go on behind the page. */
function toSeen(rows: readonly HistoricalOrder[], cut: HistoricalOrder | undefined): readonly SeenOrder[] {
  const orders = new Map<string, { order: SeenOrder['order']; fills: (string | undefined)[] }>();
  for (const { order, fill } of rows) {
    if (order?.id === undefined) continue;
    const seen = orders.get(order.id) ?? { order, fills: [] };
    if (fill) seen.fills.push(fill.walletImpact?.netValue);
    orders.set(order.id, seen);
  }
  return [...orders.values()].map(({ order, fills }) => ({
    order,
    value: isFinalOrder(order) && order.id !== cut?.order?.id ? sumValues(fills) : undefined,
  }));
}

/** The total in the account currency; undefined when a value is missing. */
function sumValues(values: readonly (string | undefined)[]): string | undefined {
  let sum = new Big(0);
  for (const value of values) {
    if (value === undefined) return undefined;
    sum = sum.plus(new Big(value).abs());
  }
  return sum.toFixed();
}
