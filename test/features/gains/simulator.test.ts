/** Three simulated years at a broker that keeps its own books, by average cost in full pennies. */
// @module-tag server
import { expect, onTestFinished, test } from 'vitest';
import type { HistoricalOrder } from '../../../src/core/endpoints/index.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';
import { summarizeRealisedGains } from '../../../src/features/gains/summarize.ts';
import { type GroundTruth, startSimulator } from '../../../src/simulator/index.ts';
import { createManualClock } from '../../support/manual-clock.ts';

async function booksOf(seed: number): Promise<GroundTruth> {
  const clock = createManualClock({ startAt: Date.parse('2026-11-20T15:00:00Z') });
  const simulator = await startSimulator({ clock, seed, credentials: { key: 'k', secret: 's' }, instrumentCount: 300 });
  onTestFinished(() => simulator.close());
  return simulator.groundTruth();
}

const iso = (at: number) => new Date(at).toISOString();

const rowsOf = ({ history, currency }: GroundTruth) =>
  history.map(({ order, fill }) => ({
    order: { id: order.id, ticker: order.ticker, side: order.side, createdAt: iso(order.createdAt) },
    fill: fill && {
      id: fill.id,
      filledAt: iso(fill.filledAt),
      quantity: fill.quantity,
      price: fill.price,
      type: fill.type,
      walletImpact: { currency, netValue: fill.netValue, realisedProfitLoss: fill.realisedProfitLoss },
    },
  })) as unknown as HistoricalOrder[];

const agrees = 'average cost agrees with the broker to the penny for each sale, seed %i';
test.each([1])(agrees, expectAgreement);
test.each([3, 17])(agrees, { tags: ['slow'] }, expectAgreement);

async function expectAgreement(seed: number): Promise<void> {
  const books = await booksOf(seed);
  const trades = toTrades(rowsOf(books));
  const average = summarizeRealisedGains(trades, { method: 'average' });
  const broker = summarizeRealisedGains(trades, { method: 'broker' });
  expect(average.disposals.length).toBeGreaterThan(40);
  expect(average.unmatched).toEqual([]);
  broker.disposals.forEach((theirs, index) => {
    const ours = average.disposals[index];
    expect([ours?.at, ours?.ticker]).toEqual([theirs.at, theirs.ticker]);
    expect(Number(ours?.gain.minus(theirs.gain).abs()), theirs.ticker).toBeLessThanOrEqual(0.01);
  });
  expect(broker.totals?.gain.toFixed()).toBe(books.realisedProfitLoss);
  for (const { holds } of [...average.checks, ...broker.checks]) expect(holds).toBe(true);
}

test('under every method the remaining shares are those of the account, splits included', async () => {
  const books = await booksOf(1);
  const trades = toTrades(rowsOf(books));
  expect(trades.filter(({ type }) => type === 'STOCK_SPLIT')).toHaveLength(1);
  const held = Object.fromEntries(books.positions.map(({ ticker, quantity }) => [ticker, quantity]));
  for (const method of ['fifo', 'average', 'uk_section_104'] as const) {
    const { left, unmatched, checks } = summarizeRealisedGains(trades, { method });
    expect(unmatched).toEqual([]);
    const open = left.filter(({ quantity }) => quantity.gt(0));
    expect(Object.fromEntries(open.map(({ tickers, quantity }) => [tickers.join(), quantity.toFixed()]))).toEqual(held);
    expect(checks.map(({ holds }) => holds)).toEqual([true]);
  }
  const { left } = summarizeRealisedGains(trades, { method: 'average' });
  for (const { ticker, totalCost } of books.positions) {
    const cost = left.find(({ tickers }) => tickers[0] === ticker)?.cost;
    expect(Math.abs(Number(cost) - Number(totalCost)), ticker).toBeLessThan(0.1);
  }
});
