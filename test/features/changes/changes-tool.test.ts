/** What changed, asked through a client: since when, and what is told once. */
// @module-tag server
import { expect, test } from 'vitest';
import { openMarketsAt, setup } from '../../support/setup.ts';

const hour = 3_600_000;
const rowsOf = ({ columns, rows }: { columns: string[]; rows: unknown[][] }) =>
  rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));

test('the first question has a week; a later one what came since the one before, with the trades of that time', async () => {
  const made = await setup({ startAt: openMarketsAt });
  const { body: first } = await made.call('get_changes', {});
  expect(Date.parse(first.since)).toBeGreaterThanOrEqual(openMarketsAt - 7 * 24 * hour);
  expect(Date.parse(first.since)).toBeLessThan(openMarketsAt - 7 * 24 * hour + 60_000);
  const books = made.simulator.groundTruth();
  const since = Date.parse(first.since);
  const booked = [
    ...books.history.filter(({ fill, at }) => fill?.type === 'TRADE' && at >= since),
    ...[...books.dividends, ...books.transactions].filter(({ at }) => at >= since),
  ];
  expect(first.rows.filter((row: unknown[]) => row[1] !== null)).toHaveLength(booked.length);

  const askedAt = made.clock.now();
  await made.call('place_market_order', { ticker: 'QWRLDl_EQ', side: 'BUY', quantity: 2 });
  await made.clock.advance(2 * hour);
  const { body } = await made.call('get_changes', {});
  expect(Date.parse(body.since)).toBeGreaterThanOrEqual(openMarketsAt);
  expect(Date.parse(body.since)).toBeLessThanOrEqual(askedAt);
  const bought = rowsOf(body).filter(({ kind }) => kind === 'bought');
  expect(bought).toMatchObject([{ ticker: 'QWRLDl_EQ', quantity: '2', currency: 'GBP' }]);
  const fill = made.simulator.groundTruth().history.at(-1)?.fill;
  expect(bought[0]?.amount).toBe(`-${Number(fill?.netValue).toFixed(2)}`);
  expect(body.message).toContain('when this was last asked');
  expect(body.message).toContain('Bought: Oakhaven Global Equity ETF');
});

test('a question that is repeated within an hour has the same beginning, and a date has its own', async () => {
  const made = await setup({ startAt: openMarketsAt });
  const { body: first } = await made.call('get_changes', {});
  await made.clock.advance(hour / 2);
  const { body: again } = await made.call('get_changes', {});
  // A week before now, both times: no earlier question counts yet.
  expect(Date.parse(again.since) - Date.parse(first.since)).toBeGreaterThanOrEqual(hour / 2);
  const { body: month } = await made.call('get_changes', { since: '2026-01-01' });
  expect(month.since).toBe('2026-01-01T00:00:00.000Z');
  expect(rowsOf(month).some(({ kind }) => kind === 'weight')).toBe(false);
});

test('a list of changes goes on with the cursor, and the sentence stays short', { tags: ['slow'] }, async () => {
  const made = await setup({ startAt: openMarketsAt });
  // It reads the three histories to their end.
  await expect.poll(async () => (await made.call('calculate_returns', {})).body.complete).toBe(true);
  const { body } = await made.call('get_changes', { since: '2024-01-01' });
  expect(body.message.length).toBeLessThanOrEqual(1_500);
  expect(body.nextCursor).toEqual(expect.any(String));
  const { body: rest } = await made.call('get_changes', { since: '2024-01-01', cursor: body.nextCursor });
  expect(rest.rows[0]).not.toEqual(body.rows[0]);
  expect(rest.changes).toBe(body.changes);
});
