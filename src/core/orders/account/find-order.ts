/**
 * Finds an order by its id. The service returns only pending orders by id (docs/interface.md, Orders), so an order
 * that was filled or cancelled is searched in the history.
 */
import type { Broker, CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { listHistoricalOrders } from '../../endpoints/history.ts';
import type { HistoricalOrder, Order } from '../../endpoints/index.ts';
import { getPendingOrder } from '../../endpoints/orders.ts';
import { BrokerageError, hasCode, isFailure } from '../../errors.ts';

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
