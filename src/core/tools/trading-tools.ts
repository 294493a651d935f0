import Big from 'big.js';
import * as z from 'zod';
import { approvalForm, describeTicket } from '../approval/approval-form.ts';
import { endpoints, type TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import { sessionStates } from '../instruments/market-hours.ts';
import { orElse } from '../log.ts';
import {
  extendedHours,
  limitPrice,
  quantity,
  repeatedIntentId,
  side,
  stopPrice,
  ticker,
  timeValidity,
} from '../mcp/arguments.ts';
import type { ElicitationRequest } from '../mcp/elicitation.ts';
import { checkOrderFields, orderShape, saleMethod } from '../mcp/order-arguments.ts';
import {
  amount,
  count,
  estimateOutput,
  group,
  groups,
  oneOf,
  outcomeOutput,
  refusalOutput,
  requestOutput,
  text,
  texts,
  whatIfOutput,
  yesNo,
} from '../mcp/output-schemas.ts';
import { defineTool, type ToolCall, type ToolReply } from '../mcp/tool.ts';
import type { OrderRequest } from '../orders/intent/order-request.ts';
import type { PlaceReply } from '../orders/place-result.ts';
import { formatMoney } from '../text/format-figures.ts';
import type { EndpointDeps } from './endpoint-deps.ts';
import { describeMarketWait, requireExtendedHours, warnOfClosedMarket } from './market-wait.ts';

/**
 * Endpoints that are read before an order; the fills only for a ticker that is not held, the exchanges only where a
 * person approves.
 */
export const readBefore = [
  endpoints.listInstruments,
  endpoints.getAccountSummary,
  endpoints.listPositions,
  endpoints.listPendingOrders,
  endpoints.listHistoricalOrders,
  endpoints.listExchanges,
];

/** How long a preview waits (ms) for the order history; without it, charges and gains are unknown. */
const historyWaitMs = 3_000;

export const previewOrder = defineTool({
  name: 'preview_order',
  title: 'Preview an order',
  toolset: 'trading',
  alsoIn: 'drafting',
  view: 'ticket',
  effect: 'reads',
  // The dividends only for a sale: capital that a company returned lowers the cost.
  endpoints: [...readBefore, endpoints.listDividends],
  description:
    'Checks (simulates, dry run) an order to buy or sell without sending it: whether allowed and affordable, what it would cost (estimated), fees.',
  searchHint:
    'draft an order, buy shares, sell stock, trade, check an order, what would it cost me to buy, estimate cost, what commission or fee do I pay on an order, what would I get if I sold half, what is left after I sell, how much would selling it cost, any problem with it, can I afford it, am I allowed to, check before I buy, simulate, what if I bought or sold, how much would I pay, how many can I afford, price of 10 shares, proceeds of a sale, gain or tax if I sell, is it allowed, does it break my limits, warnings, test an order, dry run, without sending it',
  alwaysLoad: true,
  input: z.strictObject({ ...orderShape(), method: saleMethod('Default average') }).superRefine(checkOrderFields),
  output: () => ({
    order: group(requestOutput()),
    instrument: group({ ticker: text(), name: text(), isin: text(), type: text(), currencyCode: text() }),
    market: group({
      exchange: text(),
      state: oneOf([...sessionStates, 'unknown']),
      openNow: yesNo(),
      nextOpenAt: text(),
    }),
    estimate: group(estimateOutput()),
    position: group({ before: amount(), after: amount() }),
    pendingOnTicker: count(),
    checks: groups({ check: text(), ok: yesNo(), detail: text(), ...refusalOutput() }),
    passes: yesNo(),
    warnings: texts(),
    sent: yesNo(),
    charges: group({
      known: yesNo(),
      total: amount(),
      kinds: groups({ kind: text(), amount: amount(), fills: count() }),
    }),
    proceedsAfterCharges: amount(),
    whatIf: group(whatIfOutput()),
  }),
  run: async ({ method = 'average', ...args }, call, deps: EndpointDeps) => {
    const instrument = await deps.directory.getOrThrow(args.ticker, call.context());
    const order = args as OrderRequest;
    requireExtendedHours(order, instrument);
    const checked = await deps.orderManager.preview(order, instrument, call.context());
    const { preview, refusal, asOf, askedAt, since } = checked;
    const { value } = preview.estimate;
    const question = { order, instrument, value, askedAt, left: preview.position.after, method };
    const { warnings, ...outlook } = await deps.describeOutlook(question, call.context(), {
      context: call.context({ waitUntil: deps.clock.now() + historyWaitMs, notBefore: since }),
      newestOnly: true,
    });
    // Checks exactly this order against the rules of the order manager.
    const rules = refusal
      ? {
          check: 'rules',
          ok: false,
          rule: refusal.rule,
          detail: refusal.reason,
          largestQuantity: refusal.largestQuantity,
          nearestPrice: refusal.nearestPrice,
        }
      : { check: 'rules', ok: true, detail: 'The order passes this server’s own rules.' };
    return {
      asOf,
      fields: {
        ...preview,
        ...outlook,
        ...formatProceeds(order, value, outlook.charges.total),
        warnings: [...preview.warnings, ...warnings],
        checks: [...preview.checks, rules],
        passes: preview.passes && refusal === undefined,
      },
    };
  },
});

/** What a sale brings, in the account's currency; nothing when its value or its charges are unknown. */
const formatProceeds = ({ side }: OrderRequest, value: string | undefined, charges: string | undefined) =>
  side === 'SELL' && value !== undefined && charges !== undefined
    ? { proceedsAfterCharges: formatMoney(new Big(value).minus(charges)) }
    : {};

/**
 * The common path of the four place tools: check that the instrument exists, then pass the order to the order manager.
 */
async function place(
  { repeatOf, ...request }: OrderRequest & { repeatOf?: string | undefined },
  call: ToolCall,
  deps: EndpointDeps,
): Promise<ToolReply> {
  const context = call.context({ priority: 'place' });
  const options = { repeatOf, canAsk: call.host.canForm, progress: call.progress };
  const { answer } = call.host;
  if (answer) {
    const { nonce, isRepeat, action, content } = answer;
    const reply = await deps.orderManager.continueAfterForm(
      request,
      { nonce, isRepeat, action, confirmQuantity: content.confirmQuantity },
      context,
      options,
    );
    if (reply) return toReply(reply, request, await readInstrument(request.ticker, call, deps), call, deps);
    throw new BrokerageError(
      'invalid_argument',
      'The submitted form does not match any order that is waiting for approval.',
      'Check the order with get_order; place it again only if the user still wants it.',
    );
  }
  // First, because without the store the limits of reads are unknown too, and this error is the one to report.
  const closed = await deps.orderManager.closed();
  if (closed) return { fields: { ...closed, request } };
  const instrument = await deps.directory.getOrThrow(request.ticker, call.context());
  requireExtendedHours(request, instrument);
  const placing = { ...options, canOpen: call.host.canUrl };
  const reply = await deps.orderManager.place(request, instrument, context, placing);
  return toReply(reply, request, nameInstrument(instrument), call, deps);
}

/** What a ticket shows of the instrument: its prices are in this currency. */
const nameInstrument = ({ name, currencyCode }: Pick<TradableInstrument, 'name' | 'currencyCode'>) => ({
  name,
  currency: currencyCode,
});

/** The order is decided by now, so a failure to read its instrument must not replace the result. */
const readInstrument = (ticker: string, call: ToolCall, deps: EndpointDeps) =>
  deps.directory.getOrThrow(ticker, call.context()).then(nameInstrument).catch(orElse('name an instrument', undefined));

async function toReply(
  { ask, ...reply }: PlaceReply,
  request: OrderRequest,
  instrument: ReturnType<typeof nameInstrument> | undefined,
  call: ToolCall,
  deps: EndpointDeps,
): Promise<ToolReply> {
  const wait = reply.outcome === 'placed' ? await describeMarketWait(request, call, deps) : undefined;
  const message = wait === undefined ? reply.message : `${reply.message} ${wait}`;
  const warnings = await listWarnings(reply, request, call, deps);
  return {
    fields: { ...reply, message, warnings, request, instrument },
    ask: ask && { ...questionFor(ask), isRepeat: reply.coalesced },
  };
}

/** The warnings of an order that this call placed, with that of its market. */
async function listWarnings(
  { outcome, coalesced, warnings = [] }: PlaceReply,
  request: OrderRequest,
  call: ToolCall,
  deps: EndpointDeps,
) {
  if (outcome !== 'placed' || coalesced) return undefined;
  const closed = await warnOfClosedMarket(request, call, deps);
  const all = new Set(closed === undefined ? warnings : [...warnings, closed]);
  return all.size > 0 ? [...all] : undefined;
}

const questionFor = ({ nonce, ticket, address, problem }: NonNullable<PlaceReply['ask']>): ElicitationRequest =>
  address === undefined
    ? { kind: 'form', nonce, message: describeTicket(ticket, problem), schema: approvalForm }
    : { kind: 'url', nonce, message: 'Open the page to approve or reject this order.', url: address };

const placingOutput = () => ({
  ...outcomeOutput(),
  request: group(requestOutput()),
  instrument: group({ name: text(), currency: text() }),
});

const placing = { toolset: 'trading', effect: 'places', output: placingOutput, view: 'ticket' } as const;
const uses = (endpoint: (typeof endpoints)[keyof typeof endpoints]) => [endpoint, ...readBefore];

const whatToTrade = () => ({ ticker: ticker(), side: side(), quantity: quantity() });

export const placeLimitOrder = defineTool({
  ...placing,
  name: 'place_limit_order',
  title: 'Place a limit order',
  endpoints: uses(endpoints.placeLimitOrder),
  description:
    'Buys shares at limitPrice or less (a bid, when the price falls to it; to pay no more than), sells at it or above (take profit, when the price gets to it). Not idempotent: each call is one order; after an error or timeout, check get_order before another call. Result: an outcome.',
  searchHint:
    'buy shares, sell stock, trade, limit order, buy at 70 less, get me some at no more than price, buy if drops to price, sell at price higher, take profit at 120, change the price limit of an order: cancel and place another, buy get me 3 shares for 70 less, purchase, bid, offer, ask, only if gets cheaper, maximum price, minimum price, good till cancelled, GTC, day order, I do not want to pay more than 30 per share, put a bid in at 12, if it gets to 80, sell when it reaches my target, take profits at 150, buy the dip, buy when it falls to, at that price or better, not more than, not less than, set a limit, limit sell, limit buy, cheaper, wait for a better price, cap the price, @',
  input: z.strictObject({
    ...whatToTrade(),
    limitPrice: limitPrice(),
    timeValidity: timeValidity(),
    repeatOf: repeatedIntentId(),
  }),
  run: (args, call, deps: EndpointDeps) => place({ type: 'LIMIT', ...args }, call, deps),
});

export const placeMarketOrder = defineTool({
  ...placing,
  name: 'place_market_order',
  title: 'Place a market order',
  endpoints: uses(endpoints.placeMarketOrder),
  description:
    'Buys (purchases) or sells shares now (all, everything, the lot or half, to exit or double it), at the next available price; if the market is closed, waits for market hours. Not idempotent.',
  searchHint:
    'buy shares now, sell stock now, trade, market order, buy 5 shares of it, sell all of my shares, sell half at market, get rid of it, get out of it, at any price, purchase, get me some, order 10 of it, dump it, liquidate, close my position, sell everything I have of it, sell the lot, immediately, right away, straight away, at the current price, get me out of it asap, dump half of it, just buy it at whatever the price is, buy one share after hours, before the bell, pre-market, extended hours, buy more of it, double my position, sell it all, sell half of them, sell the rest, I would like to purchase some shares please, exit, instantly, close the position, pick up a few shares, add to my holding, invest in it now, cash in, unload, get 5 of them',
  input: z.strictObject({
    ...whatToTrade(),
    extendedHours: extendedHours(),
    repeatOf: repeatedIntentId(),
  }),
  run: (args, call, deps: EndpointDeps) => place({ type: 'MARKET', ...args }, call, deps),
});

export const placeStopOrder = defineTool({
  ...placing,
  name: 'place_stop_order',
  title: 'Place a stop order',
  endpoints: uses(endpoints.placeStopOrder),
  description:
    'Stop loss (sells if the price drops, falls below or goes under: a floor or safety net that protects shares) or buy stop (if it breaks above, rises): becomes a market order when the traded price reaches stopPrice. Not idempotent.',
  searchHint:
    'stop loss, sell stock when it falls, sell if it drops below price, put floor under my shares, protect me from losses, limit my downside, buy when it rises above price, trade, sell automatically if it crashes, safety net, cut my losses, protection, trigger, stop order, stop out, trailing, if it goes under 20 sell the lot, stop losing more, set a stop at 10 percent below, put a safety net under my position, protect my gains, protect my profit, guard, automatically sell when it goes down, lose no more than, if it tanks, plunges, dips under, drops to, breaks above, breakout, buy if it breaks out, stop sell, stop buy, lock in profit, minimise losses, worst case',
  input: z.strictObject({
    ...whatToTrade(),
    stopPrice: stopPrice(),
    timeValidity: timeValidity(),
    repeatOf: repeatedIntentId(),
  }),
  run: (args, call, deps: EndpointDeps) => place({ type: 'STOP', ...args }, call, deps),
});

export const placeStopLimitOrder = defineTool({
  ...placing,
  name: 'place_stop_limit_order',
  title: 'Place a stop limit order',
  endpoints: uses(endpoints.placeStopLimitOrder),
  description:
    'Stop limit, a stop loss with a lowest price: becomes a limit order at limitPrice when the traded price reaches stopPrice. Not idempotent.',
  searchHint:
    'stop limit, stop-limit sell at 55, stop loss with limit, not under 54, not below price, sell if drops but not for less than price, trade, stop with minimum price, stop and limit together, sell if falls 55 but not under 54, trigger at 105 and pay max 106, stop at 48 and limit 47.5, with a limit, maximum price after the trigger, but never for less than, but no lower, at least, stop limit buy, stop limit sell, trigger price and limit price, not worse than, slippage',
  input: z.strictObject({
    ...whatToTrade(),
    stopPrice: stopPrice(),
    limitPrice: limitPrice(),
    timeValidity: timeValidity(),
    repeatOf: repeatedIntentId(),
  }),
  run: (args, call, deps: EndpointDeps) => place({ type: 'STOP_LIMIT', ...args }, call, deps),
});
