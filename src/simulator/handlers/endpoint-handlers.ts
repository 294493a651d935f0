/** The handler of each endpoint. Its return value is written as JSON; undefined is an empty body. */

import Big from 'big.js';
import { type EndpointId, endpoints } from '../../core/endpoints/index.ts';
import type { WireNumber } from '../../core/endpoints/shapes.ts';
import { readBody } from '../http/read-body.ts';
import { keepText } from '../http/write-json.ts';
import { type NewOrder, placeOrder, requestCancel } from '../orders/place.ts';
import { createPie, deletePie, duplicatePie, getPie, pieBody, pieResultBody, updatePie } from '../pies/manage-pies.ts';
import { reportBodies, requestReport } from '../reports/report-queue.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { Instrument } from '../world/instrument.ts';
import { type PublishedDays, publishedExchanges } from '../world/trading-sessions.ts';
import type { Request } from './handler-state.ts';
import { dividendsPage, historicalOrdersPage, transactionsPage } from './histories.ts';
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

const buildExchangeBodies = (now: number, days: PublishedDays | undefined) =>
  publishedExchanges(now, days).map(({ id, name, workingSchedules }) => ({
    id,
    name,
    workingSchedules: workingSchedules.map((schedule) => ({
      id: schedule.id,
      timeEvents: schedule.timeEvents.map(({ at, type }) => ({ date: new Date(at), type })),
    })),
  }));

/** Local days, and with them the published events, change at quarters of an hour only. */
const quarterMs = 15 * 60_000;
const maxKept = 8;
const built = new Map<string, ReturnType<typeof buildExchangeBodies>>();

/** The exchanges with the events around `now` (ms). The list is long, so it is kept for a quarter. */
function exchangeBodies(now: number, days?: PublishedDays): ReturnType<typeof buildExchangeBodies> {
  const key = [Math.floor(now / quarterMs), days?.before, days?.after].join('/');
  const known = built.get(key);
  if (known) return known;
  const bodies = keepText(buildExchangeBodies(now, days));
  if (built.size >= maxKept) built.clear();
  built.set(key, bodies);
  return bodies;
}

const instrumentBodies = new WeakMap<readonly Instrument[], Map<boolean, readonly unknown[]>>();

/** The instruments as they are listed. The list is long, so it is kept as long as the instruments are. */
function tradableInstrumentBodies(instruments: readonly Instrument[], quirks: Quirks): readonly unknown[] {
  const forms = instrumentBodies.get(instruments) ?? new Map<boolean, readonly unknown[]>();
  instrumentBodies.set(instruments, forms);
  const known = forms.get(quirks.unknownEnums);
  if (known) return known;
  const bodies = keepText(instruments.map((instrument) => tradableInstrumentBody(instrument, quirks)));
  forms.set(quirks.unknownEnums, bodies);
  return bodies;
}

const tradableInstrumentBody = (instrument: Instrument, quirks: Quirks) => ({
  ticker: instrument.ticker,
  type: quirks.unknownEnums && instrument.type === 'CVR' ? 'CONTINGENT_RIGHT' : instrument.type,
  name: instrument.name,
  shortName: instrument.shortName,
  isin: instrument.isin,
  currencyCode: instrument.currency,
  addedOn: new Date(instrument.addedOn),
  extendedHours: instrument.extendedHours,
  maxOpenQuantity: new Big(instrument.maxOpenQuantity),
  workingScheduleId: instrument.scheduleId,
});
