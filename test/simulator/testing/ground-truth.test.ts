// @module-tag server
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { startSimulator } from '../../../src/simulator/index.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { expectClosed, total } from '../books.ts';
import { credentials, setup, walk } from '../support.ts';

describe('the seeded account', () => {
  test.each([1, 4242])('adds up to the penny with seed %i', { tags: ['slow'] }, async (seed) => {
    const { simulator } = await setup({ seed });
    const books = simulator.groundTruth();
    expectClosed(books);
    expect(books.dividends.length).toBe(240);
    expect(books.transactions.length).toBe(120);
    expect(books.history.length).toBeGreaterThan(580);
    expect(books.history.length).toBeLessThan(620);
    expect(books.positions.length).toBeGreaterThanOrEqual(15);
    expect(books.positions.length).toBeLessThanOrEqual(20);
    expect(Number(books.cash.available)).toBeGreaterThan(10_000);
    expect(Number(books.cash.available)).toBeLessThan(100_000);
  });

  test('holds at each dividend the shares that the dividend was paid on', async () => {
    const { simulator } = await setup();
    const { history, dividends } = simulator.groundTruth();
    for (const dividend of dividends) {
      let held = new Big(0);
      for (const { order, fill, at } of history) {
        if (fill && order.ticker === dividend.ticker && at <= dividend.at) held = held.plus(fill.quantity);
      }
      expect(dividend.quantity).toBe(held.toFixed());
      const gross = held.times(dividend.grossAmountPerShare).div(dividend.fxRate);
      const kept = gross.times(dividend.withheld === '0' ? 1 : 0.85).round(2, 1);
      expect(dividend.amount).toBe(kept.toFixed(2));
    }
  });

  test('never had negative cash', async () => {
    const { simulator } = await setup({ seed: 4242 });
    const { history, dividends, transactions } = simulator.groundTruth();
    const moves = [
      ...[...dividends, ...transactions].map(({ at, amount }) => ({ at, amount: Number(amount) })),
      ...history.flatMap(({ at, order, fill }) =>
        fill ? [{ at, amount: Number(fill.netValue) * (order.side === 'BUY' ? -1 : 1) }] : [],
      ),
    ].sort((a, b) => a.at - b.at);
    let cash = 0;
    for (const { amount } of moves) {
      cash += amount;
      expect(cash).toBeGreaterThan(0);
    }
  });

  test('has a realistic mix of rows', async () => {
    const { simulator } = await setup();
    const { history, transactions } = simulator.groundTruth();
    const count = (matches: (row: (typeof history)[number]) => boolean) => history.filter(matches).length;
    expect(count(({ fill }) => fill === undefined)).toBeGreaterThan(30);
    expect(count(({ order }) => order.value !== undefined && order.quantity === undefined)).toBeGreaterThan(100);
    expect(count(({ order }) => order.initiatedFrom === 'AUTOINVEST')).toBeGreaterThan(150);
    expect(count(({ fill }) => fill?.type === 'STOCK_SPLIT')).toBe(1);
    for (const type of ['LIMIT', 'MARKET', 'STOP', 'STOP_LIMIT'])
      expect(count(({ order }) => order.type === type)).toBeGreaterThan(10);
    for (const status of ['FILLED', 'CANCELLED', 'REJECTED'])
      expect(count(({ order }) => order.status === status)).toBeGreaterThan(4);
    const names = new Set(history.flatMap(({ fill }) => fill?.taxes.map(({ name }) => name) ?? []));
    expect([...names].sort()).toEqual([
      'CURRENCY_CONVERSION_FEE',
      'FINRA_FEE',
      'FRENCH_TRANSACTION_TAX',
      'PTM_LEVY',
      'STAMP_DUTY_RESERVE_TAX',
      'TRANSACTION_FEE',
    ]);
    expect(new Set(transactions.map(({ type }) => type)).size).toBe(4);
    const seconds = history.map(({ at }) => Math.floor(at / 1000));
    expect(new Set(seconds).size).toBeLessThan(seconds.length - 50);
    const byCreation = [...history].sort((a, b) => a.order.createdAt - b.order.createdAt);
    const ids = byCreation.map(({ order }) => Number(order.id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids[0]).toBeGreaterThan(5e10 - 1);
  });

  test('agrees with the summary and the positions on the wire', async () => {
    const { simulator, get } = await setup();
    const books = simulator.groundTruth();
    const summary = (await get('/equity/account/summary')).json;
    expect(String(summary.cash.availableToTrade)).toBe(new Big(books.cash.available).toFixed());
    expect(String(summary.investments.realizedProfitLoss)).toBe(books.realisedProfitLoss);
    const positions = (await get('/equity/positions')).json as {
      walletImpact: { currentValue: number; totalCost: number };
    }[];
    const sumOf = (key: 'currentValue' | 'totalCost') =>
      total(positions.map(({ walletImpact }) => String(walletImpact[key])));
    expect(sumOf('currentValue')).toBe(String(summary.investments.currentValue));
    expect(sumOf('totalCost')).toBe(String(summary.investments.totalCost));
    expect(new Big(books.cash.total).plus(sumOf('currentValue')).toFixed()).toBe(String(summary.totalValue));
  });

  test('still adds up after trading, a dividend and transfers', async () => {
    const { simulator, clock, market, limit } = await setup();
    await market('QNOON_GB_EQ', 20.5);
    await market('QDUSK_US_EQ', -3.25);
    await market('QBRAMl_EQ', 10);
    await limit('QVIGL', 12, 1000 / 3);
    simulator.inject.dividend('QNOON_GB_EQ', '0.12');
    simulator.inject.transfer(250);
    simulator.inject.transfer('-99.99');
    await clock.advance(10_000);
    const books = simulator.groundTruth();
    expectClosed(books);
    expect(books.history.length).toBeGreaterThanOrEqual(603);
  });

  test('is the same for the same seed and start, and otherwise another one', { tags: ['slow'] }, async () => {
    const one = await setup({ seed: 5 });
    const same = await setup({ seed: 5 });
    const other = await setup({ seed: 6 });
    expect(one.simulator.groundTruth()).toEqual(same.simulator.groundTruth());
    expect(one.simulator.groundTruth().history).not.toEqual(other.simulator.groundTruth().history);
    const all = await walk(one.get, '/equity/history/orders');
    expect(await walk(same.get, '/equity/history/orders')).toEqual(all);
  });

  test('starts at any time of day and of year', { tags: ['slow'] }, async () => {
    for (const startAt of ['2025-03-30T01:30:00Z', '2026-12-25T23:59:59Z', '2028-02-29T12:00:00Z']) {
      const clock = createManualClock({ startAt: Date.parse(startAt) });
      const simulator = await startSimulator({ clock, credentials, seed: 3, instrumentCount: 100 });
      expectClosed(simulator.groundTruth());
      await simulator.close();
    }
  });
});
