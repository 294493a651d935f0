import type { EndpointId } from '../../src/core/endpoints/index.ts';

const pie = { name: 'A pie', instrumentShares: { QVIGL: 0.25, QWRLDl_EQ: 0.75 } };
const validity = { timeValidity: 'GOOD_TILL_CANCEL' };

/** How each endpoint is called, one call each; `{order}` is the id of a pending order. */
export const endpointCalls: Readonly<Record<EndpointId, { path?: string; body?: unknown }>> = {
  getAccountSummary: {},
  listExchanges: {},
  listInstruments: {},
  listPendingOrders: {},
  placeLimitOrder: { body: { ticker: 'QNOON_GB_EQ', quantity: 2, limitPrice: 5, ...validity } },
  placeMarketOrder: { body: { ticker: 'QNOON_GB_EQ', quantity: 2 } },
  placeStopOrder: { body: { ticker: 'QNOON_GB_EQ', quantity: -2, stopPrice: 5, ...validity } },
  placeStopLimitOrder: { body: { ticker: 'QNOON_GB_EQ', quantity: -2, stopPrice: 5, limitPrice: 4.9, ...validity } },
  getPendingOrder: { path: '/equity/orders/{order}' },
  cancelOrder: { path: '/equity/orders/{order}' },
  listPositions: {},
  listDividends: {},
  listHistoricalOrders: {},
  listTransactions: {},
  listReports: {},
  requestReport: {
    body: {
      timeFrom: '2026-01-01T00:00:00Z',
      timeTo: '2026-06-01T00:00:00Z',
      dataIncluded: { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true },
    },
  },
  listPies: {},
  createPie: { body: pie },
  getPie: { path: '/equity/pies/1204411' },
  updatePie: { path: '/equity/pies/1204411', body: pie },
  deletePie: { path: '/equity/pies/1311920' },
  duplicatePie: { path: '/equity/pies/1204411/duplicate', body: { name: 'Another' } },
};
