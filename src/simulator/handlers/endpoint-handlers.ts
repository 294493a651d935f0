/** The handler of each endpoint. Its return value is written as JSON; undefined is an empty body. */
import Big from 'big.js';
import { type EndpointId, endpoints } from '../../core/endpoints/index.ts';
import type { WireNumber } from '../../core/endpoints/shapes.ts';
import { readBody } from '../http/read-body.ts';
import { type NewOrder, placeOrder, requestCancel } from '../orders/place.ts';
import { createPie, deletePie, duplicatePie, getPie, pieBody, pieResultBody, updatePie } from '../pies/manage-pies.ts';
import { reportBodies, requestReport } from '../reports/report-queue.ts';
import type { Request } from './handler-state.ts';
import { dividendsPage, historicalOrdersPage, transactionsPage } from './histories.ts';
import { exchangeBodies, tradableInstrumentBodies } from './metadata.ts';
import { orderBody, positionBodies, summaryBody, visibleOrder, visibleOrders } from './portfolio-bodies.ts';

type EndpointHandler = (request: Request) => unknown;

const inEnvelope = (list: readonly unknown[], { quirks }: Request): unknown =>
  quirks.listEnvelope === 'bare' ? list : { [quirks.listEnvelope]: list };

const exact = ({ text }: WireNumber) => new Big(text);

function place(request: Request, wanted: NewOrder) {
  const { world, account, quirks, now, onOrder } = request;
  const order = placeOrder(world, account, quirks, wanted, 'API', now);
  onOrder(order.id);
  return orderBody(order, request);
}

/** A market order waits for the market to open. */
const untilCancelled = 'GOOD_TILL_CANCEL';

const deleted = (request: Request, order?: unknown): unknown =>
  request.quirks.deleteBody === 'empty' ? undefined : request.quirks.deleteBody === 'order' ? (order ?? {}) : {};

export const handlers: Readonly<Record<EndpointId, EndpointHandler>> = {
  getAccountSummary: summaryBody,
  listExchanges: (request) => inEnvelope(exchangeBodies(request.now, request.world.publishedDays), request),
  listInstruments: (request) =>
    inEnvelope(tradableInstrumentBodies(request.world.instruments, request.quirks), request),
  listPendingOrders: (request) =>
    inEnvelope(
      visibleOrders(request).map((order) => orderBody(order, request)),
      request,
    ),
  placeLimitOrder: (request) => {
    const { ticker, quantity, limitPrice, timeValidity } = readBody(endpoints.placeLimitOrder, request.bodyText);
    const prices = { limitPrice: exact(limitPrice) };
    return place(request, order('LIMIT', ticker, exact(quantity), prices, timeValidity));
  },
  placeMarketOrder: (request) => {
    const { ticker, quantity, extendedHours } = readBody(endpoints.placeMarketOrder, request.bodyText);
    return place(request, { ...order('MARKET', ticker, exact(quantity), {}, untilCancelled), extendedHours });
  },
  placeStopOrder: (request) => {
    const { ticker, quantity, stopPrice, timeValidity } = readBody(endpoints.placeStopOrder, request.bodyText);
    const prices = { stopPrice: exact(stopPrice) };
    return place(request, order('STOP', ticker, exact(quantity), prices, timeValidity));
  },
  placeStopLimitOrder: (request) => {
    const body = readBody(endpoints.placeStopLimitOrder, request.bodyText);
    const prices = { stopPrice: exact(body.stopPrice), limitPrice: exact(body.limitPrice) };
    return place(request, order('STOP_LIMIT', body.ticker, exact(body.quantity), prices, body.timeValidity));
  },
  getPendingOrder: (request) => orderBody(visibleOrder(request, request.id), request),
  cancelOrder: (request) =>
    deleted(request, orderBody(requestCancel(request.account, request.id, request.now), request)),
  listPositions: (request) => inEnvelope(positionBodies(request, request.query.get('ticker') ?? undefined), request),
  listDividends: dividendsPage,
  listHistoricalOrders: historicalOrdersPage,
  listTransactions: transactionsPage,
  listReports: (request) => inEnvelope(reportBodies(request), request),
  requestReport,
  listPies: (request) =>
    inEnvelope(
      [...request.account.pies.values()].map((pie) => pieResultBody(request, pie)),
      request,
    ),
  createPie: (request) => pieBody(request, createPie(request)),
  getPie: (request) => pieBody(request, getPie(request)),
  updatePie: (request) => pieBody(request, updatePie(request)),
  deletePie: (request) => {
    deletePie(request);
    return deleted(request);
  },
  duplicatePie: (request) => pieBody(request, duplicatePie(request)),
};

const order = (
  type: NewOrder['type'],
  ticker: string,
  quantity: Big,
  prices: { limitPrice?: Big; stopPrice?: Big },
  timeInForce: NewOrder['timeInForce'],
): NewOrder => ({ type, ticker, quantity, ...prices, timeInForce, extendedHours: false });
