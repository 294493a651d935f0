/** Adds rows from other sources while a client reads. They are booked like all others. */
import Big from 'big.js';
import type { EndpointId } from '../../core/endpoints/index.ts';
import { type Account, addDividend, addFill, addTransaction, newTransaction } from '../account/account.ts';
import { buildFill } from '../account/build-fill.ts';
import { getFillId, takeOrderId } from '../account/order-ids.ts';
import type { OrderRecord } from '../account/records.ts';
import { buildDividend } from '../account/seed-dividends.ts';
import type { World } from '../world/world.ts';

interface InsertTarget {
  readonly world: World;
  readonly account: Account;
  readonly now: number;
}

export function insertConcurrentRows(id: EndpointId, place: InsertTarget): void {
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
