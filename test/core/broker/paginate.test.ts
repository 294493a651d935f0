import { describe, expect, test } from 'vitest';
import { createPages, parseNextPage } from '../../../src/core/broker/paginate.ts';
import type { Broker, Page, PageCursor } from '../../../src/core/broker/types.ts';
import { endpoints, type Transaction } from '../../../src/core/endpoints/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { brokerFor, serve } from './support.ts';

const { listTransactions, listHistoricalOrders } = endpoints;
const next = (text: string | undefined) => parseNextPage(listTransactions, text);

describe('the next page', () => {
  const cursor = { limit: '50', cursor: 'b7c8-uuid', time: '2025-01-02T03:04:05Z' };
  const query = 'limit=50&cursor=b7c8-uuid&time=2025-01-02T03%3A04%3A05Z';

  test.each([
    `/api/v0/equity/history/transactions?${query}`,
    `/equity/history/transactions?${query}`,
    `/api/v0/equity/history/transactions/?${query}`,
    query,
    `?${query}`,
    `${query}&ticker=`,
    `${query}&ticker`,
    `/api/v0/equity/history/transactions?${query}&ticker`,
  ])('is understood as %s', (text) => {
    expect(next(text)).toEqual(cursor);
  });

  test.each([
    undefined,
    '',
    ' ',
    '/api/v0/equity/history/transactions?limit=50&cursor=null',
    'limit=50&cursor=null&time=',
  ])('is the end of the data for %j', (text) => {
    expect(next(text)).toBeUndefined();
  });

  test.each([
    `https://elsewhere.example/api/v0/equity/history/transactions?${query}`,
    `//elsewhere.example/equity/history/transactions?${query}`,
    `/\\elsewhere.example/equity/history/transactions?${query}`,
    `/api/v0/equity/history/orders?${query}`,
    `/api/v0/equity/history/transactions/../orders?${query}`,
    `/api/v0/equity/orders/market?${query}`,
    `/api/v1/equity/history/transactions?${query}`,
    `javascript:alert(1)`,
    'nonsense',
    'http://[?cursor=a',
    '/equity/history/transactions=x',
    `equity/history/transactionsx?${query}`,
  ])('is refused as %s', (text) => {
    expect(() => next(text)).toThrow(
      expect.objectContaining({
        code: 'unexpected_answer',
        message: 'The next page of /equity/history/transactions points to another address, so reading stopped.',
        next: 'The rows returned so far are correct but incomplete. Try again later.',
      }),
    );
  });

  test.each([
    '/api/v0/equity/history/transactions?limit=50',
    '/api/v0/equity/history/transactions',
    'limit=50&cursor=',
    '?',
    '/equity/history/transactions/?x=cursor',
  ])('is refused without a cursor, which would lead to the first page again: %s', (text) => {
    expect(() => next(text)).toThrow(
      expect.objectContaining({
        code: 'unexpected_answer',
        message: 'The next page of /equity/history/transactions has no cursor, so reading stopped.',
      }),
    );
  });
});

const row = (n: number) => `{"reference":"r${n}"}`;
const page = (items: string[], nextPagePath?: string | null) =>
  JSON.stringify({ items: items.map((item) => JSON.parse(item) as unknown), nextPagePath });

/** Reads all pages; returns the error if the walk fails. */
async function walk(answer: (url: URL, n: number) => { status?: number; body?: string }, from?: PageCursor) {
  const service = await serve(({ url }, n) => answer(new URL(url, 'http://x'), n));
  const broker = brokerFor(service.origin);
  const pages: Page<Transaction>[] = [];
  const context = { ...broker.context(), deadlineAt: Number.MAX_SAFE_INTEGER };
  const reading = (async () => {
    for await (const one of broker.pages(listTransactions, { from }, context)) pages.push(one);
  })();
  const error = await reading.then(
    () => undefined,
    () => errorOf(reading),
  );
  return {
    pages,
    error: error ?? pages.at(-1)?.chainError,
    urls: service.seen.map(({ url }) => url),
    rows: pages.flatMap(({ items }) => items.map(({ reference }) => reference)),
  };
}

describe('the pages of a history', () => {
  test('are requested with 50 rows, then by the query of the next path only, up to the end', async () => {
    const result = await walk((_, n) => ({
      body: page(
        [row(n)],
        n < 2 ? `/api/v0/equity/history/transactions?limit=50&cursor=c${n}&time=t%2B${n}&ticker` : null,
      ),
    }));
    expect(result.error).toBeUndefined();
    expect(result.rows).toEqual(['r0', 'r1', 'r2']);
    expect(result.urls).toEqual([
      '/api/v0/equity/history/transactions?limit=50',
      '/api/v0/equity/history/transactions?limit=50&cursor=c0&time=t%2B0',
      '/api/v0/equity/history/transactions?limit=50&cursor=c1&time=t%2B1',
    ]);
    expect(result.pages.map(({ next: following }) => following?.cursor)).toEqual(['c0', 'c1', undefined]);
  });

  test('have the times of their own requests and responses', async () => {
    const times = [10, 20].map((at) => ({ askedAt: at, answeredAt: at + 3 }));
    let read = 0;
    const call = async () => ({
      data: { items: [], nextPagePath: read === 0 ? 'cursor=a' : undefined },
      shared: false,
      ...times[read++],
    });
    const pages: unknown[] = [];
    for await (const { askedAt, answeredAt } of createPages(call as unknown as Broker['call'])(
      listTransactions,
      {},
      { priority: 'sync', deadlineAt: 100 },
    ))
      pages.push({ askedAt, answeredAt });
    expect(pages).toEqual(times);
  });

  test('can be continued from any page', async () => {
    const from = { limit: '50', cursor: 'c7', time: 't7' };
    const result = await walk(() => ({ body: page([row(8)]) }), from);
    expect(result.urls).toEqual(['/api/v0/equity/history/transactions?limit=50&cursor=c7&time=t7']);
    expect(result.rows).toEqual(['r8']);
  });

  test('continue after an empty page', async () => {
    const result = await walk((_, n) => ({ body: page(n === 1 ? [] : [row(n)], n < 2 ? `cursor=c${n}` : '') }));
    expect(result.error).toBeUndefined();
    expect(result.rows).toEqual(['r0', 'r2']);
  });

  test.each<[string, (url: URL, n: number) => { status?: number; body?: string }]>([
    ['404', (_, n) => (n === 0 ? { body: page([row(0)], 'cursor=a') } : { status: 404 })],
    ['500', (_, n) => (n === 0 ? { body: page([row(0)], 'cursor=a') } : { status: 500 })],
    [
      'a path that was read already',
      (_, n) => ({ body: page([row(n)], n === 0 ? 'cursor=a' : n === 1 ? 'cursor=b' : 'cursor=a') }),
    ],
    ['nothing but empty pages', (_, n) => ({ body: page(n === 0 ? [row(0)] : [], `cursor=c${n}`) })],
    [
      'another origin',
      (_, n) => ({ body: page([row(n)], n === 0 ? 'cursor=a' : 'https://elsewhere.example/?cursor=b') }),
    ],
    ['another path', (_, n) => ({ body: page([row(n)], n === 0 ? 'cursor=a' : '/api/v0/equity/pies?cursor=b') })],
    ['no JSON', (_, n) => (n === 0 ? { body: page([row(0)], 'cursor=a') } : { body: '<html>' })],
  ])('are never reported as complete when the walk fails at %s', async (_, answer) => {
    const result = await walk(answer);
    expect(['not_found', 'upstream_error', 'unexpected_answer']).toContain(result.error?.code);
    expect(result.rows[0]).toBe('r0');
    // The last page of the data has neither a next page nor a reason.
    expect(result.pages.every(({ next: following, chainError }) => following ?? chainError)).toBe(true);
    expect(result.urls.length).toBeLessThan(20);
  });

  test('use the limit page by page, and report when the next page does not fit', async () => {
    const service = await serve((_, n) => ({ body: page([`{"order":{"id":${n}}}`], `cursor=${n}`) }));
    const broker = brokerFor(service.origin);
    const rows: unknown[] = [];
    const reading = async () => {
      for await (const { items } of broker.pages(listHistoricalOrders, {}, broker.context())) rows.push(...items);
    };
    expect((await errorOf(reading())).code).toBe('rate_limited');
    expect(rows).toHaveLength(6);
  });
});

describe('a link that leads nowhere', () => {
  /** The pages of a service, each with the rows and the link that `answer` gives for the number of its request. */
  async function read(answer: (n: number) => { items: number; next?: string | undefined }, from?: PageCursor) {
    let requests = 0;
    const call = async () => {
      const { items, next: nextPagePath } = answer(requests++);
      return { data: { items: Array(items).fill('row'), nextPagePath }, askedAt: 1, answeredAt: 2, shared: false };
    };
    const context = { priority: 'sync', deadlineAt: 100 } as const;
    let [pages, rows] = [0, 0];
    let last: Page<unknown> | undefined;
    for await (const page of createPages(call as unknown as Broker['call'])(listTransactions, { from }, context)) {
      pages += 1;
      rows += page.items.length;
      last = page;
    }
    return { pages, rows, requests, next: last?.next, message: last?.chainError?.message };
  }
  const stopped = (what: string) => `The next page of /equity/history/transactions ${what}, so reading stopped.`;

  test('ends the walk with the rows of its page', async () => {
    expect(await read((n) => ({ items: 2, next: n === 0 ? 'cursor=a' : '/elsewhere?cursor=b' }))).toEqual({
      ...{ pages: 2, rows: 4, requests: 2, next: undefined },
      message: stopped('points to another address'),
    });
  });

  test('is one to a page that was read, in whatever order its query is', async () => {
    const from = { limit: '50', cursor: 'a', time: 't' };
    expect(await read(() => ({ items: 1, next: 'time=t&cursor=a&limit=50' }), from)).toEqual({
      ...{ pages: 1, rows: 1, requests: 1, next: undefined },
      message: stopped('was already read'),
    });
  });

  test('is the one after six empty pages in a row, and not after five', async () => {
    expect(await read((n) => ({ items: 0, next: `cursor=${n}` }))).toEqual({
      ...{ pages: 6, rows: 0, requests: 6, next: undefined },
      message: stopped('follows only empty pages'),
    });
    // Each sixth page has a row.
    const links = (n: number) => (n < 17 ? `cursor=${n}` : undefined);
    expect(await read((n) => ({ items: n % 6 === 5 ? 1 : 0, next: links(n) }))).toEqual({
      ...{ pages: 18, rows: 3, requests: 18, next: undefined },
      message: undefined,
    });
  });

  test('is the one after 20,000 pages', { tags: ['slow'] }, async () => {
    expect(await read((n) => ({ items: 1, next: `cursor=${n}` }))).toEqual({
      ...{ pages: 20_000, rows: 20_000, requests: 20_000, next: undefined },
      message: stopped('exceeds the maximum number of pages'),
    });
    expect((await read((n) => ({ items: 1, next: n < 19_999 ? `cursor=${n}` : '' }))).message).toBeUndefined();
  });

  test('is one that fails the walk where this program is at fault', async () => {
    const fault = new TypeError('x is undefined');
    const answer = () => {
      const data = {
        items: ['row'],
        nextPagePath: {
          trim: () => {
            throw fault;
          },
        },
      };
      return Promise.resolve({ data, askedAt: 1, answeredAt: 2, shared: false });
    };
    const pages = createPages(answer as unknown as Broker['call'])(
      listTransactions,
      {},
      {
        priority: 'sync',
        deadlineAt: 100,
      },
    );
    await expect(pages.next()).rejects.toBe(fault);
  });
});
