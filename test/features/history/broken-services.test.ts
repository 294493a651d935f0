/** Services that forget, repeat, end early or correct themselves: complete means that every row is present once. */
// @module-tag server
// @module-tag slow
import { expect, test } from 'vitest';
import {
  against,
  ask,
  dayMs,
  deposit,
  dividend,
  filled,
  iso,
  minuteMs,
  pageOf,
  readWhole,
  skippingPageOf,
  startAt,
  stateOf,
} from '../../support/fake-history.ts';

const daily = <Row>(count: number, row: (at: number, name: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(startAt - index * dayMs, index));

test('new rows are accepted after the clock was far ahead', async () => {
  const rows: object[] = daily(10, deposit);
  const made = await against((path, query) => ({ body: pageOf(rows, path, query) }));
  const right = made.clock.now;
  let aheadMs = 400 * dayMs;
  Object.assign(made.clock, { now: () => right() + aheadMs });
  await ask(made, { kind: 'transactions' });
  aheadMs = 0;
  await made.clock.advance(30 * dayMs);
  rows.unshift(deposit(startAt + 29 * dayMs, 'new'));
  const body = await ask(made, { kind: 'transactions' });
  expect(body.rows.length).toBe(11);
  expect(Date.parse(body.asOf)).toBeLessThanOrEqual(made.clock.now());
});

test.each([
  ['an empty head', () => ({ items: [], nextPagePath: null })],
  ['a head without a way on', (rows: readonly unknown[]) => ({ items: rows.slice(0, 50) })],
])('%s in the middle of a first load does not end it', async (_, glitchOf) => {
  const rows = daily(400, deposit);
  let isGlitch = false;
  const made = await against(
    (path, query) => ({ body: isGlitch && !query.get('cursor') ? glitchOf(rows) : pageOf(rows, path, query) }),
    { limit: 3 },
  );
  await ask(made, { kind: 'transactions', waitSeconds: 0 });
  isGlitch = true;
  await made.clock.advance(61_000);
  const during = await ask(made, { kind: 'transactions', waitSeconds: 0 });
  expect(during.complete).toBe(false);
  isGlitch = false;
  await made.clock.advance(20 * minuteMs);
  expect((await readWhole(made, 'transactions')).coverage.rows).toBe(400);
});

test('an empty last page for a forgotten cursor is not the end', async () => {
  const rows = daily(400, deposit);
  let isForgotten = false;
  const made = await against(
    (path, query) => ({
      body: isForgotten && query.get('cursor') ? { items: [], nextPagePath: null } : pageOf(rows, path, query),
    }),
    { limit: 3 },
  );
  await ask(made, { kind: 'transactions', waitSeconds: 0 });
  isForgotten = true;
  await made.clock.advance(61_000);
  expect((await ask(made, { kind: 'transactions' })).complete).toBe(false);
  isForgotten = false;
  await made.clock.advance(20 * minuteMs);
  expect((await readWhole(made, 'transactions')).coverage.rows).toBe(400);
});

test.each([
  [1, 290],
  [2, 400],
])(
  'one row with an old date at the end of a page covers nothing, with %i pages read',
  { tags: ['slow'] },
  async (readable, days) => {
    const rows = Array.from({ length: 250 }, (_, index) => dividend(startAt - index * 2 * dayMs, index));
    rows.splice(49, 0, dividend(startAt - 900 * dayMs, 'old'));
    let pages = 0;
    const made = await against((path, query) =>
      ++pages > readable ? { status: 503, body: {} } : { body: pageOf(rows, path, query) },
    );
    const body = await ask(made, { kind: 'dividends', since: iso(startAt - days * dayMs) });
    expect(body.complete).toBe(false);
  },
);

test.each([
  ['goes round between two pages', (cursor: string | null) => (cursor === 'b' ? 'a' : 'b')],
  ['gives the first page again under ever new names', (_: string | null, count: number) => `u${count}`],
])('a service that %s is not read forever', async (_, cursorAfter) => {
  const rows = daily(100, deposit);
  let count = 0;
  const made = await against((_path, query) => {
    const cursor = query.get('cursor');
    const items = cursor === 'b' ? rows.slice(50) : rows.slice(0, 50);
    const next = `limit=50&cursor=${cursorAfter(cursor, count++)}&time=2026-01-01T00:00:00Z`;
    return { body: { items, nextPagePath: next } };
  });
  expect((await ask(made, { kind: 'transactions' })).complete).toBe(false);
  for (let minutes = 0; minutes < 30; minutes++) await made.clock.advance(minuteMs);
  const body = await ask(made, { kind: 'transactions' });
  expect(body.complete).toBe(false);
  expect(body.coverage.missing.join()).toMatch(/form a loop/);
  expect(made.log.length).toBeLessThan(30);
});

test('both legs of a conversion are returned, and so are equal fills without ids', async () => {
  const leg = (amount: number, currency: string) => deposit(startAt - dayMs, 1, { type: 'TRANSFER', amount, currency });
  const transfers = [leg(-100, 'GBP'), leg(117, 'EUR'), deposit(startAt - 2 * dayMs, 2)];
  const nameless = (id: number) => {
    const { order, fill } = filled(startAt - dayMs, id);
    return { order, fill: { ...fill, id: null } };
  };
  const fills = [nameless(1), nameless(1), nameless(2)];
  const made = await against((path, query) => ({
    body: pageOf(path.includes('orders') ? fills : transfers, path, query),
  }));
  expect((await readWhole(made, 'transactions')).rows.length).toBe(3);
  expect((await readWhole(made, 'orders')).rows.length).toBe(3);
});

test('an order that was FILLED before its fill appeared is one row', async () => {
  const rows = [
    { ...filled(startAt - minuteMs, 900), fill: null },
    ...daily(20, (at, index) => filled(at - dayMs, 800 - index)),
  ];
  const made = await against((path, query) => ({ body: pageOf(rows, path, query) }));
  await readWhole(made, 'orders');
  rows[0] = filled(startAt - minuteMs, 900) as (typeof rows)[0];
  await made.clock.advance(2 * minuteMs);
  expect((await readWhole(made, 'orders')).rows.length).toBe(21);
});

test('rows that were booked late below the newest known ones are found', async () => {
  const rows = daily(100, dividend);
  const made = await against((path, query) => ({ body: pageOf(rows, path, query) }));
  await readWhole(made, 'dividends');
  const late = Array.from({ length: 60 }, (_, index) => dividend(startAt - 20 * dayMs + index, `late${index}`));
  rows.splice(20, 0, ...late.reverse());
  await made.clock.advance(2 * minuteMs);
  expect((await readWhole(made, 'dividends')).coverage.rows).toBe(160);
});

test('an order that had not ended is read again, also on the third page', async () => {
  const index = 120;
  const spacingMs = 10 * minuteMs;
  const at = startAt - index * spacingMs;
  const rows = Array.from({ length: 200 }, (_, nth) => filled(startAt - nth * spacingMs, 5_000 - nth));
  rows[index] = filled(at, 5_000 - index, { status: 'PARTIALLY_FILLED' });
  const made = await against((path, query) => ({ body: pageOf(rows, path, query) }));
  await readWhole(made, 'orders');
  rows[index] = filled(at, 5_000 - index, { status: 'CANCELLED' });
  await made.clock.advance(2 * minuteMs);
  const range = { since: iso(at - spacingMs), until: iso(at + spacingMs) };
  const body = await ask(made, { kind: 'orders', ...range });
  expect(body.complete && JSON.stringify(body.rows).includes('PARTIALLY_FILLED')).toBe(false);
  const later = await ask(made, { kind: 'orders', ...range });
  expect(JSON.stringify(later.rows)).toContain('CANCELLED');
});

test('an account that was reset under the same key is not mixed with its predecessor', async () => {
  let id = 11;
  let rows = daily(5, deposit);
  const made = await against((path, query) =>
    path.includes('summary')
      ? { body: { id, currency: 'GBP', totalValue: 1, cash: { availableToTrade: 1 } } }
      : { body: pageOf(rows, path, query) },
  );
  await made.call('get_account_summary');
  await readWhole(made, 'transactions');
  id = 12;
  rows = [deposit(startAt + minuteMs, 'new')];
  await made.clock.advance(5 * minuteMs);
  await made.call('get_account_summary');
  expect((await readWhole(made, 'transactions')).rows.length).toBe(1);
});

/** Dates of `count` rows, `spacingMs` apart, where the rows at the indexes `same` share one moment. */
function crowded(count: number, spacingMs: number, same: readonly number[]): number[] {
  const at = Array.from({ length: count }, (_, index) => startAt - dayMs - index * spacingMs);
  for (const index of same) at[index] = startAt - dayMs - Math.min(...same) * spacingMs;
  return at;
}

test.each([
  [2, false, 50],
  [5, false, 80],
  [8, true, 81],
])(
  'a range is incomplete while rows of a second may be missing: %i pages',
  { tags: ['slow'] },
  async (readable, isWhole, told) => {
    const at = crowded(200, minuteMs, [48, 49, 50, 51]);
    const rows = at.map((moment, index) => dividend(moment, index));
    let pages = 0;
    const made = await against((_path, query) =>
      ++pages > readable ? { status: 503, body: {} } : { body: skippingPageOf(rows, at, query) },
    );
    const body = await ask(made, { kind: 'dividends', since: iso(at[80] ?? 0) });
    expect([body.complete, body.rows.length]).toEqual([isWhole, told]);
  },
);

test('skipped rows are found where a page ends with an order that has no usable date', async () => {
  const at = crowded(120, minuteMs, [48, 49, 50, 51, 52]);
  const rows: object[] = at.map((moment, index) => filled(moment, 5_000 - index));
  const cancelled = filled((at[49] ?? 0) - 60 * minuteMs, 5_000 - 49, { status: 'CANCELLED' });
  rows[49] = { ...cancelled, fill: null };
  const made = await against((_path, query) => ({ body: skippingPageOf(rows, at, query) }));
  expect((await readWhole(made, 'orders')).coverage.rows).toBe(120);
});

test('skipped rows of one millisecond are found', async () => {
  const at = crowded(120, minuteMs, [48, 49, 50, 51]).map((moment) => moment + 123);
  const rows = at.map((moment, index) => filled(moment, 5_000 - index));
  const made = await against((_path, query) => ({ body: skippingPageOf(rows, at, query) }));
  expect((await readWhole(made, 'orders')).coverage.rows).toBe(120);
});

test('a careful load, which reads each page twice, is not taken for disorder', { tags: ['slow'] }, async () => {
  const at = crowded(400, 60 * minuteMs, [48, 49, 50, 51]);
  const rows = at.map((moment, index) => dividend(moment, index));
  const made = await against((_path, query) => ({ body: skippingPageOf(rows, at, query) }));
  expect((await readWhole(made, 'dividends')).coverage.rows).toBe(400);
  const [segment] = (await stateOf(made, 'dividends')).stretches;
  expect(segment?.boundary.cursor).toBe('skips');
  expect(segment?.inOrder).toBe(true);
});

test('with a service whose clock is behind, a load does not cover the minutes just before it', async () => {
  const behindMs = 5 * minuteMs;
  const rows = daily(30, deposit);
  let isBroken = false;
  const made = await against((path, query) =>
    isBroken && query.get('cursor')
      ? { status: 503, body: {} }
      : {
          body: pageOf(rows, path, query),
          headers: { date: new Date(made.clock.now() - behindMs).toUTCString() },
        },
  );
  await made.clock.advance(10 * minuteMs);
  await readWhole(made, 'transactions');
  const readAt = made.clock.now();
  // They happened in the next minute, and the service dates them four minutes earlier.
  for (let index = 0; index < 80; index++)
    rows.unshift(deposit(readAt + minuteMs - behindMs + index * 10, `new${index}`));
  await made.clock.advance(3 * minuteMs);
  isBroken = true;
  const body = await ask(made, { kind: 'transactions', until: iso(readAt - minuteMs) });
  expect(body.complete).toBe(false);
});

test('an order with an unknown status does not restart the load at every call', { tags: ['slow'] }, async () => {
  const rows = Array.from({ length: 200 }, (_, index) => filled(startAt - index * 60 * minuteMs, 5_000 - index));
  rows[120] = filled(startAt - 120 * 60 * minuteMs, 4_880, { status: 'EXPIRED' });
  const made = await against((path, query) => ({ body: pageOf(rows, path, query) }));
  await readTenTimes(made, 'orders');
});

test('pages smaller than the overlap that proves a match do not restart the load at every call', {
  tags: ['slow'],
}, async () => {
  const rows = daily(200, dividend);
  const made = await against((path, query) => {
    const small = new URLSearchParams(query);
    small.set('limit', '10');
    return { body: pageOf(rows, path, small) };
  });
  await readTenTimes(made, 'dividends');
});

/** Two minutes apart; the known rows stay one segment, to which at most a few are still being joined. */
async function readTenTimes(made: Awaited<ReturnType<typeof against>>, kind: string) {
  for (let round = 0; round <= 10; round++) {
    await readWhole(made, kind);
    await made.clock.advance(2 * minuteMs);
  }
  expect((await stateOf(made, kind)).stretches.length).toBeLessThan(5);
}
