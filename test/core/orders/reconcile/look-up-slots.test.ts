/** The limit of the history while trading: the background load leaves room for the look-up of an order. */
// @module-tag server
import { expect, test } from 'vitest';
import { order, type Setup, setup } from '../../../support/setup.ts';

const historyTimes = ({ simulator }: Setup) =>
  simulator.log.flatMap(({ endpoint, at }) => (endpoint === 'listHistoricalOrders' ? [at] : []));

/** Begins the background load and lets it run for two minutes of the limit. */
async function readHistory(made: Setup) {
  const since = historyTimes(made).length;
  await made.call('fetch_history', { kind: 'orders', limit: 1, waitSeconds: 0 });
  await expect.poll(() => historyTimes(made).length - since, { timeout: 20_000 }).toBeGreaterThanOrEqual(12);
  return historyTimes(made).slice(since, since + 12);
}

const mostInAMinute = (times: readonly number[]) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));

test('the background load of the history uses the full limit while nothing trades', { tags: ['slow'] }, async () => {
  const made = await setup();
  expect(mostInAMinute(await readHistory(made))).toBe(6);
});

test('the background load of the history leaves one request a minute free after an order was placed', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  await made.call('place_limit_order', order);
  expect(mostInAMinute(await readHistory(made))).toBe(5);
});

test('an order of another process on the same store keeps the request free too', async () => {
  const trading = await setup();
  await trading.call('place_limit_order', order);
  const reading = await setup({ beside: trading });
  expect(mostInAMinute(await readHistory(reading))).toBe(5);
});
