import type { Endpoint, EndpointId } from '../../core/endpoints/index.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { toUuid } from '../random.ts';
import { insertConcurrentRows } from './concurrent-inserts.ts';
import type { Request } from './handler-state.ts';
import { dividendBody, historyRowBody, transactionBody } from './history-rows.ts';
import { buildPage, placeRows, shuffleLocally } from './paging.ts';

/** Second pages that were already returned without rows, per simulator. */
const emptiedPages = new WeakMap<object, Set<string>>();

function pageRequest(id: EndpointId, request: Request) {
  const { path } = endpoints[id] as Endpoint;
  let emptied = emptiedPages.get(request.account);
  if (!emptied) {
    emptied = new Set();
    emptiedPages.set(request.account, emptied);
  }
  if (request.quirks.rowsArriveWhilePaging && request.query.get('cursor')) insertConcurrentRows(id, request);
  return { path, query: request.query, quirks: request.quirks, withTime: id === 'listTransactions', emptied };
}

const byTicker = <Row>(request: Request, getTicker: (row: Row) => string) => {
  const ticker = request.query.get('ticker');
  return (row: Row) => !ticker || getTicker(row) === ticker;
};

export function historicalOrdersPage(request: Request) {
  const paging = pageRequest('listHistoricalOrders', request);
  const filter = byTicker<{ ticker: string }>(request, ({ ticker }) => ticker);
  const rows = placeRows(request.account.history, () => undefined).filter(({ row }) => filter(row.order));
  const page = buildPage(rows, paging);
  return { ...page, items: page.items.map((row) => historyRowBody(row, request)) };
}

export function dividendsPage(request: Request) {
  const paging = pageRequest('listDividends', request);
  const filter = byTicker<{ ticker: string }>(request, ({ ticker }) => ticker);
  const all = placeRows(request.account.dividends, () => undefined).filter(({ row }) => filter(row));
  const page = buildPage(request.quirks.dividendsOutOfOrder ? shuffleLocally(all) : all, paging);
  return { ...page, items: page.items.map((row) => dividendBody(row, request)) };
}

export function transactionsPage(request: Request) {
  const paging = pageRequest('listTransactions', request);
  const rows = placeRows(request.account.transactions, ({ reference }) => toUuid(`cursor ${reference}`));
  const page = buildPage(rows, paging);
  return { ...page, items: page.items.map((row) => transactionBody(row, request)) };
}
