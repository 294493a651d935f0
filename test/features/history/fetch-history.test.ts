/** fetch_history over every form of paging: complete means that every row was read. */
// @module-tag server
import { expect, test } from 'vitest';
import type { Quirks } from '../../../src/simulator/index.ts';
import { type Setup, setup } from '../../support/setup.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

async function everything(
  { call, clock }: Setup,
  args: Record<string, unknown>,
): Promise<{ rows: unknown[][]; last: Body }> {
  const rows: unknown[][] = [];
  let cursor: string | undefined;
  for (let calls = 0; calls < 60; calls++) {
    const { isError, body } = await call('fetch_history', {
      limit: 500,
      waitSeconds: 50,
      ...args,
      ...(cursor ? { cursor } : {}),
    });
    if (isError && body.code === 'rate_limited') {
      await clock.advance(body.retryAfterSeconds * 1000);
      continue;
    }
    expect(isError, JSON.stringify(body)).toBe(false);
    rows.push(...body.rows);
    cursor = body.nextCursor;
    if (!cursor) return { rows, last: body };
    if (body.retryAfterSeconds) await clock.advance(body.retryAfterSeconds * 1000);
  }
  throw new Error('The walk does not end.');
}

/** What differs for the walk; every form of a next path is in test/core/broker/paginate.test.ts. */
const forms: [string, Partial<Quirks>][] = [
  ['rows of one second repeated at the boundary', { sameSecondPaging: 'repeat' }],
  ['paths as the specification has them', {}],
  ['an empty page in the middle', { emptyPage: true }],
  ['bare queries', { nextPagePath: 'bareQuery' }],
  ['a last path whose cursor is the word null', { lastPage: 'nullCursor' }],
];
test.each(forms)('each history is read completely with %s', { tags: ['slow'] }, async (_, quirks) => {
  const made = await setup({ quirks });
  const books = made.simulator.groundTruth();
  // The longest of the three is the slowest, and takes the same path: once is enough.
  const isPlain = Object.keys(quirks).every((name) => name === 'sameSecondPaging');
  for (const [kind, count] of [
    ...(isPlain ? [['orders', books.history.length] as const] : []),
    ['dividends', books.dividends.length],
    ['transactions', books.transactions.length],
  ] as const) {
    const { rows, last } = await everything(made, { kind });
    expect(last.complete).toBe(true);
    expect(rows.length, kind).toBe(count);
  }
  expect(made.simulator.log.filter((request) => request.refused).length).toBe(0);
});

test.each([
  ['a page fails with 404', { failPage: { page: 2, status: 404 } }],
  ['a path is repeated', { repeatPage: 2 }],
  ['the next page is at another origin', { nextPagePath: 'otherOrigin' }],
] as [string, Partial<Quirks>][])('a history is not reported as complete when %s', async (_, quirks) => {
  const made = await setup({ quirks });
  const { isError, body } = await made.call('fetch_history', { kind: 'dividends', limit: 500, waitSeconds: 50 });
  expect(isError, JSON.stringify(body)).toBe(false);
  expect(body.complete).toBe(false);
  expect(body.note).toMatch(/^Not complete\. Rows up to .* are missing: /);
});

test('a page out of order does not end a range too early', async () => {
  const made = await setup({ quirks: { dividendsOutOfOrder: true } });
  const since = '2025-06-01';
  const { rows, last } = await everything(made, { kind: 'dividends', since });
  const wanted = made.simulator.groundTruth().dividends.filter(({ at }) => at >= Date.parse(since));
  expect(last.complete).toBe(true);
  expect(rows.length).toBe(wanted.length);
});

test('since is inclusive, until is exclusive, and ticker and type narrow the rows', async () => {
  const made = await setup();
  const [since, until] = ['2025-01-01', '2025-07-01'];
  const inRange = made.simulator.groundTruth().dividends.filter(({ at }) => {
    return at >= Date.parse(since) && at < Date.parse(until);
  });
  const { rows } = await everything(made, { kind: 'dividends', since, until });
  expect(rows.length).toBe(inRange.length);
  const ticker = inRange[0]?.ticker as string;
  const { rows: ofOne } = await everything(made, { kind: 'dividends', since, until, ticker });
  expect(ofOne.length).toBe(inRange.filter((row) => row.ticker === ticker).length);
  const { rows: fees } = await everything(made, { kind: 'transactions', type: 'FEE' });
  expect(fees.length).toBe(made.simulator.groundTruth().transactions.filter(({ type }) => type === 'FEE').length);
});

test('a page counts the matching rows of all pages once the range is read', async () => {
  const made = await setup();
  const count = made.simulator.groundTruth().dividends.length;
  const args = { kind: 'dividends', limit: 2 };
  // The first page of the service is read, and the rest is not.
  const { body: unread } = await made.call('fetch_history', args);
  const { body: first } = await made.call('fetch_history', { ...args, waitSeconds: 50 });
  const { body: second } = await made.call('fetch_history', { ...args, cursor: first.nextCursor });
  const { body: whole } = await made.call('fetch_history', { ...args, ticker: first.rows[0][1], limit: 500 });
  expect([unread.complete, unread.rowCount]).toEqual([false, undefined]);
  expect([first.complete, first.rows.length, first.rowCount]).toEqual([true, 2, count]);
  expect([second.rows.length, second.rowCount]).toEqual([2, count]);
  expect([whole.nextCursor, whole.rowCount]).toEqual([undefined, undefined]);
});

test.each([
  ['fetch_history', { kind: 'orders', limit: 40, waitSeconds: 50 }],
  ['list_positions', { limit: 5 }],
  ['list_orders', {}],
  ['list_exchanges', {}],
  ['list_exchanges', { days: 1 }],
])('%s %j has as objects what its table has, by the names of the columns', async (tool, args) => {
  const { call } = await setup();
  await call('place_limit_order', {
    ticker: 'QNOON_GB_EQ',
    side: 'BUY',
    quantity: 1,
    limitPrice: 9.5,
    timeValidity: 'DAY',
  });
  const { body: table } = await call(tool, args);
  const { body } = await call(tool, { ...args, responseFormat: 'objects' });
  const { columns, rows } = table as { columns: string[]; rows: unknown[][] };
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((name, index) => [name, row[index]]).filter(([, value]) => value !== null)),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(body.items.slice(0, rows.length)).toEqual(objects);
  expect([body.columns, body.rows]).toEqual([undefined, undefined]);
});

test('a short result continues where it stopped, without a lost or duplicate row', async () => {
  const made = await setup();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await made.call('fetch_history', {
      kind: 'dividends',
      limit: 37,
      responseFormat: 'detailed',
      waitSeconds: 50,
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...body.items.map(({ reference }: { reference: string }) => reference));
    cursor = body.nextCursor;
  } while (cursor);
  const all = made.simulator.groundTruth().dividends.map(({ reference }) => reference);
  expect(seen.length).toBe(all.length);
  expect(new Set(seen)).toEqual(new Set(all));
});

test('a waiting caller gets progress for every page', async () => {
  const { call } = await setup();
  const { progress } = await call('fetch_history', { kind: 'dividends', limit: 200, waitSeconds: 30 });
  expect(progress.filter((message) => /^Read \d+ rows of dividends/.test(message)).length).toBeGreaterThanOrEqual(2);
});

test('without time to wait the result is partial, says so, and says when to continue', async () => {
  const { call } = await setup();
  const { body } = await call('fetch_history', {
    kind: 'orders',
    limit: 500,
    waitSeconds: 0,
    responseFormat: 'concise',
  });
  expect(body.complete).toBe(false);
  expect(body.nextCursor).toBeTruthy();
});

test('a ticker that does not exist names the nearest ones', async () => {
  const { call } = await setup();
  const { body } = await call('fetch_history', { kind: 'dividends', ticker: 'QNOON_GB_EX', waitSeconds: 50 });
  expect(body).toMatchObject({ code: 'unknown_ticker' });
});

test('a date is a day of the tax zone, and a time needs none', async () => {
  const { call, simulator } = await setup();
  // Some July with a transaction.
  const { at = 0 } = simulator.groundTruth().transactions.find((row) => new Date(row.at).getUTCMonth() === 6) ?? {};
  const year = new Date(at).getUTCFullYear();
  const ask = (since: string, until: string) =>
    call('fetch_history', { kind: 'transactions', since, until, limit: 500, waitSeconds: 50 });
  const [byDate, byTime] = [
    await ask(`${year}-07-01`, `${year}-08-01`),
    await ask(`${year}-06-30T23:00:00Z`, `${year}-07-31T23:00:00Z`),
  ];
  expect(byDate.body.timeZone).toBe('Europe/London');
  expect(byTime.body.timeZone).toBeUndefined();
  expect(byDate.body.rows.length).toBeGreaterThan(0);
  expect(byDate.body.rows).toEqual(byTime.body.rows);
});
