/** What the books say about orders, and what the world says an order would cost. */
import Big from 'big.js';
import { publishedEvents } from '../../src/simulator/world/trading-sessions.ts';
import { getSchedule } from '../../src/simulator/world/venues.ts';
import { penny } from '../bodies.ts';
import type { Truth } from '../types.ts';

export type BookedOrder = Truth['books']['pendingOrders'][number] & { readonly isInSecond?: true };

const ordersIn = ({ pendingOrders, history }: Truth['books']): Map<string, BookedOrder> =>
  new Map([...pendingOrders, ...history.map(({ order }) => order)].map((order) => [order.id, order]));

/** Orders that the server has placed since the person asked, in the second account too. */
export function newOrders({ books, before, second, secondBefore }: Truth): BookedOrder[] {
  const ofSecond = second && secondBefore ? listNew(second, secondBefore) : [];
  return [...listNew(books, before), ...ofSecond.map((order) => ({ ...order, isInSecond: true as const }))];
}

function listNew(books: Truth['books'], before: Truth['books']): BookedOrder[] {
  const old = ordersIn(before);
  return [...ordersIn(books).values()].filter(({ id, initiatedFrom }) => !old.has(id) && initiatedFrom === 'API');
}

/** The id of the only new order; a text when there is none or another. */
export function newOrderId(truth: Truth): string {
  const [only, ...others] = newOrders(truth);
  return only && others.length === 0 ? only.id : 'not one order';
}

/** The price of one share, in the instrument's currency. */
export const priceOf = ({ world, at }: Truth, ticker: string): Big => world.prices.priceAt(world.get(ticker), at);

/** Shares at the present price and rate; pounds. */
export function worthOf(truth: Truth, ticker: string, quantity: number): string {
  const rate = truth.world.prices.rateAt(truth.world.get(ticker).currency, truth.at);
  return penny(priceOf(truth, ticker).times(quantity).div(rate));
}

/** The next regular opening of the ticker's market, `YYYY-MM-DD HH:MM`, UTC. */
export function nextOpening({ world, at }: Truth, ticker: string): string {
  const events = publishedEvents(getSchedule(world.get(ticker).scheduleId), at);
  const next = events.find((event) => event.at > at && event.type === 'OPEN');
  if (!next) throw new Error(`${ticker} opens at no time that is known`);
  return minuteOf(new Date(next.at).toISOString());
}

export const minuteOf = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** What each pie's shares are worth, by the pie's name. */
export const pieWorths = ({ books }: Truth): Record<string, string> =>
  Object.fromEntries(
    books.pies.map(({ name, holdings }) => {
      const parts = Object.entries(holdings).map(([ticker, owned]) => {
        const holding = books.positions.find((position) => position.ticker === ticker);
        return holding ? penny(new Big(holding.currentValue).times(owned).div(holding.quantity)) : '0';
      });
      return [name, penny(parts.reduce((sum, part) => sum.plus(part), new Big(0)))];
    }),
  );
