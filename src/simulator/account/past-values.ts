/** What the account was worth on each day of its seeded past: the interface has no such history. */

import { setImmediate } from 'node:timers/promises';
import Big from 'big.js';
import { dayMs, minuteMs } from '../world/time-zones.ts';
import type { World } from '../world/world.ts';
import { bookCash, bookFill, createLedger, roundToPence, toAccountCurrency } from './ledger.ts';
import { getPastPrice, getSeedHistory } from './seed-history.ts';

/** The value at the end of a day. */
export interface PastValue {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** A minute before the day ends in UTC (ms). */
  readonly at: number;
  /** Account currency, exact. */
  readonly totalValue: string;
  readonly currency: string;
}

/** A day takes a fraction of a millisecond; then other work of the process gets a turn. */
const daysInOneGo = 50;

/** The values of the complete days before `startedAt` (ms), oldest first, from the first booking on. */
export async function computePastValues(world: World, startedAt: number, number = 1): Promise<PastValue[]> {
  const past = await getSeedHistory(world, startedAt, number);
  const ledger = createLedger();
  const bookings = [
    ...[...past.transactions, ...past.dividends].map((row) => ({ at: row.at, book: () => bookCash(ledger, row) })),
    ...past.history.flatMap(({ order, fill, at }) => (fill ? [{ at, book: () => bookFill(ledger, order, fill) }] : [])),
  ].sort((a, b) => a.at - b.at);
  const getPrice = getPastPrice(world, startedAt);
  const values: PastValue[] = [];
  let next = 0;
  const firstAt = bookings[0]?.at ?? startedAt;
  for (let end = (Math.floor(firstAt / dayMs) + 1) * dayMs; end <= startedAt; end += dayMs) {
    if (values.length % daysInOneGo === 0) await setImmediate();
    const at = end - minuteMs;
    for (let booking = bookings[next]; booking && booking.at <= at; booking = bookings[++next]) booking.book();
    let total = ledger.cash;
    for (const { ticker, quantity } of ledger.holdings.values()) {
      const instrument = world.get(ticker);
      const rate = world.prices.rateAt(instrument.currency, at);
      total = total.plus(roundToPence(toAccountCurrency(quantity.times(getPrice(instrument, at)), rate)));
    }
    const day = new Date(at).toISOString().slice(0, 10);
    values.push({ day, at, totalValue: new Big(total).toFixed(), currency: world.currency });
  }
  return values;
}
