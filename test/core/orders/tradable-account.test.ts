/** The account as a plan sees it, with our own and other pending orders. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { setup } from '../../support/setup.ts';

test('pending orders of this program and others count as executed, and cannot be sold or spent twice', async () => {
  const made = await setup();
  const { orderManager } = made.composed.services;
  const context = () => ({
    signal: new AbortController().signal,
    deadlineAt: made.clock.now() + 50_000,
    priority: 'read' as const,
  });
  const held = made.simulator.groundTruth().positions.find(({ quantityInPies }) => Number(quantityInPies) > 1);
  const ticker = held?.ticker ?? '';
  const before = await orderManager.readAccount(context());
  const shares = before.getShares(ticker);
  expect(shares.held.toFixed()).toBe(held?.quantity);
  expect(shares.sellable.toFixed()).toBe(new Big(held?.quantity ?? 0).minus(held?.quantityInPies ?? 0).toFixed());

  const price = before.snapshot.positions.find(({ instrument }) => instrument?.ticker === ticker)?.currentPrice ?? '1';
  const limit = (percent: number) => new Big(price).times(percent).div(100).round(2).toFixed();
  const order = { ticker, timeValidity: 'DAY' };
  const sell = await made.call('place_limit_order', { ...order, side: 'SELL', quantity: 2, limitPrice: limit(115) });
  const buy = await made.call('place_limit_order', { ...order, side: 'BUY', quantity: 3, limitPrice: limit(90) });
  expect([sell.body.outcome, buy.body.outcome]).toEqual(['placed', 'placed']);

  const after = await orderManager.readAccount(context());
  const left = after.getShares(ticker);
  const opened = (side: 'BUY' | 'SELL') => after.countOpen(ticker, side) - before.countOpen(ticker, side);
  expect([opened('BUY'), opened('SELL')]).toEqual([1, 1]);
  expect(left.held.toFixed()).toBe(shares.held.toFixed());
  expect(left.afterPending.minus(shares.afterPending).toFixed()).toBe('1');
  expect(shares.sellable.minus(left.sellable).toFixed()).toBe('2');
  expect(after.cash?.lt(before.cash ?? 0)).toBe(true);
});
