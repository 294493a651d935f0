/** What changed, asked through a client: since when, and what is told once. */
// @module-tag server
import { expect, test } from 'vitest';
import { openMarketsAt, order, setup } from '../../support/setup.ts';

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

test('a list of changes goes on with the cursor to its last row, and what stands before the rows is short', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ startAt: openMarketsAt });
  // It reads the three histories to their end.
  await expect.poll(async () => (await made.call('calculate_returns', {})).body.complete).toBe(true);
  const rows: unknown[] = [];
  let cursor: string | undefined;
  let count = 0;
  do {
    const { body, text } = await made.call('get_changes', { since: '2020-01-01', ...(cursor ? { cursor } : {}) });
    expect(text.indexOf('"rows":')).toBeLessThanOrEqual(1_500);
    rows.push(...body.rows);
    count = body.changes;
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  const books = made.simulator.groundTruth();
  expect(rows.filter((row) => (row as unknown[])[1] !== null)).toHaveLength(
    books.history.filter(({ fill }) => fill).length + books.dividends.length + books.transactions.length,
  );
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBeGreaterThan(count * 0.9);
});

test('before the first deposit the account was worth nothing, so all that it is worth was paid in or gained', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ startAt: openMarketsAt });
  await expect.poll(async () => (await made.call('calculate_returns', {})).body.complete).toBe(true);
  const { body } = await made.call('get_changes', { since: '2020-01-01' });
  const { body: ever } = await made.call('calculate_returns', {});
  expect(body.valueThen).toBe('0.00');
  const inPounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
  const [paid, gain] = [ever.netDeposits, ever.gain.replace('-', '')].map((amount) => inPounds.format(amount));
  expect(body.message).toContain(`: ${paid} paid in and ${gain} `);
});

test('a date that is given is no question of what is new, so nothing between is lost', { tags: ['slow'] }, async () => {
  const made = await setup({ startAt: openMarketsAt });
  await made.call('get_changes', {});
  await made.clock.advance(2 * hour);
  made.simulator.inject.transfer(123);
  await made.clock.advance(2 * hour);
  const { body: given } = await made.call('get_changes', { since: new Date(made.clock.now()).toISOString() });
  expect(rowsOf(given).some(({ kind }) => kind === 'paid_in')).toBe(false);
  await made.clock.advance(2 * hour);
  const { body } = await made.call('get_changes', {});
  expect(rowsOf(body).filter(({ kind }) => kind === 'paid_in')).toMatchObject([{ amount: '123.00' }]);
  expect((await made.call('get_changes', { since: '2031-01-01' })).body.code).toBe('invalid_argument');
});

test('what an incomplete result lacked is in the next one', { tags: ['slow'] }, async () => {
  const made = await setup({ startAt: openMarketsAt });
  await made.call('get_changes', {});
  await made.clock.advance(2 * hour);
  made.simulator.inject.transfer(123);
  made.simulator.faults.push({ endpoint: 'listTransactions', kind: 'status', status: 503, times: 9 });
  const { body: lacking } = await made.call('get_changes', {});
  expect(lacking.complete).toBe(false);
  expect(lacking.message).toContain('Not all rows have been read yet');
  expect(rowsOf(lacking).some(({ kind }) => kind === 'paid_in')).toBe(false);
  made.simulator.faults.splice(0);
  await made.clock.advance(2 * hour);
  const { body } = await made.call('get_changes', {});
  expect(body.since).toBe(lacking.since);
  expect(rowsOf(body).filter(({ kind }) => kind === 'paid_in')).toMatchObject([{ amount: '123.00' }]);
});

test('an order that was placed before the last question and rejected after it is news once, without a time', async () => {
  const made = await setup({ startAt: openMarketsAt });
  const { body: placed } = await made.call('place_limit_order', order);
  await made.clock.advance(1_000);
  await made.call('get_changes', {});
  await made.clock.advance(2 * hour);
  made.simulator.inject.rejectOrder(placed.orderId);
  await made.clock.advance(hour / 60);
  const ended = ({ body }: { body: Parameters<typeof rowsOf>[0] }) =>
    rowsOf(body).filter(({ kind }) => kind === 'order_ended');
  expect(ended(await made.call('get_changes', {}))).toMatchObject([
    { at: null, ticker: order.ticker, quantity: '2', detail: 'BUY LIMIT REJECTED' },
  ]);
  await made.clock.advance(2 * hour);
  // The one before was a question of its own.
  expect(ended(await made.call('get_changes', {}))).toEqual([]);
});
