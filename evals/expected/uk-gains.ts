/**
 * Gains by the United Kingdom's rules, computed the slow way: for each sale the purchases of its day, then those of the
 * thirty days after it, then a part of the pool (TCGA 1992 sections 104, 105 and 106A).
 */
import Big from 'big.js';
import type { GroundTruth } from '../../src/simulator/index.ts';
import { always, type Range } from './ledger.ts';

interface Day {
  readonly date: string;
  bought: Big;
  cost: Big;
  sold: Big;
  proceeds: Big;
  /** Shares that a split added. */
  added: Big;
  /** Cost of the sold shares. */
  identified: Big;
}

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });
const dayNumber = (date: string) => Date.parse(date) / 86_400_000;

/** Gains less losses in the range of days, by ticker; pounds, exact. */
export function ukGainsOf(books: GroundTruth, range: Range = always): Record<string, Big> {
  const tickers = [...new Set(books.history.filter(({ fill }) => fill).map(({ order }) => order.ticker))];
  const gains: Record<string, Big> = {};
  for (const ticker of tickers) {
    const days = daysOf(books, ticker);
    identify(days);
    for (const { date, sold, proceeds, identified } of days) {
      const at = Date.parse(date);
      if (sold.eq(0) || at < range.from || at >= range.to) continue;
      gains[ticker] = (gains[ticker] ?? new Big(0)).plus(proceeds).minus(identified);
    }
  }
  return gains;
}

function daysOf({ history }: GroundTruth, ticker: string): Day[] {
  const days = new Map<string, Day>();
  const zero = new Big(0);
  for (const { order, fill } of history) {
    if (!fill || order.ticker !== ticker) continue;
    const date = london.format(fill.filledAt);
    const day = days.get(date) ?? {
      date,
      bought: zero,
      cost: zero,
      sold: zero,
      proceeds: zero,
      added: zero,
      identified: zero,
    };
    days.set(date, day);
    if (fill.type === 'STOCK_SPLIT') day.added = day.added.plus(fill.quantity);
    else if (order.side === 'BUY') {
      day.bought = day.bought.plus(fill.quantity);
      day.cost = day.cost.plus(fill.netValue);
    } else {
      day.sold = day.sold.minus(fill.quantity);
      day.proceeds = day.proceeds.plus(fill.netValue);
    }
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

function identify(days: readonly Day[]): void {
  const open = new Map(days.map((day) => [day, day.sold]));
  const take = (sale: Day, from: Day) => {
    const wanted = open.get(sale) ?? new Big(0);
    const taken = wanted.lt(from.bought) ? wanted : from.bought;
    if (taken.eq(0)) return;
    const cost = from.cost.times(taken).div(from.bought);
    sale.identified = sale.identified.plus(cost);
    from.bought = from.bought.minus(taken);
    from.cost = from.cost.minus(cost);
    open.set(sale, wanted.minus(taken));
  };
  for (const day of days) take(day, day);
  for (const day of days) {
    const first = dayNumber(day.date);
    for (const later of days) {
      const distance = dayNumber(later.date) - first;
      if (distance > 0 && distance <= 30) take(day, later);
    }
  }
  let units = new Big(0);
  let cost = new Big(0);
  for (const day of days) {
    units = units.plus(day.bought).plus(day.added);
    cost = cost.plus(day.cost);
    const left = open.get(day) ?? new Big(0);
    if (left.eq(0)) continue;
    const part = cost.times(left).div(units);
    day.identified = day.identified.plus(part);
    units = units.minus(left);
    cost = cost.minus(part);
  }
}
