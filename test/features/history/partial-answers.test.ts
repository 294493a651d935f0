/**
 * Results while a long history is still loading: immediate, with a number of seconds, and without notes on figures that
 * are certain.
 */
// @module-tag server
import { expect, test } from 'vitest';
import { against, dayMs, deposit, dividend, minuteMs, pageOf, readWhole, startAt } from '../../support/fake-history.ts';
import { setup } from '../../support/setup.ts';

const pagesOfService = 12;

/** Twelve pages of deposits behind a limit of six pages a minute. */
const longHistory = () => {
  const rows = Array.from({ length: pagesOfService * 50 }, (_, n) => deposit(startAt - (n + 1) * 3_600_000, n));
  return against((path, query) => ({ body: pageOf(rows, path, query) }), { limit: 6 });
};

test('a figure does not wait for pages that the limit delays beyond the call', { tags: ['slow'] }, async () => {
  const { call, clock } = await setup();
  const begun = clock.now();
  const { body } = await call('summarize_costs', { groupBy: 'name' });
  expect(body.complete).toBe(false);
  expect(body.retryAfterSeconds).toBeGreaterThan(20);
  expect(body.retryAfterSeconds).toBeLessThanOrEqual(61);
  expect(body.next).toContain(`call again in ${body.retryAfterSeconds} s.`);
  expect(clock.now() - begun).toBeLessThan(20_000);
  // The number of seconds is right: after it there is more.
  await clock.advance(body.retryAfterSeconds * 1000 + 2_000);
  const { body: later } = await call('summarize_costs', { groupBy: 'name' });
  expect(later.coverage.orders.rows).toBeGreaterThan(body.coverage.orders.rows);
});

test('a history that is still read is not checked, because a part explains neither cash nor shares', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const { body } = await made.call('calculate_returns', {});
  expect(body.coverage.orders.complete).toBe(false);
  expect(body.checks).toEqual([]);
});

test('the broker’s results of a range are complete when its own rows are, although older rows are unread', {
  tags: ['slow'],
}, async () => {
  const made = await setup();
  const asked = { taxYear: '2025/26' };
  const { body } = await made.call('summarize_realised_gains', { ...asked, method: 'broker' });
  expect(body).toMatchObject({ complete: true });
  expect(body).not.toHaveProperty('retryAfterSeconds');
  const average = await made.call('summarize_realised_gains', { ...asked, method: 'average' });
  expect(average.body.complete).toBe(false);
  await readWhole(made, 'orders');
  const { body: later } = await made.call('summarize_realised_gains', { ...asked, method: 'broker' });
  expect(later).toMatchObject({ complete: true, totals: body.totals });
  expect(later.checks.passed).toBeGreaterThan(0);
});

test('a call with a time to wait returns at once when nothing can arrive in it, and waits otherwise', {
  tags: ['slow'],
}, async () => {
  const made = await longHistory();
  const first = await made.call('fetch_history', { kind: 'transactions', limit: 500, waitSeconds: 5 });
  expect(first.body.complete).toBe(false);
  expect(first.body.retryAfterSeconds).toBeGreaterThan(5);

  // From here on the time stands still: background reading sleeps until its next page, and a call that waits sleeps too.
  made.clock.jumps = false;
  await expect.poll(() => made.clock.sleepers).toBe(1);
  const asked = made.call('fetch_history', { kind: 'transactions', limit: 500, waitSeconds: 30 });
  await expect.poll(() => made.clock.sleepers).toBe(2);
  // It looks twice, because the rows of a page are stored just after it has arrived.
  await made.clock.advance(250);
  const again = await asked;
  expect(again.body.complete).toBe(false);
  expect(again.body.retryAfterSeconds).toBeGreaterThan(30);

  await made.clock.advance((again.body.retryAfterSeconds - 20) * 1000);
  const waiting = made.call('fetch_history', { kind: 'transactions', limit: 500, waitSeconds: 30 });
  await expect.poll(() => made.clock.sleepers).toBe(2);
  made.clock.jumps = true;
  const waited = await waiting;
  expect(waited.body.coverage.rows).toBeGreaterThan(again.body.coverage.rows);
});

test('the newest rows are reported as complete while older ones are loading', async () => {
  const { call } = await longHistory();
  const { body } = await call('fetch_history', { kind: 'transactions', limit: 3 });
  expect(body.rows).toHaveLength(3);
  expect(body).toMatchObject({ complete: false, rowsComplete: 'These rows have no gap; only older rows are missing.' });
});

test('rows with a possible gap above them are not reported as complete', async () => {
  const made = await longHistory();
  const { body } = await made.call('fetch_history', { kind: 'transactions', until: '2025-12-28', limit: 3 });
  // The range ends further back than the rows that were read so far.
  expect(body.complete).toBe(false);
  expect(body).not.toHaveProperty('rowsComplete');
});

test('a few pages never make the newest dividends complete, because one of yesterday has appeared far below', async () => {
  const rows = Array.from({ length: pagesOfService * 50 }, (_, n) => dividend(startAt - (n + 1) * dayMs, n));
  rows.splice(350, 0, dividend(startAt - dayMs / 2, 'late'));
  const made = await against((path, query) => ({ body: pageOf(rows, path, query) }), { limit: 2 });
  const { body } = await made.call('fetch_history', { kind: 'dividends', limit: 3 });
  expect(body.rows).toHaveLength(3);
  expect(body.complete).toBe(false);
  expect(body).not.toHaveProperty('rowsComplete');
});

test('sums cover every matching row, not only the page', async () => {
  const made = await setup();
  const { body: whole } = { body: await readWhole(made, 'transactions') };
  const { body } = await made.call('fetch_history', { kind: 'transactions', limit: 2 });
  expect(body.rows).toHaveLength(2);
  expect(body.sums).toEqual(whole.sums);
  const booked = made.simulator.groundTruth().transactions;
  for (const { type, count, amount } of body.sums) {
    const rows = booked.filter((row) => row.type === type);
    expect(rows.length).toBe(count);
    const pennies = rows.reduce((sum, row) => sum + Math.round(Number(row.amount) * 100), 0);
    expect(Math.round(Number(amount) * 100)).toBe(pennies);
  }
  expect(body.sums.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(booked.length);
  // The next page repeats no sums.
  const next = await made.call('fetch_history', { kind: 'transactions', limit: 2, cursor: body.nextCursor });
  expect(next.body).not.toHaveProperty('sums');
});

test('a wait for a new report polls once, when it can be ready', async () => {
  const { call, requests } = await setup();
  const range = { timeFrom: '2025-01-01T00:00:00Z', timeTo: '2026-01-01T00:00:00Z' };
  const { body: asked } = await call('request_export', { ...range, include: ['dividends'] });
  const { body } = await call('list_exports', { reportId: asked.reportId, waitSeconds: 50 });
  expect(body.rows[0][body.columns.indexOf('status')]).toBe('Finished');
  expect(requests().filter((id) => id === 'listReports')).toHaveLength(1);
});

test('without time to wait the list is read now, and the result says when to poll again', async () => {
  const { call, clock } = await setup();
  const range = { timeFrom: '2025-01-01T00:00:00Z', timeTo: '2026-01-01T00:00:00Z' };
  const { body: asked } = await call('request_export', { ...range, include: ['dividends'] });
  const { body } = await call('list_exports', { reportId: asked.reportId });
  expect(body.rows[0][body.columns.indexOf('status')]).toBe('Queued');
  expect(body.retryAfterSeconds).toBeGreaterThan(50);
  await clock.advance(minuteMs);
});
