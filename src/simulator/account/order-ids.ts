/** Observed: orders and fills have one series of ids, and the id of a fill is just above that of its order. */
import { hashNumbers } from '../random.ts';

/** Observed: ids are around this number, which 32 bits cannot hold. */
export const firstOrderId = 50_000_000_000;

/** An order fills in at most two parts, and the next order leaves room for their ids. */
const maxFills = 2;

/** Takes the id of a new order. */
export function takeOrderId(account: { nextOrderId: number }, seed: number): number {
  const id = account.nextOrderId;
  account.nextOrderId += 1 + maxFills + (hashNumbers(seed, id) % 900);
  return id;
}

/** Returns the id of an order's nth fill, counted from 1. */
export const getFillId = (orderId: number, nth: 1 | 2): number => orderId + nth;
