/** What is known of the orders of other programs on one account, shared by all processes of the store. */
import type { PageCursor } from '../../broker/types.ts';
import { dayMs, isWithin } from '../../clock.ts';
import type { JournalChange, JournalView } from '../intent/journal-port.ts';
import { isAmount, isTime } from '../intent/risk-limits.ts';

/** An order of another program. */
export interface ExternalOrder {
  readonly id: string;
  /** When it was created (ms, the service's clock), but not later than when it was first seen. */
  readonly at: number;
  /** What its fills were worth, in the account currency; undefined while that is unknown. */
  readonly value?: string | undefined;
}

/** A part of the history that is read from the newest row on, and in which the pages of a minute did not reach the end. */
export interface UnreadOrders {
  /** Where to continue. */
  readonly from: PageCursor;
  /** The time of the row before (ms). */
  readonly at: number;
  /** Older rows (ms) were read before. */
  readonly until: number;
  /** The order of the row before: its fills may go on. */
  readonly orderId: string | undefined;
}

/** What is known of the orders of other programs on one account. Times are milliseconds since 1970. */
export interface ExternalRecord {
  /** Older orders are not considered. Undefined in live, where the enrolment is the start. */
  readonly since?: number | undefined;
  /** When the newest page of the history may be read next. */
  readonly nextAt: number;
  /** When that page was last requested. */
  readonly readAt?: number | undefined;
  /** What that read and those before it left; undefined when nothing is left. */
  readonly rest?: UnreadOrders | undefined;
  /** Newest first. */
  readonly orders: readonly ExternalOrder[];
}

/** More than the limits of a day allow. */
const maxRecent = 2_000;
/** Older ones that have ended are kept in case that old data shows one of them again. */
const maxOlder = 100;

const getRecordName = (accountKey: string) => `external orders of ${accountKey}`;

/** The record of an account; undefined when nothing was recorded. */
export const readExternalRecord = (tx: JournalView, accountKey: string): Promise<ExternalRecord | undefined> =>
  tx.get<ExternalRecord>(getRecordName(accountKey));

export const writeExternalRecord = (tx: JournalChange, accountKey: string, record: ExternalRecord): Promise<void> =>
  tx.set(getRecordName(accountKey), record);

/** The orders of other programs that count in the limits at the time `now` (ms): those of the last day. */
export async function listExternal(
  tx: JournalView,
  accountKey: string,
  now: number,
): Promise<readonly ExternalOrder[]> {
  const orders = (await readExternalRecord(tx, accountKey))?.orders ?? [];
  // The service's clock may be ahead; an order does not count longer for that. One without a readable time or value counts
  // as placed now, and as of unknown value.
  return orders
    .filter(({ at }) => !isTime(at) || isWithin(at, now, dayMs))
    .map((order) => ({
      ...order,
      at: isTime(order.at) ? Math.min(order.at, now) : now,
      value: isAmount(order.value) ? order.value : undefined,
    }));
}

/** Keeps what is known of two accounts that turned out to be one. */
export async function joinExternalOrders(tx: JournalChange, from: string, to: string, now: number): Promise<void> {
  const [left, right] = [await readExternalRecord(tx, from), await readExternalRecord(tx, to)];
  if (!left) return;
  const orders = new Map([...left.orders, ...(right?.orders ?? [])].map((order) => [order.id, order]));
  const since = right?.since ?? left.since;
  const kept = keepNewest([...orders.values()], now, undefined);
  // A record that was never read would let the next read start at the newest page, and skip what is older.
  const { readAt, rest } = right?.readAt === undefined ? left : right;
  await writeExternalRecord(tx, to, { nextAt: right?.nextAt ?? 0, readAt, rest, since, orders: kept });
  await tx.set(getRecordName(from), undefined);
}

/**
 * The orders that are kept, newest first. One that may be pending is always among them, or it would count as new and halt
 * trading again. `pending` has the ids of all pending orders of the account; where they were not read it is undefined, and
 * each order that is not known to have ended may be pending.
 */
export function keepNewest(
  orders: readonly ExternalOrder[],
  now: number,
  pending: ReadonlySet<string> | undefined,
): readonly ExternalOrder[] {
  const sorted = orders.toSorted((a, b) => b.at - a.at);
  let [recent, older] = [0, 0];
  return sorted.filter(({ id, at, value }) => {
    const isKept = at > now - dayMs ? ++recent <= maxRecent : ++older <= maxOlder;
    return isKept || (pending ? pending.has(id) : value === undefined);
  });
}
