import * as z from 'zod';
import { endpoints, type Order } from '../endpoints/index.ts';
import { getTicker } from '../endpoints/instruments.ts';
import { BrokerageError, isFailure } from '../errors.ts';
import { flag, id, ticker } from '../mcp/arguments.ts';
import { listOutput, table, text } from '../mcp/output-schemas.ts';
import { type Columns, toTable } from '../mcp/pagination.ts';
import { defineTool, type ToolCall } from '../mcp/tool.ts';
import { countOf } from '../text/count-of.ts';
import type { EndpointDeps } from './endpoint-deps.ts';

/** The worst first. */
const cancelOutcomes = ['unknown', 'failed', 'not_tried', 'requested', 'already_done'] as const;

/** The result for one order. `failed` says why in `message`; `not_tried`: the call had no time left. Both are public. */
interface Cancelled {
  readonly order: Order;
  readonly outcome: (typeof cancelOutcomes)[number];
  readonly message?: string | undefined;
}

const columns: Columns<Cancelled> = {
  orderId: ({ order }) => order.id,
  ticker: ({ order }) => getTicker(order),
  side: ({ order }) => order.side,
  quantity: ({ order }) => order.quantity,
  type: ({ order }) => order.type,
  outcome: ({ outcome }) => outcome,
  message: ({ message }) => message,
};

/** A call returns in time to tell what it has done. */
const reserveMs = 5_000;

const oneOfThem = 'Give orderId, ticker or all: true';

export const cancelOrder = defineTool({
  name: 'cancel_order',
  title: 'Cancel orders',
  toolset: 'trading',
  effect: 'cancels',
  endpoints: [
    endpoints.cancelOrder,
    endpoints.getPendingOrder,
    endpoints.listHistoricalOrders,
    endpoints.listPendingOrders,
    endpoints.listInstruments,
  ],
  description:
    'Cancels (stops, kills, removes, withdraws, undoes) a pending order or bid, those of a ticker, or all orders; each can still fill. To change or modify an order, cancel it, then place another. Outcome: requested, already_done or unknown.',
  searchHint:
    'cancel order, cancel all orders, cancel everything, cancel it, withdraw, scrap my orders, call it off, pull it, stop trade, I changed my mind, do not buy it after all, remove the order, change, amend modify the limit price of that order, delete, kill, undo, revoke, take back, abort, forget the order, cancel my buy sell, cancel the pending purchase, get rid of all open orders, replace the price, raise lower the limit, stop all my orders, stop my order, kill my sell order, cancel that, cancel everything that is open, call off my purchase, take it off the market, undo the order I just placed, I made a mistake, wrong order, wrong quantity, pull the bid, remove the stop loss, withdraw the bid, before it fills, clear all orders, do not go through with it, reverse, retract, mistake, too late, off',
  input: z
    .strictObject({
      orderId: id('Order id').optional(),
      ticker: ticker('Its pending orders').optional(),
      all: flag('Every pending order').optional(),
    })
    .refine(
      ({ orderId, ticker, all = false }) =>
        [orderId !== undefined, ticker !== undefined, all].filter(Boolean).length < 2,
      oneOfThem,
    ),
  output: () => ({
    ...listOutput(),
    ...table(columns, { outcome: z.enum(cancelOutcomes) }),
    outcome: z.enum(cancelOutcomes),
    orderId: text(),
    status: text(),
    message: text(),
    next: text(),
  }),
  run: async ({ orderId, ticker, all = false }, call, deps: EndpointDeps) => {
    if (orderId !== undefined)
      return { fields: { ...(await deps.orderManager.cancel(orderId, call.context({ priority: 'cancel' }))) } };
    if (ticker === undefined && !all)
      throw new BrokerageError('invalid_argument', `${oneOfThem}.`, 'Call list_orders for the ids of pending orders.');
    const { data, answeredAt } = await deps.broker.call(
      endpoints.listPendingOrders,
      {},
      call.context({ priority: 'cancel', notBefore: deps.clock.now() }),
    );
    const chosen = data.filter((order) => ticker === undefined || getTicker(order) === ticker);
    if (ticker !== undefined && chosen.length === 0) await deps.directory.getOrThrow(ticker, call.context());
    const cancelled = await cancelEach(chosen, call, deps);
    return {
      asOf: answeredAt,
      fields: { ...describeAll(cancelled), complete: true },
      list: {
        ...toTable(cancelled, columns),
        cursorAfter: () => undefined,
        rest: 'list_orders has those that are pending',
      },
    };
  },
});

/** One after the other. A failure of one does not keep the others from being cancelled. */
async function cancelEach(orders: readonly Order[], call: ToolCall, deps: EndpointDeps): Promise<readonly Cancelled[]> {
  const cancelled: Cancelled[] = [];
  for (const order of orders) {
    const isOver = call.signal.aborted || deps.clock.now() > call.deadlineAt - reserveMs;
    cancelled.push(isOver ? { order, outcome: 'not_tried' } : await cancelOne(order, call, deps));
  }
  return cancelled;
}

async function cancelOne(order: Order, call: ToolCall, deps: EndpointDeps): Promise<Cancelled> {
  if (order.id === undefined) return { order, outcome: 'failed', message: 'The service reports no id of this order.' };
  try {
    const { outcome, message } = await deps.orderManager.cancel(order.id, call.context({ priority: 'cancel' }));
    return { order, outcome, ...(outcome === 'requested' ? {} : { message }) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { order, outcome: error.code === 'rate_limited' ? 'not_tried' : 'failed', message: error.message };
  }
}

/** The outcome of all is that of the worst, because a caller that reads one field must not miss it. */
function describeAll(cancelled: readonly Cancelled[]) {
  const count = (outcome: Cancelled['outcome']) => cancelled.filter((one) => one.outcome === outcome).length;
  if (cancelled.length === 0)
    return { outcome: 'already_done', message: 'No order is pending.', next: 'Nothing is left to cancel.' };
  const worst = cancelOutcomes.find((one) => count(one) > 0);
  const parts = [
    [count('requested'), 'requested'],
    [count('already_done'), 'no longer pending'],
    [count('unknown'), 'unknown, because the response was lost'],
    [count('failed'), 'failed'],
    [count('not_tried'), 'not tried'],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const isDone = worst === 'requested' || worst === 'already_done';
  return {
    outcome: worst,
    message: `Cancellation of ${countOf(cancelled.length, 'order')}: ${told.join(', ')}.${count('requested') > 0 ? ' A requested one may still fill.' : ''}`,
    next: isDone
      ? 'Call list_orders to see which are still pending.'
      : 'Call cancel_order again with the same arguments: cancelling again is safe.',
  };
}
