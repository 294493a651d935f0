import Big from 'big.js';
import type { GroundTruth } from '../../src/simulator/index.ts';
import { sumOf } from '../bodies.ts';
import { dividendsOf } from './ledger.ts';

/** Dividends of the twelve months before `now`, and what the same payments would be with the shares held today. */
export function expectedIncome(books: GroundTruth, now: number): { received: string; expected: string } {
  const yearAgo = new Date(now);
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1);
  const rows = dividendsOf(books, { from: yearAgo.getTime(), to: now });
  const held = new Map(books.positions.map(({ ticker, quantity }) => [ticker, quantity]));
  const scaled = rows.map(({ ticker, amount, quantity }) => new Big(amount).times(held.get(ticker) ?? 0).div(quantity));
  return {
    received: sumOf(rows.map(({ amount }) => amount)),
    expected: sumOf(scaled.map((amount) => amount.toFixed(12))),
  };
}

/** The first payment of the last twelve months, a year later, scaled to the shares held today: its day and amount. */
export function nextDividendOf(books: GroundTruth, now: number, ticker: string): { about: string; amount: string } {
  const shift = (at: number, years: number) => {
    const date = new Date(at);
    date.setUTCFullYear(date.getUTCFullYear() + years);
    return date;
  };
  const rows = dividendsOf(books, { from: shift(now, -1).getTime(), to: now }, ticker);
  const [first] = rows.toSorted((a, b) => a.at - b.at);
  const held = books.positions.find((position) => position.ticker === ticker)?.quantity ?? '0';
  if (!first) throw new Error(`${ticker} paid nothing`);
  return {
    about: shift(first.at, 1).toISOString().slice(0, 10),
    amount: new Big(first.amount).times(held).div(first.quantity).toFixed(2),
  };
}
