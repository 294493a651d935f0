/**
 * Finds an order by its id, and says how an earlier one is now. The service returns only pending orders by id
 * (docs/interface.md, Orders), so an order that was filled or cancelled is searched in the history.
 */
import type { Broker, CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { listHistoricalOrders } from '../../endpoints/history.ts';
import type { HistoricalOrder, Order } from '../../endpoints/index.ts';
import { getPendingOrder } from '../../endpoints/orders.ts';
import { BrokerageError, hasCode, isFailure } from '../../errors.ts';
import type { Intent } from '../intent/intent.ts';
import type { Journal, JournalChange } from '../intent/journal-port.ts';

export interface FoundOrder {
  readonly order: Order;
  /** The executions of the order; empty when there are none. */
  readonly fills: readonly NonNullable<HistoricalOrder['fill']>[];
  readonly foundIn: 'pending' | 'history';
  readonly answeredAt: number;
}

/** The most history pages that are read for one order: one full period of the strictest limit. */
const maxPages = 6;

const finalStatuses = new Set<string | undefined>(['FILLED', 'CANCELLED', 'REJECTED', 'REPLACED', 'EXPIRED']);
/** Whether an order has ended; false for an order without a status. */
export const isFinalOrder = ({ status }: Order): boolean => finalStatuses.has(status);

/** The clocks of the service and of this machine may differ by this much. */
const marginMs = 120_000;

/**
 * The order, or undefined when neither the pending orders nor the newest history pages have it. An error whose
 * facts contain `pending: false` comes from the history: the order is not among the pending ones. `placedAt` (ms),
 * if known, ends the search at older rows.
 */
export async function findOrder(
  deps: { readonly broker: Broker; readonly clock: Clock },
  orderId: string,
  context: CallContext,
  placedAt?: number,
): Promise<FoundOrder | undefined> {
  const askedAt = deps.clock.now();
  return (
    (await findPending(deps.broker, orderId, context)) ?? findEnded(deps.broker, orderId, askedAt, context, placedAt)
  );
}

/** The order while it is pending; undefined when the service has no pending order with that id. */
export async function findPending(
  broker: Broker,
  orderId: string,
  context: CallContext,
): Promise<FoundOrder | undefined> {
  try {
    const answer = await broker.call(getPendingOrder, { id: orderId }, { ...context, priority: 'lookUp' });
    return { order: answer.data, fills: [], foundIn: 'pending', answeredAt: answer.answeredAt };
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    return undefined;
  }
}

/**
 * An order that is not pending, from the history; undefined when the newest pages do not have it. `goneAt` (ms) is
 * when the pending orders were read without it; from a page that is older only a final status counts. `placedAt`
 * (ms), if known, ends the search at older rows.
 */
export async function findEnded(
  broker: Broker,
  orderId: string,
  goneAt: number,
  context: CallContext,
  placedAt?: number,
): Promise<FoundOrder | undefined> {
  const walk = { broker, orderId, goneAt, oldestAt: (placedAt ?? Number.NEGATIVE_INFINITY) - marginMs };
  const reading: CallContext = { ...context, priority: 'lookUp' };
  try {
    const found = await findInHistory(walk, { ...reading, notBefore: undefined });
    if (found !== 'stale') return found;
    const fresh = await findInHistory(walk, { ...reading, notBefore: goneAt });
    return fresh === 'stale' ? undefined : fresh;
  } catch (error) {
    if (!isFailure(error)) throw error;
    // The service has reported that the order is not pending. Keep this fact, although the history cannot be read.
    const message = `Order ${orderId} is not among the pending orders, and the history that shows how it ended cannot be read yet: ${error.message}`;
    throw new BrokerageError(error.code, message, error.next, { ...error.facts, pending: false }, error.cause);
  }
}

interface HistoryWalk {
  readonly broker: Broker;
  readonly orderId: string;
  readonly goneAt: number;
  readonly oldestAt: number;
}

async function findInHistory(
  { broker, orderId, goneAt, oldestAt }: HistoryWalk,
  context: CallContext,
): Promise<FoundOrder | 'stale' | undefined> {
  const rows: HistoricalOrder[] = [];
  let pagesRead = 0;
  for await (const page of broker.pages(listHistoricalOrders, {}, context)) {
    rows.push(...page.items.filter((row) => row.order?.id === orderId));
    const [first] = rows;
    const isEnd = first?.order !== undefined && isFinalOrder(first.order);
    if (pagesRead === 0 && page.askedAt < goneAt && !isEnd) return 'stale';
    // The fills of one order can continue on the next page, so read on while a page ends with this order.
    const last = page.items.at(-1);
    if (first?.order && (last?.order?.id !== orderId || !page.next)) {
      const fills = rows.flatMap((row) => (row.fill ? [row.fill] : []));
      return { order: first.order, fills, foundIn: 'history', answeredAt: page.answeredAt };
    }
    // The order was not found so far and the rest cannot be read, which does not prove that it is missing.
    if (page.chainError) throw page.chainError;
    if (++pagesRead >= maxPages || (last && computeNewestTime(last) < oldestAt)) break;
  }
  return undefined;
}

/** The time of a row (ms). A row without a time may be of any age, so it counts as new. */
export function computeNewestTime({ order, fill }: HistoricalOrder): number {
  const times = [order?.createdAt, fill?.filledAt].map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  return times.length > 0 ? Math.max(...times) : Number.POSITIVE_INFINITY;
}

// The state of an order that was placed before, for a call that requests an equal order. Only what is read now counts: a
// failed read does not mean that nothing has changed.

export type Standing =
  /** It is pending, or has a fill; the intent holds its current status. */
  | { readonly kind: 'stands'; readonly intent: Intent }
  /** It ended without a fill. */
  | { readonly kind: 'ended'; readonly intent: Intent }
  /** It is not pending, and how it ended is not known yet. */
  | { readonly kind: 'gone'; readonly retryAfterSeconds: number }
  /** Nothing could be read about it. */
  | { readonly kind: 'unread'; readonly reason: string; readonly retryAfterSeconds: number | undefined };

/** The wait for the rate limit ends after this long, or earlier so that the order can still be sent. */
const patienceMs = 20_000;
const sendingMs = 20_000;
/** The service may not return a new order for about a second. */
const unreadableMs = 2_000;
/** An order can appear in the history later than it leaves the pending orders. */
const lateRowSeconds = 10;

/**
 * Reads the state of the order of a PLACED intent and records it. Throws errors that do not come from reading the
 * order.
 */
export async function readStanding(
  { broker, journal, clock }: { readonly broker: Broker; readonly journal: Journal; readonly clock: Clock },
  intent: Intent & { readonly orderId: string },
  context: CallContext,
  progress: ((message: string) => void) | undefined,
): Promise<Standing> {
  if (intent.endedAs !== undefined) return { kind: 'ended', intent };
  const { orderId } = intent;
  const waitUntil = Math.min(clock.now() + patienceMs, context.deadlineAt - sendingMs);
  const lookUp = async (): Promise<FoundOrder | undefined> => {
    for (;;) {
      const askedAt = clock.now();
      const reading: CallContext = { ...context, notBefore: askedAt, waitUntil };
      const pending = await findPending(broker, orderId, reading);
      if (pending) return pending;
      const readableAt = intent.changedAt + unreadableMs;
      if (askedAt >= readableAt || askedAt < intent.changedAt) {
        const onWait = ({ waitMs }: { waitMs: number }) => {
          const seconds = Math.ceil(waitMs / 1000);
          progress?.(
            `Order ${orderId} is no longer pending; waiting ${seconds} s for the history to show how it ended`,
          );
        };
        return findEnded(broker, orderId, askedAt, { ...reading, onWait }, intent.sentAt);
      }
      await clock.sleep(readableAt - askedAt, context.signal);
    }
  };
  try {
    const found = await lookUp();
    if (!found) return { kind: 'gone', retryAfterSeconds: lateRowSeconds };
    const noted = await journal.change((tx) => noteStatus(tx, intent, found));
    return { kind: noted.endedAs === undefined ? 'stands' : 'ended', intent: noted };
  } catch (error) {
    if (!(error instanceof BrokerageError) || notAboutReading.has(error.code)) throw error;
    const { pending, retryAfterSeconds } = error.facts;
    if (pending === false) return { kind: 'gone', retryAfterSeconds: retryAfterSeconds ?? lateRowSeconds };
    return { kind: 'unread', reason: error.message, retryAfterSeconds };
  }
}

const notAboutReading = new Set<string>(['cancelled', 'store_unavailable', 'not_configured']);

/** A replaced order continues under another id, so REPLACED is not in the list. */
const endsWithoutFill = new Set(['CANCELLED', 'REJECTED', 'EXPIRED']);

/** Records the status that was read with a PLACED intent, and its end if it ended without a fill. */
export async function noteStatus(tx: JournalChange, intent: Intent, { order, fills }: FoundOrder): Promise<Intent> {
  const { status, filledQuantity } = order;
  const hasFill = fills.length > 0 || Number(filledQuantity ?? 0) !== 0;
  const endedAs = status !== undefined && endsWithoutFill.has(status) && !hasFill ? status : undefined;
  if (intent.orderStatus === status && intent.endedAs === endedAs) return intent;
  const noted = await tx.move(intent.id, 'PLACED', { state: 'PLACED', orderStatus: status, endedAs });
  return noted ?? intent;
}
