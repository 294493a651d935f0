import { describe, expect, test } from 'vitest';
import { rateLimit } from '../../../../src/core/broker/interceptors/rate-limit.ts';
import { listRateLimits } from '../../../../src/core/broker/rate-limit/limit-status.ts';
import type { RateLimiter } from '../../../../src/core/broker/rate-limit/limiter.ts';
import { TransportFailure } from '../../../../src/core/broker/transport/failure.ts';
import type { HttpResponse, KeyValueStore, PreparedRequest, Priority } from '../../../../src/core/broker/types.ts';
import { endpoints } from '../../../../src/core/endpoints/index.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { errorOf } from '../../../support/error-of.ts';
import { brokerFor, quickClock, realBrokerFor, serve, startAt } from '../support.ts';

/** Strict: counts arrivals within the last period, in real time, and refuses those over the limit. */
async function strictService(requests: number, periodMs: number) {
  const arrivals: number[] = [];
  let refused = 0;
  const service = await serve(({ at }) => {
    const used = arrivals.filter((other) => other > at - periodMs).length;
    const headers = { 'x-ratelimit-limit': `${requests}`, 'x-ratelimit-period': `${periodMs / 1000}` };
    if (used >= requests) {
      refused += 1;
      return { status: 429, headers: { ...headers, 'x-ratelimit-remaining': '0' } };
    }
    arrivals.push(at);
    return { body: '[]', headers: { ...headers, 'x-ratelimit-remaining': `${requests - used - 1}` } };
  });
  return { ...service, refused: () => refused };
}

describe('the rate limit', () => {
  test('is one for all processes on the same account: the service never refuses', async () => {
    const service = await strictService(3, 200);
    const records = createMemoryRecords();
    // An earlier response has said the limit; the 6 per minute of the specification would make this a long test.
    await realBrokerFor(service.origin, { records }).call(
      endpoints.listDividends,
      {},
      realBrokerFor(service.origin).context(),
    );
    const brokers = ['a', 'b', 'c', 'd'].map((owner) => realBrokerFor(service.origin, { records, owner }));
    await Promise.all(
      brokers.flatMap((broker, b) =>
        Array.from({ length: 4 }, (_, n) =>
          broker.call(endpoints.listDividends, { query: { cursor: `${b}${n}`, limit: '50' } }, broker.context()),
        ),
      ),
    );
    expect(service.refused()).toBe(0);
    expect(service.seen).toHaveLength(17);
  });

  test('is counted by method and route, not by id', async () => {
    const service = await serve(({ method }) => ({ body: method === 'GET' ? '{"id":1}' : '{}' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.getPie, { id: '1' }, broker.context());
    await broker.call(endpoints.deletePie, { id: '1' }, broker.context());
    expect(broker.clock.now() - startAt).toBeLessThan(1_000);
    await broker.call(endpoints.getPie, { id: '2' }, broker.context());
    expect(broker.clock.now() - startAt).toBeGreaterThanOrEqual(5_000);
  });

  test('is refused immediately, with the seconds, when the wait would outlast the call', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listReports, {}, broker.context());
    const error = await errorOf(broker.call(endpoints.listReports, {}, broker.context({ notBefore: startAt + 1 })));
    expect(error).toMatchObject({ code: 'rate_limited', facts: { retryAfterSeconds: 61 } });
    expect(error.message).toContain('61');
    expect(service.seen).toHaveLength(1);
  });

  test('waits only as long as the caller allows, and reports once that it waits', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = brokerFor(service.origin);
    const ask = (change = {}) =>
      broker.call(endpoints.listPendingOrders, {}, broker.context({ notBefore: broker.clock.now() + 1, ...change }));
    await ask();
    expect((await errorOf(ask({ waitUntil: broker.clock.now() + 1_000 }))).code).toBe('rate_limited');
    const waits: number[] = [];
    await ask({ onWait: ({ waitMs }: { waitMs: number }) => waits.push(waitMs) });
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(4_000);
  });

  test('releases a caller that stops waiting, and frees its place', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = realBrokerFor(service.origin);
    await broker.call(endpoints.listReports, {}, broker.context());
    const stop = new AbortController();
    const context = broker.context({
      signal: stop.signal,
      notBefore: Date.now() + 1,
      deadlineAt: Date.now() + 120_000,
    });
    const call = errorOf(broker.call(endpoints.listReports, {}, context));
    setTimeout(() => stop.abort(), 20);
    expect((await call).code).toBe('cancelled');
    const limit = await broker.records.read<{ waiters: unknown[] }>('limit', 'account GET /equity/history/exports');
    expect(limit?.waiters).toEqual([]);
  });

  test('reserves one slot for people while an intent is open', async () => {
    const service = await serve(() => ({ body: '{"items":[]}' }));
    let isOpen = true;
    const broker = brokerFor(service.origin, { keepOneFree: async () => isOpen });
    const sync = (n: number, change = {}) =>
      broker.call(
        endpoints.listTransactions,
        { query: { cursor: `${n}`, time: 't' } },
        broker.context({ priority: 'sync', ...change }),
      );
    for (let n = 0; n < 5; n++) await sync(n);
    expect((await errorOf(sync(5))).code).toBe('rate_limited');
    isOpen = false;
    await sync(6);
  });

  test('lets the look-up of one process go first while another reads the history in the background', async () => {
    const service = await serve(() => ({ body: '{"items":[]}' }));
    const clock = quickClock();
    const records = createMemoryRecords();
    const [syncing, trading] = ['a', 'b'].map((owner) =>
      brokerFor(service.origin, { clock, records, owner, keepOneFree: async () => true }),
    ) as [ReturnType<typeof brokerFor>, ReturnType<typeof brokerFor>];
    const page = (broker: typeof syncing, n: number, priority: Priority) =>
      broker.call(
        endpoints.listHistoricalOrders,
        { query: { cursor: `${n}` } },
        broker.context({ priority, waitUntil: clock.now() }),
      );
    for (let n = 0; n < 5; n++) await page(syncing, n, 'sync');
    expect((await errorOf(page(syncing, 5, 'sync'))).code).toBe('rate_limited');
    await page(trading, 6, 'lookUp');
    expect(service.seen).toHaveLength(6);
  });

  test('frees the slot when nothing could be sent', async () => {
    const service = await serve(() => ({ body: '[]' }));
    let origin = 'http://127.0.0.1:1';
    const broker = brokerFor('', { origin: async () => origin });
    await errorOf(broker.call(endpoints.listReports, {}, broker.context()));
    origin = service.origin;
    await broker.call(endpoints.listReports, {}, broker.context());
    expect(broker.clock.now() - startAt).toBeLessThan(5_000);
  });

  test('keeps the slot of a sent request even when the ledger fails afterwards', async () => {
    const records = createMemoryRecords();
    let isFull = false;
    const service = await serve(() => {
      isFull = true;
      return { body: '[]' };
    });
    const flaky: KeyValueStore = {
      read: (space, key) => records.read(space, key),
      update: (space, key, change) => {
        if (space !== 'limit' || !isFull) return records.update(space, key, change);
        isFull = false;
        return Promise.reject(storeUnavailable('disk_full', 'the disk is full'));
      },
    };
    const broker = brokerFor(service.origin, { records: flaky });
    expect((await broker.call(endpoints.listReports, {}, broker.context())).data).toEqual([]);
    const error = await errorOf(broker.call(endpoints.listReports, {}, broker.context({ notBefore: startAt + 1 })));
    expect(error.code).toBe('rate_limited');
  });

  test('ignores headers that would exhaust the memory or stop the endpoint', async () => {
    const headers = {
      'x-ratelimit-limit': '999999999999',
      'x-ratelimit-period': '1e300',
      'x-ratelimit-reset': '99999999999999',
    };
    const service = await serve(() => ({ body: '[]', headers }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listPositions, {}, broker.context());
    await broker.call(endpoints.listPositions, {}, broker.context({ notBefore: broker.clock.now() + 1 }));
    expect(service.seen).toHaveLength(2);
  });
});

describe('the slot of a request', () => {
  const headers = { 'x-ratelimit-remaining': '0' };
  const response = (change: Partial<HttpResponse>) => ({ headers, isRateLimited: false, isBlocked: false, ...change });

  /** How the slot ends when the request has this outcome, and what the request was told. */
  async function ends(outcome: () => Partial<HttpResponse>) {
    const clock = quickClock();
    const seen: unknown[] = [];
    const limits: RateLimiter = {
      periodMs: async () => 1_000,
      take: async (account, { id }, { priority }, inUseMs) => {
        seen.push(['take', account, id, priority, inUseMs]);
        await clock.advance(700);
        return {
          giveBack: async () => void seen.push(['give back']),
          complete: async (told, refused) => void seen.push(['complete', told, refused]),
        };
      },
    };
    const request: PreparedRequest = {
      endpoint: endpoints.listPositions,
      context: { priority: 'lookUp', deadlineAt: startAt + 10_000 },
      accountKey: 'account',
      path: '/equity/positions',
    };
    const handle = rateLimit(
      limits,
      clock,
    )(async ({ slotWaitMs }) => {
      seen.push(['send', slotWaitMs]);
      return outcome() as HttpResponse;
    });
    await handle(request).catch((error: unknown) => seen.push(['throws', (error as Error).message]));
    // 5 s for the connection and 30 s for the response.
    expect(seen.splice(0, 2)).toEqual([
      ['take', 'account', 'listPositions', 'lookUp', 35_000],
      ['send', 700],
    ]);
    return seen;
  }
  const fail = (sent: boolean, told?: Record<string, string>) => () => {
    throw new TransportFailure('broken', sent, 'broken', told);
  };

  test.each<[string, () => Partial<HttpResponse>, unknown[]]>([
    ['a response', () => response({}), [['complete', headers, false]]],
    ['a refusal for the rate', () => response({ isRateLimited: true }), [['complete', headers, true]]],
    ['a block of the address', () => response({ isBlocked: true }), [['complete', headers, false]]],
    [
      'half a response',
      fail(true, headers),
      [
        ['complete', headers, false],
        ['throws', 'broken'],
      ],
    ],
    [
      'a loss before any header',
      fail(true),
      [
        ['complete', {}, false],
        ['throws', 'broken'],
      ],
    ],
    ['no connection', fail(false, headers), [['give back'], ['throws', 'broken']]],
  ])('ends with what is known after %s', async (_, outcome, expected) => {
    expect(await ends(outcome)).toEqual(expected);
  });
});

describe('the allowance', () => {
  test('lists every endpoint with its limit before the first request', async () => {
    const rows = await listRateLimits({ records: createMemoryRecords(), clock: quickClock() }, 'account');
    expect(rows).toHaveLength(Object.keys(endpoints).length);
    expect(
      rows.every(
        ({ free, limit, source, freeInSeconds }) => free === limit && source === 'spec' && freeInSeconds === 0,
      ),
    ).toBe(true);
  });

  test('shows the remaining requests, the source of the limit and the time of the next free slot', async () => {
    const headers = { 'x-ratelimit-limit': '2', 'x-ratelimit-period': '30', 'x-ratelimit-remaining': '0' };
    const service = await serve(() => ({ body: '{"items":[]}', headers }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listHistoricalOrders, {}, broker.context());
    const rows = await listRateLimits(broker, 'account');
    const row = rows.find(({ endpoint }) => endpoint.includes('history/orders'));
    expect(row).toMatchObject({ limit: 2, periodSeconds: 30, source: 'headers', free: 0, freeInSeconds: 31 });
    const untouched = await listRateLimits(broker, 'other');
    expect(untouched.find(({ endpoint }) => endpoint.includes('history/orders'))).toMatchObject({ limit: 6, free: 6 });
  });
});
