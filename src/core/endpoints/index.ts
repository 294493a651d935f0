/** The service's API: one definition per endpoint of docs/interface.md, Endpoints. */
import * as account from './account.ts';
import type { Endpoint } from './endpoint.ts';
import * as history from './history.ts';
import * as instruments from './instruments.ts';
import * as orders from './orders.ts';
import * as pies from './pies.ts';
import type { ReportedRow, ReportedWithholding } from './reports.ts';
import * as reports from './reports.ts';

/** Every endpoint, in the order of the specification's table. */
export const endpoints = {
  getAccountSummary: account.getAccountSummary,
  listExchanges: instruments.listExchanges,
  listInstruments: instruments.listInstruments,
  listPendingOrders: orders.listPendingOrders,
  placeLimitOrder: orders.placeLimitOrder,
  placeMarketOrder: orders.placeMarketOrder,
  placeStopOrder: orders.placeStopOrder,
  placeStopLimitOrder: orders.placeStopLimitOrder,
  getPendingOrder: orders.getPendingOrder,
  cancelOrder: orders.cancelOrder,
  listPositions: account.listPositions,
  listDividends: history.listDividends,
  listHistoricalOrders: history.listHistoricalOrders,
  listTransactions: history.listTransactions,
  listReports: reports.listReports,
  requestReport: reports.requestReport,
  listPies: pies.listPies,
  createPie: pies.createPie,
  getPie: pies.getPie,
  updatePie: pies.updatePie,
  deletePie: pies.deletePie,
  duplicatePie: pies.duplicatePie,
} as const satisfies Record<string, Endpoint>;

/** The name of an endpoint in this program. */
export type EndpointId = keyof typeof endpoints;

/** Types of response objects. Every field can be undefined, because the specification marks none as required. */
export type AccountSummary = Resp<'getAccountSummary'>;
export type Exchange = Resp<'listExchanges'>[number];
export type TradableInstrument = Resp<'listInstruments'>[number];
export type Order = Resp<'getPendingOrder'>;
export type Position = Resp<'listPositions'>[number];
export type HistoricalOrder = Resp<'listHistoricalOrders'>['items'][number] & ReportedRow;
export type Dividend = Resp<'listDividends'>['items'][number] & ReportedRow & ReportedWithholding;
export type Transaction = Resp<'listTransactions'>['items'][number] & ReportedRow;
export type Report = Resp<'listReports'>[number];

type Resp<Id extends EndpointId> = import('./endpoint.ts').ResponseOf<(typeof endpoints)[Id]>;

export type { Endpoint, ResponseOf } from './endpoint.ts';
export { externalLinkPath, pathPrefix } from './endpoint.ts';
export { dividendTypes, type FillType, fillTypes, transactionTypes } from './history.ts';
export { type InstrumentType, instrumentTypes } from './instruments.ts';
export { orderSides, orderTypes, timeValidities } from './orders.ts';
export { dividendCashActions } from './pies.ts';
export { reportFile } from './reports.ts';
