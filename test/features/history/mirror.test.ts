/**
 * The mirrored history: a request for rows that were read before costs one request at most, and an incomplete range is
 * never reported as complete.
 */
// @module-tag server
import { expect, test } from 'vitest';
import type { Setup } from '../../support/setup.ts';
import { setup } from '../../support/setup.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

const minute = 60_000;

async function ask({ call }: Setup, args: Record<string, unknown>): Promise<Body> {
  const { isError, body } = await call('fetch_history', { limit: 500, waitSeconds: 50, ...args });
  expect(isError, JSON.stringify(body)).toBe(false);
  return body;
}

/** Calls until the complete history of the kind is loaded. */
async function readWhole(made: Setup, kind: string): Promise<Body> {
  for (let calls = 0; calls < 12; calls++) {
    const body = await ask(made, { kind });
    if (body.complete) return body;
    await made.clock.advance(minute);
  }
  throw new Error(`${kind} is not read whole`);
}

const pagesOf = (made: Setup, endpoint: string) => made.requests().filter((id) => id === endpoint).length;

test('a second call for a loaded history costs one request, and none within a minute', async () => {
  const made = await setup();
  const first = await readWhole(made, 'dividends');
  expect(first.coverage).toMatchObject({
    from: null,
    complete: true,
    rows: made.simulator.groundTruth().dividends.length,
  });
  const spent = pagesOf(made, 'listDividends');
  const again = await ask(made, { kind: 'dividends', type: 'ORDINARY', since: '2024-01-01' });
  expect(again.complete).toBe(true);
  expect(pagesOf(made, 'listDividends')).toBe(spent);
  await made.clock.advance(10 * minute);
  expect((await ask(made, { kind: 'dividends' })).complete).toBe(true);
  expect(pagesOf(made, 'listDividends')).toBe(spent + 1);
});

test('a range that ended long ago costs no request after it was loaded', { tags: ['slow'] }, async () => {
  // Without it, the zone of the days follows from the currency of the account.
  const made = await setup({ config: { taxZone: 'Europe/London' } });
  await readWhole(made, 'dividends');
  const spent = made.simulator.log.length;
  await made.clock.advance(7 * 24 * 60 * minute);
  const body = await ask(made, { kind: 'dividends', since: '2024-01-01', until: '2025-01-01' });
  expect(body.complete).toBe(true);
  expect(body.coverage.missing).toBeUndefined();
  expect(made.simulator.log.length).toBe(spent);
});

test('a fill of today is in the next result, which reads only the newest page', { tags: ['slow'] }, async () => {
  const made = await setup();
  await readWhole(made, 'orders');
  await made.clock.advance(5 * minute);
  const orderId = made.simulator.inject.order({ ticker: 'QNOON_GB_EQ', quantity: '2' });
  await made.clock.advance(2 * minute);
  const spent = pagesOf(made, 'listHistoricalOrders');
  const body = await ask(made, { kind: 'orders', limit: 5 });
  expect(body.rows[0][0]).toBe(orderId);
  expect(body.complete).toBe(true);
  expect(pagesOf(made, 'listHistoricalOrders')).toBe(spent + 1);
});

test('more new rows than fit on a page are read until they meet the known ones', async () => {
  const made = await setup();
  await readWhole(made, 'transactions');
  await made.clock.advance(30 * minute);
  for (let index = 0; index < 130; index++) {
    made.simulator.inject.transfer('10');
    await made.clock.advance(1000);
  }
  const spent = pagesOf(made, 'listTransactions');
  const body = await ask(made, { kind: 'transactions' });
  expect(body.complete).toBe(true);
  expect(body.coverage.rows).toBe(made.simulator.groundTruth().transactions.length);
  expect(pagesOf(made, 'listTransactions') - spent).toBe(3);
});

test('another process continues an interrupted load where it stopped', { tags: ['slow'] }, async () => {
  const made = await setup();
  const partial = await ask(made, { kind: 'orders', waitSeconds: 0 });
  expect(partial.complete).toBe(false);
  const other = await setup({ beside: made });
  await made.composed.close();
  const whole = await readWhole(other, 'orders');
  const books = made.simulator.groundTruth();
  expect(whole.coverage.rows).toBe(books.history.length);
  // Twelve pages of fifty, the newest one again, and three to check whether a second was cut at a page's end.
  expect(pagesOf(made, 'listHistoricalOrders')).toBeLessThanOrEqual(Math.ceil(books.history.length / 50) + 5);
  expect(made.simulator.log.filter(({ refused }) => refused).length).toBe(0);
});

test('rows that arrive during the load are neither lost nor duplicated', async () => {
  const made = await setup({ quirks: { rowsArriveWhilePaging: true } });
  await readWhole(made, 'transactions');
  made.simulator.quirks.rowsArriveWhilePaging = false;
  await made.clock.advance(2 * minute);
  const body = await ask(made, { kind: 'transactions', responseFormat: 'detailed' });
  const wanted = made.simulator.groundTruth().transactions.map(({ reference }) => reference);
  expect(body.complete).toBe(true);
  expect(body.coverage.rows).toBe(wanted.length);
});

test('an order that was cancelled or filled later is shown with its final status', { tags: ['slow'] }, async () => {
  const made = await setup({ quirks: { partialFills: 'always' } });
  await readWhole(made, 'orders');
  const { currentPrice } = (await made.call('list_positions', { ticker: 'QNOON_GB_EQ', responseFormat: 'detailed' }))
    .body.items[0];
  const orderId = made.simulator.inject.order({
    ticker: 'QNOON_GB_EQ',
    quantity: '40',
    type: 'LIMIT',
    limitPrice: currentPrice * 1.01,
  });
  await made.clock.advance(2 * minute);
  const early = await ask(made, { kind: 'orders', limit: 20, responseFormat: 'detailed' });
  await made.clock.advance(26 * 60 * minute);
  const late = await ask(made, { kind: 'orders', limit: 20, responseFormat: 'detailed' });
  const of = (body: Body) => body.items.filter(({ order }: Body) => order.id === orderId);
  const booked = made.simulator.groundTruth().history.filter(({ order }) => order.id === orderId);
  expect(of(early).length).toBeGreaterThan(0);
  expect(of(late).length).toBe(booked.length);
  expect(of(late).map(({ order }: Body) => order.status)).toEqual(booked.map(({ order }) => order.status));
});

test('rows of one second that a service skips at a page boundary are found or reported missing', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ quirks: { sameSecondPaging: 'skip' } });
  const body = await readWhole(made, 'orders');
  expect(body.coverage.rows).toBe(made.simulator.groundTruth().history.length);
});

test('a cursor that the service has forgotten is replaced by a new start at the head', async () => {
  const made = await setup();
  // Two pages are read, then the third is refused twice.
  made.simulator.faults.push({ endpoint: 'listDividends', kind: 'status', status: 404, after: 2, times: 2 });
  const body = await readWhole(made, 'dividends');
  expect(body.coverage.rows).toBe(made.simulator.groundTruth().dividends.length);
});

test('a page that fails with 503 for a while is read later', { tags: ['slow'] }, async () => {
  const made = await setup();
  made.simulator.faults.push({ endpoint: 'listDividends', kind: 'status', status: 503, after: 2, times: 4 });
  const body = await readWhole(made, 'dividends');
  expect(body.coverage.rows).toBe(made.simulator.groundTruth().dividends.length);
});

test('a page that never loads leaves a reported gap with its reason, after any number of calls', {
  tags: ['slow'],
}, async () => {
  const made = await setup({ quirks: { failPage: { page: 3, status: 404 } } });
  for (let round = 0; round < 4; round++) {
    const body = await ask(made, { kind: 'dividends' });
    expect(body.complete).toBe(false);
    expect(body.coverage.missing[0]).toMatch(/^Rows up to .* are missing: /);
    await made.clock.advance(3 * minute);
  }
  const last = await ask(made, { kind: 'dividends' });
  expect(last.coverage.missing[0]).toMatch(/^Rows up to .* are missing: The broker could not find it/);
  // The newest part is complete nevertheless.
  const body = await ask(made, { kind: 'dividends', since: '2025-10-01' });
  expect(body.complete).toBe(true);
  expect(pagesOf(made, 'listDividends')).toBeLessThan(40);
});

test('when the newest page cannot be read, the rest is returned as incomplete', async () => {
  const made = await setup();
  await readWhole(made, 'dividends');
  await made.clock.advance(60 * minute);
  made.simulator.faults.push({ endpoint: 'listDividends', kind: 'status', status: 500, times: 9 });
  const body = await ask(made, { kind: 'dividends' });
  expect(body.complete).toBe(false);
  expect(body.note).toMatch(/The newest rows could not be read: The broker returned status 500/);
  expect(body.rows.length).toBeGreaterThan(0);
});

test('after an order of ours the history is not returned from before it', async () => {
  const made = await setup();
  const range = { kind: 'orders', since: '2025-12-20' };
  expect((await ask(made, range)).complete).toBe(true);
  const placed = await made.call('place_market_order', { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 1 });
  expect(placed.body.outcome, JSON.stringify(placed.body)).toBe('placed');
  await made.clock.advance(5_000);
  const body = await ask(made, { ...range, waitSeconds: 0, limit: 3 });
  const newest = body.rows[0][0] === placed.body.orderId;
  expect(newest || body.complete === false).toBe(true);
});

test('an unusable store does not prevent reads', async () => {
  const made = await setup({ config: { stateDir: '/dev/null/nowhere' } });
  const body = await ask(made, { kind: 'transactions' });
  expect(body.complete).toBe(true);
  expect(body.coverage.rows).toBe(made.simulator.groundTruth().transactions.length);
});
