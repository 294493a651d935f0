import Big from 'big.js';
import { type Endpoint, type EndpointId, endpoints } from '../../core/endpoints/index.ts';
import { buildFill } from '../account/build-fill.ts';
import {
  type DividendRecord,
  type FillRecord,
  getFillId,
  type HistoryRow,
  type OrderRecord,
  type TransactionRecord,
  takeOrderId,
} from '../account/records.ts';
import { buildDividend } from '../account/seed-dividends.ts';
import { type Account, addDividend, addFill, addTransaction, newTransaction } from '../account/simulated-account.ts';
import { toUuid } from '../random.ts';
import type { World } from '../world/world.ts';
import type { Request, State } from './handler-state.ts';
import { buildPage, placeRows, shuffleLocally } from './paging.ts';
import { formatQuantity, instrumentBody, orderBody } from './portfolio-bodies.ts';

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

const historyRowBody = (row: HistoryRow, state: State) => ({
  order: { ...orderBody(row.order, state), createdAt: toSecond(row.order.createdAt) },
  fill: row.fill && fillBody(row.fill, state),
});

/** Observed: times in the order history have no fraction of a second. */
const toSecond = (atMs: number): Date => new Date(Math.floor(atMs / 1000) * 1000);

const fillBody = (fill: FillRecord, { quirks, world }: State) => ({
  id: BigInt(fill.id),
  filledAt: toSecond(fill.filledAt),
  price: new Big(fill.price),
  quantity: formatQuantity(fill.quantity, quirks),
  tradingMethod: quirks.unknownEnums && fill.tradingMethod === 'OTC' ? 'SYSTEMATIC' : fill.tradingMethod,
  type: fill.type,
  walletImpact: {
    currency: world.currency,
    fxRate: new Big(fill.fxRate),
    netValue: new Big(fill.netValue),
    realisedProfitLoss: new Big(fill.realisedProfitLoss),
    taxes: fill.taxes.map(({ name, shownAs, quantity }) => ({
      name: shownAs ?? name,
      // Observed: what is charged is negative; one published sample is positive.
      quantity: quirks.taxSign === 'negative' ? new Big(quantity).neg() : new Big(quantity),
      currency: world.currency,
      chargedAt: toSecond(fill.filledAt),
    })),
  },
});

const dividendBody = (row: DividendRecord, { world, quirks }: State) => ({
  ticker: row.ticker,
  instrument: instrumentBody(world, row.ticker),
  reference: row.reference,
  quantity: new Big(row.quantity),
  amount: new Big(row.amount),
  amountInEuro: new Big(row.amountInEuro),
  currency: world.currency,
  grossAmountPerShare: new Big(row.grossAmountPerShare),
  tickerCurrency: world.get(row.ticker).currency,
  paidOn: new Date(row.at),
  type: quirks.unknownEnums && row.type === 'ORDINARY' ? 'SPECIAL_ORDINARY' : row.type,
});

const transactionBody = (row: TransactionRecord, { quirks, world }: State) => ({
  type:
    quirks.unknownEnums && row.type === 'INTEREST_ON_FREE_CASH' && row.amount.endsWith('1')
      ? 'LENDING_INTEREST'
      : (row.shownAs ?? row.type),
  amount: quirks.positiveWithdrawals ? new Big(row.amount).abs() : new Big(row.amount),
  currency: row.currency ?? world.currency,
  dateTime: new Date(row.at),
  reference: row.reference,
});

// Adds rows from other sources while a client reads. They are booked like all others.

interface InsertTarget {
  readonly world: World;
  readonly account: Account;
  readonly now: number;
}

function insertConcurrentRows(id: EndpointId, place: InsertTarget): void {
  const { account, now } = place;
  if (id === 'listTransactions') {
    addTransaction(account, newTransaction(account, 'INTEREST_ON_FREE_CASH', new Big('1.01'), now));
  } else if (id === 'listDividends') payDividend(place, 'QNOON_GB_EQ', new Big('0.05'));
  else buyInApp(place, 'QNOON_GB_EQ', new Big('1.5'));
}

/** Pays a dividend on a current holding; returns false when there is none. */
export function payDividend({ world, account, now }: InsertTarget, ticker: string, perShare: Big): boolean {
  const quantity = account.ledger.holdings.get(ticker)?.quantity ?? new Big(0);
  // Each payment has its own second, because its reference is made from the time.
  const last = account.dividends.at(-1)?.at ?? 0;
  const row = buildDividend(world, world.get(ticker), quantity, perShare, Math.max(now, last + 1));
  if (row) addDividend(account, row);
  return row !== undefined;
}

/** A market order from the mobile app that was filled at once. */
function buyInApp({ world, account, now }: InsertTarget, ticker: string, quantity: Big): void {
  const instrument = world.get(ticker);
  const order: OrderRecord = {
    id: takeOrderId(account, world.seed),
    createdAt: now,
    ticker,
    type: 'MARKET',
    side: 'BUY',
    quantity: quantity.toFixed(),
    timeInForce: 'GOOD_TILL_CANCEL',
    extendedHours: false,
    initiatedFrom: 'IOS',
    status: 'FILLED',
    filledQuantity: quantity.toFixed(),
    reserved: '0',
  };
  const price = world.prices.priceAt(instrument, now);
  const id = getFillId(order.id, 1);
  const execution = { id, instrument, side: 'BUY', quantity, price, at: now, tradingMethod: 'TOTV' } as const;
  addFill(account, order, buildFill(world, execution), now);
}
