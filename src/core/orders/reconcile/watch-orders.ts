/**
 * Finds orders of other programs that ended immediately: they are never among the pending orders. While this program
 * trades, one process reads the newest page of the order history once a minute for all processes of the account.
 */
import Big from 'big.js';
import type { TradingSettings } from '../../approval/enrollment/live-origin-guard.ts';
import type { Broker, CallContext, PageCursor } from '../../broker/types.ts';
import { type Clock, dayMs } from '../../clock.ts';
import { listHistoricalOrders } from '../../endpoints/history.ts';
import type { HistoricalOrder } from '../../endpoints/index.ts';
import { log } from '../../log.ts';
import type { Environment } from '../../settings/config.ts';
import {
  type ExternalRecord,
  readExternalRecord,
  type UnreadOrders,
  writeExternalRecord,
} from '../account/external-record.ts';
import { computeNewestTime, isFinalOrder } from '../account/find-order.ts';
import { currentLimits } from '../halt/trading-state.ts';
import type { Journal, JournalChange, JournalView } from '../intent/journal-port.ts';
import type { ConfiguredLimits } from '../intent/risk-limits.ts';
import { clockMarginMs, noteExternalOrders, readWatchStart, type SeenOrder } from './external-orders.ts';
import { isSearchDue } from './reconcile-schedule.ts';

/** How often the page is read (ms). */
const readIntervalMs = 60_000;
/** A page that another call read this long ago (ms) serves too: as old as the account data of an order may be. */
const maxPageAgeMs = 30_000;
/** Half of the requests that the service allows in a minute. */
const maxPages = 3;

/**
 * Reads the newest orders if a minute has passed since a process did, and records those of other programs. Searches for
 * own orders go first. Returns when to call again (ms); undefined when this process or environment does not watch.
 * Never throws: what could not be read is read a minute later.
 */
export async function watchOrders(
  deps: {
    readonly broker: Broker;
    readonly journal: Journal;
    readonly clock: Clock;
    readonly settings: TradingSettings;
    readonly configuredLimits: ConfiguredLimits;
    readonly readOnly: boolean;
  },
  accountKey: string,
  context: CallContext,
): Promise<number | undefined> {
  const { journal, clock, settings } = deps;
  const { environment, liveTrading } = settings;
  if (deps.readOnly || environment === 'sandbox' || (environment === 'live' && !liveTrading)) return undefined;
  try {
    const now = clock.now();
    const dueAt = await journal.read((tx) => readDueAt(tx, environment, accountKey, clock.now()));
    if (dueAt === undefined || dueAt > now) return dueAt;
    const claimed = await journal.change((tx) => claim(tx, environment, accountKey, clock.now()));
    if (claimed === undefined) return now + readIntervalMs;
    const seen = await readOrders(deps.broker, claimed, now, {
      ...context,
      // The background load leaves one request free for searches of own orders, and so does this read.
      priority: 'sync',
      notBefore: now - maxPageAgeMs,
    });
    await journal.change(async (tx) => {
      const recent = seen.orders.filter(({ order }) => Date.parse(order.createdAt ?? '') > clock.now() - dayMs);
      const limits = await currentLimits(deps, tx);
      const unread = { pending: undefined, serviceOffsetMs: undefined };
      await noteExternalOrders(tx, { environment, limits, accountKey, orders: recent, ...unread, now: clock.now() });
      const record = await readExternalRecord(tx, accountKey);
      const { readAt = record?.readAt, rest } = seen;
      if (record) await writeExternalRecord(tx, accountKey, { ...record, readAt, rest });
    });
  } catch (error) {
    log.fault('search for orders of other programs', error);
    // The store cannot be used, so no order is sent either.
  }
  return clock.now() + readIntervalMs;
}

/** When the page may be read (ms); undefined in an environment without a start. */
async function readDueAt(tx: JournalView, environment: Environment, accountKey: string, now: number) {
  const record = await readExternalRecord(tx, accountKey);
  if (environment === 'live' && (await readWatchStart(tx, environment, record, now)) === undefined) return undefined;
  const searched = await tx.list({ accountKey, states: ['UNKNOWN'] });
  if (searched.some(({ search }) => search && isSearchDue(search, now))) return now + 1;
  // A clock that was set back must not stop the reads.
  const nextAt = record?.nextAt ?? 0;
  return nextAt > now + readIntervalMs ? now : nextAt;
}

/** Takes the turn of this minute for this process; undefined when another process has it. */
async function claim(tx: JournalChange, environment: Environment, accountKey: string, now: number) {
  const dueAt = (await readDueAt(tx, environment, accountKey, now)) ?? Number.POSITIVE_INFINITY;
  if (dueAt > now) return undefined;
  const record = await readExternalRecord(tx, accountKey);
  // Kept in live too, in case that the time of the enrolment is in the future.
  const since = Math.min(record?.since ?? now, now);
  const claimed: ExternalRecord = { orders: [], ...record, since, nextAt: now + readIntervalMs };
  await writeExternalRecord(tx, accountKey, claimed);
  return claimed;
}

/** What one minute has read. */
interface WatchRead {
  readonly orders: readonly SeenOrder[];
  /** When the newest page was requested (ms); undefined when the next minute has to read it back as far again. */
  readonly readAt: number | undefined;
  /** What is left for the next minute; undefined when nothing is. */
  readonly rest: UnreadOrders | undefined;
}

/**
 * Reads from the newest order back to those that the last read has seen, and then what earlier reads left; the first read
 * takes one page. Where the pages of a minute end before that, `rest` is the place to continue. Rows of more than a day
 * ago are not considered, so what is left ends there. Never throws.
 */
async function readOrders(
  broker: Broker,
  { readAt: lastReadAt, rest }: Pick<ExternalRecord, 'readAt' | 'rest'>,
  now: number,
  context: CallContext,
): Promise<WatchRead> {
  const oldestAt = now - dayMs - clockMarginMs;
  // A read of the future shows nothing of what was read, so all orders of the day are read again.
  const limit = (at: number) => (at > now ? oldestAt : Math.max(at, oldestAt));
  const until = lastReadAt === undefined ? Number.POSITIVE_INFINITY : limit(lastReadAt - clockMarginMs);
  const left = rest && rest.at >= oldestAt ? rest : undefined;
  const top = await readRows(broker, { until, pages: maxPages }, context);
  const orders = toSeen(top);
  // The service or the rate limit allows no more now.
  if (top.hasFailed) return { orders, readAt: undefined, rest: left };
  const { readAt } = top;
  if (lastReadAt === undefined) return { orders, readAt, rest: undefined };
  // What was left before comes after these pages.
  if (top.rest) return { orders, readAt, rest: { ...top.rest, until: left?.until ?? until } };
  if (!left || top.pages >= maxPages) return { orders, readAt, rest: left };
  const walk = { until: limit(left.until), pages: maxPages - top.pages, from: left.from };
  const older = await readRows(broker, walk, context);
  const next = older.hasFailed ? left : older.rest && { ...older.rest, until: left.until };
  return { orders: [...orders, ...toSeen(older, left.orderId)], readAt, rest: next };
}

interface ReadRows {
  readonly rows: readonly HistoricalOrder[];
  readonly pages: number;
  readonly readAt: number | undefined;
  readonly hasFailed: boolean;
  /** The row after which the list goes on. */
  readonly last: HistoricalOrder | undefined;
  /** Where to continue; undefined when the rows go back to `until` or to the end of the list. */
  readonly rest: Omit<UnreadOrders, 'until'> | undefined;
}

/** Reads pages until a row is older than `until` (ms). */
async function readRows(
  broker: Broker,
  walk: { readonly until: number; readonly pages: number; readonly from?: PageCursor },
  context: CallContext,
): Promise<ReadRows> {
  const rows: HistoricalOrder[] = [];
  let readAt: number | undefined;
  let [last, pages]: [HistoricalOrder | undefined, number] = [undefined, 0];
  try {
    for await (const page of broker.pages(listHistoricalOrders, { from: walk.from }, context)) {
      readAt ??= page.askedAt;
      pages++;
      rows.push(...page.items);
      if (page.chainError) throw page.chainError;
      last = page.next && (page.items.at(-1) ?? last);
      if (!page.next || (last && computeNewestTime(last) < walk.until)) break;
      if (pages < walk.pages) continue;
      const at = Math.min(page.askedAt, last ? computeNewestTime(last) : page.askedAt);
      return { rows, pages, readAt, hasFailed: false, last, rest: { from: page.next, at, orderId: last?.order?.id } };
    }
  } catch (error) {
    log.fault('search for orders of other programs', error);
    return { rows, pages, readAt, hasFailed: true, last: rows.at(-1), rest: undefined };
  }
  return { rows, pages, readAt, hasFailed: false, last, rest: undefined };
}

/**
 * The orders of the rows. The fills of one order are several rows: those of the last may go on behind the page, and those
 * of the order `begun` are also in an earlier read.
 */
function toSeen({ rows, last }: Pick<ReadRows, 'rows' | 'last'>, begun?: string): readonly SeenOrder[] {
  const orders = new Map<string, { order: SeenOrder['order']; fills: (string | undefined)[] }>();
  for (const { order, fill } of rows) {
    if (order?.id === undefined) continue;
    const seen = orders.get(order.id) ?? { order, fills: [] };
    if (fill) seen.fills.push(fill.walletImpact?.netValue);
    orders.set(order.id, seen);
  }
  return [...orders.values()].map(({ order, fills }) => ({
    order,
    value: isFinalOrder(order) && order.id !== last?.order?.id && order.id !== begun ? sumValues(fills) : undefined,
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
