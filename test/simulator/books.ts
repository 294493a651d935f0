import Big from 'big.js';
import { expect } from 'vitest';
import type { GroundTruth } from '../../src/simulator/index.ts';

/** The exact sum of amounts. */
export const total = (amounts: Iterable<string>): string => {
  let sum = new Big(0);
  for (const amount of amounts) sum = sum.plus(amount);
  return sum.toFixed();
};

/** Everything that can be added up, added up again from the rows alone. */
export function expectClosed(books: GroundTruth): void {
  const fills = books.history.flatMap(({ order, fill }) => (fill ? [{ order, fill }] : []));
  const held = new Map<string, Big>();
  const cost = new Map<string, Big>();
  let realised = new Big(0);
  for (const { order, fill } of fills) {
    const { ticker } = order;
    const before = held.get(ticker) ?? new Big(0);
    const paid = cost.get(ticker) ?? new Big(0);
    if (fill.type === 'TRADE') {
      const taxes = total(fill.taxes.map(({ quantity }) => quantity));
      const gross = new Big(fill.price).times(fill.quantity).abs().div(fill.fxRate);
      const net = order.side === 'BUY' ? gross.plus(taxes) : gross.minus(taxes);
      expect(fill.netValue).toBe(net.round(2, 1).toFixed());
      if (order.side === 'BUY') {
        expect(fill.realisedProfitLoss).toBe('0');
        cost.set(ticker, paid.plus(fill.netValue));
      } else {
        const out = paid.times(new Big(fill.quantity).abs()).div(before).round(2, 1);
        expect(fill.realisedProfitLoss).toBe(new Big(fill.netValue).minus(out).toFixed());
        cost.set(ticker, paid.minus(out));
      }
      realised = realised.plus(fill.realisedProfitLoss);
    }
    held.set(ticker, before.plus(fill.quantity));
    expect(held.get(ticker)?.gte(0)).toBe(true);
  }
  const open = [...held].filter(([, quantity]) => quantity.gt(0));
  expect(Object.fromEntries(open.map(([ticker, quantity]) => [ticker, quantity.toFixed()]))).toEqual(
    Object.fromEntries(books.positions.map(({ ticker, quantity }) => [ticker, quantity])),
  );
  for (const { ticker, totalCost } of books.positions)
    expect((cost.get(ticker) ?? new Big(0)).toFixed()).toBe(totalCost);
  expect(realised.toFixed()).toBe(books.realisedProfitLoss);

  const flows = total(books.transactions.map(({ amount }) => amount));
  const income = total(books.dividends.map(({ amount }) => amount));
  const sells = total(fills.filter(({ order }) => order.side === 'SELL').map(({ fill }) => fill.netValue));
  const buys = total(fills.filter(({ order }) => order.side === 'BUY').map(({ fill }) => fill.netValue));
  expect(new Big(flows).plus(income).plus(sells).minus(buys).toFixed()).toBe(books.cash.total);
  expect(total([books.cash.available, books.cash.reserved, books.cash.inPies])).toBe(books.cash.total);
}
