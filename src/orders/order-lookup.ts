/**
 * Finding an order by its id: the service reads pending orders by id only (interface.md 4), so an
 * order that is filled or cancelled is looked for in the history.
 */
import type { Broker, CallContext } from '../broker/types.ts';
import { endpoints, type HistoricalOrder, type Order } from '../catalogue/index.ts';
import { BrokerageError } from '../errors.ts';

export interface FoundOrder {
  readonly order: Order;
  /** Present when the order has been executed, fully or in part. */
  readonly fills: readonly NonNullable<HistoricalOrder['fill']>[];
  readonly foundIn: 'pending' | 'history';
  readonly answeredAt: number;
}

/** How many history pages are read for one order; a full window of the strictest limit. */
const mostPages = 6;

const finalStatuses = new Set(['FILLED', 'CANCELLED', 'REJECTED', 'REPLACED', 'EXPIRED']);
export const isFinalOrder = (order: Order): boolean => order.status !== undefined && finalStatuses.has(order.status);

/** The order, or undefined when neither the pending orders nor the newest history pages hold it. */
export async function findOrder(
  broker: Broker,
  orderId: string,
  context: CallContext,
): Promise<FoundOrder | undefined> {
  try {
    const answer = await broker.call(endpoints.getPendingOrder, { id: orderId }, context);
    return { order: answer.data, fills: [], foundIn: 'pending', answeredAt: answer.answeredAt };
  } catch (error) {
    if (!(error instanceof BrokerageError && error.code === 'not_found')) throw error;
  }
  try {
    return await findInHistory(broker, orderId, context);
  } catch (error) {
    if (!(error instanceof BrokerageError && error.code === 'rate_limited')) throw error;
    // That it is not pending was answered, and is worth more than the limit of another endpoint.
    const message = `Order ${orderId} is not among the pending orders, and the history that tells what became of it cannot be read yet: ${error.message}`;
    throw new BrokerageError(error.code, message, error.next, error.facts);
  }
}

async function findInHistory(broker: Broker, orderId: string, context: CallContext): Promise<FoundOrder | undefined> {
  const rows: HistoricalOrder[] = [];
  let pagesRead = 0;
  for await (const page of broker.pages(endpoints.listHistoricalOrders, {}, context)) {
    rows.push(...page.items.filter((row) => row.order?.id === orderId));
    const [first] = rows;
    // An order can have several fills, and they may straddle two pages: read on while the page ends with it.
    const last = page.items.at(-1);
    if (first?.order && (last?.order?.id !== orderId || !page.next)) {
      const fills = rows.flatMap((row) => (row.fill ? [row.fill] : []));
      return { order: first.order, fills, foundIn: 'history', answeredAt: page.answeredAt };
    }
    // Not found so far, and the rest cannot be read: that is no proof that it is not there.
    if (page.brokenBy) throw page.brokenBy;
    if (++pagesRead >= mostPages) break;
  }
  return undefined;
}
