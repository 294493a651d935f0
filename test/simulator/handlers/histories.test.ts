// @module-tag server
import { describe, expect, test } from 'vitest';
import { setup, walk } from '../support.ts';

const orders = '/equity/history/orders';
const dividends = '/equity/history/dividends';
const transactions = '/equity/history/transactions';

const orderKey = (row: { order: { id: number }; fill?: { id: number } }) => `${row.order.id}/${row.fill?.id}`;

describe('a history', () => {
  test.each([1, 7, 20, 50])(
    'is walked without a gap or a repetition in pages of %i',
    { tags: ['slow'] },
    async (limit) => {
      const { simulator, get } = await setup();
      const books = simulator.groundTruth();
      const isSmall = limit === 1;
      const ticker = isSmall ? '&ticker=QBRAMl_EQ' : '';
      if (isSmall) {
        // nextPagePath does not carry the filter, so one page is enough to see that.
        const first = await get(`${orders}?limit=1${ticker}`);
        expect(first.json.items).toHaveLength(1);
        expect(first.json.nextPagePath).not.toContain('ticker');
        return;
      }
      const walked = await walk(get, orders, limit);
      expect(walked.rows.map(orderKey)).toEqual(
        books.history.map(({ order, fill }) => `${order.id}/${fill?.id}`).reverse(),
      );
      expect(walked.pages.slice(0, -1).every((size) => size === limit)).toBe(true);
      const paid = await walk(get, dividends, limit);
      expect(paid.rows.map(({ reference }) => reference)).toEqual(
        books.dividends.map(({ reference }) => reference).reverse(),
      );
      const moved = await walk(get, transactions, limit);
      expect(moved.rows.map(({ reference }) => reference)).toEqual(
        books.transactions.map(({ reference }) => reference).reverse(),
      );
    },
  );

  test('comes newest first, with 20 rows by default', async () => {
    const { get } = await setup();
    for (const path of [orders, dividends, transactions]) expect((await get(path)).json.items).toHaveLength(20);
    const dates = (await walk(get, dividends)).rows.map(({ paidOn }) => paidOn);
    expect(dates).toEqual([...dates].sort().reverse());
  });

  test('refuses a bad limit, cursor or time', async () => {
    const { get } = await setup();
    for (const query of ['limit=0', 'limit=51', 'limit=x', 'cursor=abc']) {
      expect((await get(`${orders}?${query}`)).status).toBe(400);
    }
    const { nextPagePath } = (await get(`${transactions}?limit=5`)).json;
    expect(nextPagePath).toMatch(/&cursor=[\da-f-]{36}&time=/);
    expect((await get(`${transactions}?time=2026-01-01T00:00:00Z`)).status).toBe(400);
    const cursor = new URLSearchParams(nextPagePath.split('?')[1]).get('cursor');
    expect((await get(`${transactions}?cursor=${cursor}`)).status).toBe(400);
  });

  test('filters orders and dividends by ticker', async () => {
    const { get } = await setup();
    const rows = (await get(`${orders}?limit=50&ticker=ZKESL/A_US_EQ`)).json.items;
    expect(new Set(rows.map((row: { order: { ticker: string } }) => row.order.ticker))).toEqual(
      new Set(['ZKESL/A_US_EQ']),
    );
    const paid = (await get(`${dividends}?ticker=QO.Bl_EQ`)).json.items;
    expect(new Set(paid.map((row: { ticker: string }) => row.ticker))).toEqual(new Set(['QO.Bl_EQ']));
    expect((await get(`${orders}?ticker=NONE`)).json).toEqual({ items: [], nextPagePath: null });
  });

  test('keeps its position when new rows arrive between two pages', async () => {
    const { simulator, get } = await setup({ quirks: { rowsArriveWhilePaging: true } });
    const before = simulator.groundTruth();
    for (const [path, known] of [
      [orders, before.history.length],
      [dividends, before.dividends.length],
      [transactions, before.transactions.length],
    ] as const) {
      expect((await walk(get, path)).rows).toHaveLength(known);
    }
    expect(simulator.groundTruth().history.length).toBeGreaterThan(before.history.length);
    expect(simulator.groundTruth().dividends.length).toBeGreaterThan(before.dividends.length);
  });

  test.each(['full', 'withoutPrefix', 'bareQuery', 'questionMarkQuery', 'otherOrigin', 'otherPath'] as const)(
    'can write its next path as %s',
    async (nextPagePath) => {
      const { get } = await setup({ quirks: { nextPagePath, valuelessParameter: true } });
      const next = (await get(`${orders}?limit=50`)).json.nextPagePath as string;
      const start = {
        full: '/api/v0/equity/history/orders?limit=50&cursor=',
        withoutPrefix: '/equity/history/orders?limit=50&cursor=',
        bareQuery: 'limit=50&cursor=',
        questionMarkQuery: '?limit=50&cursor=',
        otherOrigin: 'http://elsewhere.invalid/api/v0/equity/history/orders?limit=50&cursor=',
        otherPath: '/api/v0/equity/account/summary?limit=50&cursor=',
      }[nextPagePath];
      expect(next.startsWith(start)).toBe(true);
      expect(next.endsWith('&ticker')).toBe(true);
      expect((await walk(get, transactions)).rows).toHaveLength(120);
    },
  );

  test.each([
    ['null', null],
    ['empty', ''],
    ['absent', undefined],
    ['nullCursor', '/api/v0/equity/history/dividends?limit=50&cursor=null'],
  ] as const)('can end with %s', async (lastPage, nextPagePath) => {
    const { get } = await setup({ quirks: { lastPage } });
    const { json } = await get(`${dividends}?limit=50&ticker=QRHEId_EQ`);
    expect(json.nextPagePath).toBe(nextPagePath);
    expect((await walk(get, dividends)).rows).toHaveLength(240);
  });

  test('can fail in the middle', async () => {
    const { get, simulator } = await setup({ quirks: { failPage: { page: 3, status: 500 } } });
    await expect(walk(get, dividends)).rejects.toThrow('500');
    simulator.quirks.failPage = { page: 2, status: 404 };
    await expect(walk(get, transactions)).rejects.toThrow('404');
  });

  test('can name the same page again forever', async () => {
    const { get } = await setup({ quirks: { repeatPage: 2 } });
    const second = (await get(`${dividends}?limit=50`)).json.nextPagePath;
    expect((await get(second.replace('/api/v0', ''))).json.nextPagePath).toBe(second);
  });

  test('can have an empty page in the middle', async () => {
    const { get } = await setup({ quirks: { emptyPage: true } });
    for (const [path, count] of [
      [orders, 600],
      [transactions, 120],
    ] as const) {
      const { rows, pages } = await walk(get, path);
      expect(pages[1]).toBe(0);
      expect(rows).toHaveLength(count);
    }
  });

  test('can repeat or skip rows of the same second, and does so only on request', { tags: ['slow'] }, async () => {
    const { get, simulator } = await setup({ quirks: { sameSecondPaging: 'repeat' } });
    const repeated = (await walk(get, orders, 7)).rows.map(orderKey);
    expect(new Set(repeated).size).toBe(600);
    expect(repeated.length).toBeGreaterThan(600);
    simulator.quirks.sameSecondPaging = 'skip';
    const skipped = (await walk(get, orders, 7)).rows.map(orderKey);
    expect(new Set(skipped).size).toBeLessThan(600);
  });

  test('can have dividends out of order', async () => {
    const { get } = await setup({ quirks: { dividendsOutOfOrder: true } });
    const { rows } = await walk(get, dividends);
    const dates = rows.map(({ paidOn }) => paidOn);
    expect(dates).not.toEqual([...dates].sort().reverse());
    expect(new Set(rows.map(({ reference }) => reference)).size).toBe(240);
  });
});
