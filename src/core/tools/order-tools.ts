import Big from 'big.js';
import * as z from 'zod';
import { endpoints, type Order } from '../endpoints/index.ts';
import { getTicker } from '../endpoints/instruments.ts';
import { BrokerageError, hasCode } from '../errors.ts';
import { orElse } from '../log.ts';
import { cursor, id, intentId, responseFormat, ticker, waitSeconds } from '../mcp/arguments.ts';
import { positive, priceCurrencyOf, sideOf, toOutwardFill, toOutwardOrder } from '../mcp/order-arguments.ts';
import {
  group,
  itemFields,
  listOutput,
  oneOf,
  outcomeOutput,
  tableOrObjects,
  text,
  texts,
  upstreamFields,
  yesNo,
} from '../mcp/output-schemas.ts';
import { type Columns, paginate } from '../mcp/pagination.ts';
import { defineTool, type ToolCall, type ToolReply } from '../mcp/tool.ts';
import { findOrder, isFinalOrder } from '../orders/account/find-order.ts';
import { outcomeNames } from '../orders/intent/outcome.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import { describeMarketWait } from './market-wait.ts';

/** `getPrice` returns the last known price of a ticker, in the instrument's currency. */
const orderColumns = (getPrice: (ticker: string | undefined) => string | undefined): Columns<Order> => ({
  id: (order) => order.id,
  ticker: getTicker,
  name: (order) => order.instrument?.name,
  side: sideOf,
  type: (order) => order.type,
  status: (order) => order.status,
  quantity: (order) => positive(order.quantity),
  filledQuantity: (order) => positive(order.filledQuantity),
  limitPrice: (order) => order.limitPrice,
  stopPrice: (order) => order.stopPrice,
  lastKnownPrice: (order) => getPrice(getTicker(order)),
  percentFromLast: (order) => percentBetween(getPrice(getTicker(order)), order.limitPrice ?? order.stopPrice),
  priceCurrency: priceCurrencyOf,
  timeInForce: (order) => order.timeInForce,
  createdAt: (order) => order.createdAt,
});

/** As `toOutwardOrder` and `toOutwardFill` write them. */
const outwardOrder = () => {
  const { currency, ...order } = upstreamFields(endpoints.getPendingOrder.response);
  return { ...order, priceCurrency: text(), valueCurrency: currency as z.ZodType };
};
const outwardFills = () => itemFields(endpoints.listHistoricalOrders.response).fill as z.ZodType;

/** How far a price is above (or, negative, below) the last known one. */
function percentBetween(last: string | undefined, price: string | undefined): string | undefined {
  if (last === undefined || price === undefined || new Big(last).eq(0)) return undefined;
  return new Big(price).div(last).minus(1).times(100).toFixed(1);
}

/** Returns the last prices of what is held. They are an addition, so the call does not wait for them or fail. */
async function readLastPrices(
  orders: readonly Order[],
  call: ToolCall,
  deps: EndpointDeps,
): Promise<ReadonlyMap<string, string>> {
  if (!orders.some(({ limitPrice, stopPrice }) => (limitPrice ?? stopPrice) !== undefined)) return new Map();
  const context = call.context({ waitUntil: deps.clock.now() });
  // The orders are what was asked for; without a price, the column is empty.
  const read = await deps.broker
    .call(endpoints.listPositions, {}, context)
    .catch(orElse('read the last prices', undefined));
  return new Map(
    (read?.data ?? []).flatMap(({ instrument, currentPrice }): [string, string][] =>
      instrument?.ticker !== undefined && currentPrice !== undefined ? [[instrument.ticker, currentPrice]] : [],
    ),
  );
}

/** Market orders that wait are few, and each costs a sentence. */
const maxWaiting = 50;

export const listOrders = defineTool({
  name: 'list_orders',
  title: 'Pending orders',
  toolset: 'orders',
  effect: 'reads',
  // The positions have the last prices, the exchanges the opening hours.
  endpoints: [endpoints.listPendingOrders, endpoints.listPositions, endpoints.listInstruments, endpoints.listExchanges],
  description: 'Open orders: pending, active, queued, waiting, outstanding.',
  searchHint:
    'open orders, pending orders, my orders, which orders are still open or waiting, any orders outstanding, has anything not gone through yet, what have I got in the market, unfilled, resting, queued, limit orders that wait, standing orders to buy or sell, what is pending',
  alwaysLoad: true,
  input: z.strictObject({
    ticker: ticker('Only this').optional(),
    cursor: cursor(),
    responseFormat: responseFormat(),
  }),
  output: () => ({
    ...listOutput(),
    ...tableOrObjects(
      orderColumns(() => undefined),
      [z.looseObject(outwardOrder())],
    ),
    pending: z.number(),
    waiting: texts(),
  }),
  run: async (args, call, deps: EndpointDeps) => {
    const { data, answeredAt } = await deps.broker.call(endpoints.listPendingOrders, {}, call.context());
    const chosen = data.filter((order) => !args.ticker || getTicker(order) === args.ticker);
    if (args.ticker && chosen.length === 0) await deps.directory.getOrThrow(args.ticker, call.context());
    const isDetailed = args.responseFormat === 'detailed';
    const prices = isDetailed ? new Map<string, string>() : await readLastPrices(chosen, call, deps);
    const waiting: string[] = [];
    for (const order of chosen.slice(0, maxWaiting)) {
      const wait = await describeMarketWait({ ...order, ticker: getTicker(order) }, call, deps);
      if (wait !== undefined) waiting.push(`Order ${order.id}: ${wait}`);
    }
    return {
      asOf: answeredAt,
      fields: {
        pending: chosen.length,
        complete: true,
        ...(args.ticker && chosen.length === 0 ? { note: `No order of ${args.ticker} is pending.` } : {}),
        ...(waiting.length > 0 ? { waiting } : {}),
      },
      list: isDetailed
        ? paginate(chosen.map(toOutwardOrder), {}, args)
        : paginate(
            chosen,
            orderColumns((ticker) => prices.get(ticker ?? '')),
            args,
          ),
    };
  },
});

export const getOrder = defineTool({
  name: 'get_order',
  title: 'One order',
  view: 'ticket',
  toolset: 'orders',
  effect: 'reads',
  endpoints: [
    endpoints.getPendingOrder,
    endpoints.listHistoricalOrders,
    endpoints.listInstruments,
    endpoints.listExchanges,
  ],
  description: 'Status of one order: gone through yet (filled, executed, done), rejected, or why it waits.',
  searchHint:
    'order status, did my order fill, did it go through, has it executed yet, why is my order not filled, what is going on with my last order, what happened to my order, at what price was I filled, what did I get, track an order, has it been filled yet, is it done, did it work, did the trade happen, what became of it, is it stuck, still pending, why is it still waiting, execution price, how much did I pay for it',
  alwaysLoad: true,
  input: z
    .strictObject({
      orderId: id('Order id').optional(),
      intentId: intentId(),
      waitSeconds: waitSeconds('Until done'),
    })
    .refine(
      (args) => (args.orderId === undefined) !== (args.intentId === undefined),
      'Give either orderId or intentId',
    ),
  output: () => ({
    ...outcomeOutput(),
    outcome: oneOf(outcomeNames),
    final: yesNo(),
    foundIn: oneOf(['pending', 'history']),
    pending: yesNo(),
    order: group(outwardOrder()),
    fills: z.array(outwardFills()).optional(),
  }),
  run: async (args, call, deps: EndpointDeps) => {
    if (args.orderId !== undefined) return followOrder(args.orderId, args.waitSeconds ?? 0, call, deps);
    const intentId = args.intentId as string;
    const { intent, hasChanged } = await followIntent(intentId, args.waitSeconds ?? 0, call, deps);
    if (!intent) {
      throw new BrokerageError(
        'not_found',
        'This server has no intent with this id. It keeps every order that was sent; refused orders are kept for 30 days.',
        'Use the intentId returned by the place tool, or call list_orders.',
      );
    }
    if (intent.orderId === undefined) return { fields: { ...intent } };
    // The journal's record is returned even when the broker cannot be reached.
    const { orderId } = intent;
    // An intent that changed while the call waited is returned at once; the end of its order may be hours away.
    const seconds = hasChanged ? 0 : (args.waitSeconds ?? 0);
    const reply = await followOrder(orderId, seconds, call, deps).catch((error: unknown) => {
      if (!(error instanceof BrokerageError)) throw error;
      const { retryAfterSeconds, pending } = error.facts;
      const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
      // An order that is no longer pending has another status than the one recorded.
      const isGone = pending === false;
      const known = isGone ? { ...intent, status: undefined, pending } : intent;
      const note = isGone
        ? error.message
        : `The status is from the placement; a newer one could not be read from the broker: ${error.message}`;
      return { fields: { ...known, orderId, ...retry, note } };
    });
    return { ...reply, fields: { intentId, outcome: intent.outcome, mismatch: intent.mismatch, ...reply.fields } };
  },
});

/**
 * Polls while the intent waits for an approval or its outcome is being determined, for as long as the caller wants to
 * wait.
 */
async function followIntent(intentId: string, seconds: number, call: ToolCall, deps: EndpointDeps) {
  const until = Math.min(deps.clock.now() + seconds * 1000, call.deadlineAt - 5_000);
  for (let hasChanged = false; ; hasChanged = true) {
    const intent = await deps.orderManager.find(intentId, call.context());
    const mayChange = intent?.outcome === 'pending_approval' || intent?.outcome === 'unknown';
    if (!mayChange || deps.clock.now() + 500 > until) return { intent, hasChanged };
    call.progress(`The order is ${intent.outcome}`);
    await deps.clock.sleep(500, call.signal);
  }
}

/** Pauses between polls grow: a market order ends within seconds, a limit order may take hours. */
const pausesMs = [1_000, 1_000, 2_000, 3_000];
const maxPauseMs = 5_000;

/** A new order can be unreadable for about a second, so a missing one is requested once more after this pause. */
const secondPollMs = 1_500;

/** Whether the order is not pending and the rate limit does not allow a read of the history now. */
const isHeldBack = (error: unknown): boolean => hasCode(error, 'rate_limited') && error.facts.pending === false;

async function followOrder(orderId: string, seconds: number, call: ToolCall, deps: EndpointDeps): Promise<ToolReply> {
  const until = Math.min(deps.clock.now() + seconds * 1000, call.deadlineAt - 2_000);
  const placedAt = await deps.orderManager.placedAt(orderId);
  let missed = 0;
  let polls = 0;
  for (;;) {
    const asked = deps.clock.now();
    const context = call.context({ notBefore: seconds > 0 ? asked : undefined });
    const found = await findOrder(deps, orderId, context, placedAt).catch((error: unknown) => {
      // The history was read for this order a moment ago; only an order of our own can be newer.
      if (missed > 0 && placedAt === undefined && isHeldBack(error)) return undefined;
      throw error;
    });
    if (!found && missed++ === 0) {
      await deps.clock.sleep(secondPollMs, call.signal);
      continue;
    }
    if (!found) {
      throw new BrokerageError(
        'not_found',
        `Order ${orderId} is not pending and not among the newest rows of the history.`,
        'Check the id with list_orders, or search further back with fetch_history.',
      );
    }
    const final = found.foundIn === 'history' || isFinalOrder(found.order);
    const { freeInMs } = await deps.getLimit(endpoints.getPendingOrder);
    if (final || deps.clock.now() + Math.max(1_000, freeInMs) > until) {
      if (final) await deps.orderManager.recordEnd(found);
      const { order, fills, foundIn, answeredAt } = found;
      const message = final ? undefined : await describeMarketWait({ ...order, ticker: getTicker(order) }, call, deps);
      const shown = { order: toOutwardOrder(order), fills: fills.map(toOutwardFill) };
      return { asOf: answeredAt, fields: { orderId, status: order.status, final, foundIn, message, ...shown } };
    }
    call.progress(`Order ${orderId} is ${found.order.status ?? 'pending'}`);
    const pauseMs = pausesMs[polls++] ?? maxPauseMs;
    // The last poll is at the end of the wait.
    await deps.clock.sleep(Math.max(freeInMs, Math.min(pauseMs, until - deps.clock.now())), call.signal);
  }
}
