import type { Account } from '../account/account.ts';
import { takeOrderId } from '../account/order-ids.ts';
import type { InitiatedFrom, OrderRecord } from '../account/records.ts';
import { notFound } from '../api-error.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { World } from '../world/world.ts';
import { checkOrder, type NewOrder } from './check-order.ts';

/** How long a cancellation takes (ms). */
const cancelMs = 500;

/** Adds an order to the book. Throws an ApiError when the service rejects it. */
export function placeOrder(
  world: World,
  account: Account,
  quirks: Quirks,
  wanted: NewOrder,
  initiatedFrom: InitiatedFrom,
  nowMs: number,
): OrderRecord {
  const reserved = checkOrder(world, account, quirks, wanted, nowMs);
  const order: OrderRecord = {
    id: takeOrderId(account, world.seed),
    createdAt: nowMs,
    ticker: wanted.ticker,
    type: wanted.type,
    side: wanted.quantity.lt(0) ? 'SELL' : 'BUY',
    quantity: wanted.quantity.toFixed(),
    ...(wanted.limitPrice && { limitPrice: wanted.limitPrice.toFixed() }),
    ...(wanted.stopPrice && { stopPrice: wanted.stopPrice.toFixed() }),
    timeInForce: wanted.timeInForce,
    extendedHours: wanted.extendedHours,
    initiatedFrom,
    status: 'NEW',
    filledQuantity: '0',
    reserved: reserved.toFixed(),
  };
  account.pending.set(order.id, order);
  account.revision++;
  return order;
}

/** Requests a cancellation. An order whose fill comes first is still filled. */
export function requestCancel(account: Account, id: number, nowMs: number): OrderRecord {
  const order = account.pending.get(id);
  if (!order) throw notFound(`order ${id}`);
  if (order.cancelAt === undefined) {
    order.cancelAt = nowMs + cancelMs;
    order.status = 'CANCELLING';
    account.revision++;
  }
  return order;
}
