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
