import { describe, expect, test, vi } from 'vitest';
import { getBlockSeconds } from '../../../src/core/broker/interceptors/address-block.ts';
import { placeOrder } from '../../../src/core/broker/post-order.ts';
import { readWriteEpoch } from '../../../src/core/broker/read-cache.ts';
import { TransportFailure } from '../../../src/core/broker/transport/failure.ts';
import type { HttpResponse, PlaceResult } from '../../../src/core/broker/types.ts';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../src/core/errors.ts';
import { storeUnavailable } from '../../../src/core/store/engine.ts';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { errorOf } from '../../support/error-of.ts';
import { takeLog } from '../../support/faults.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { brokerFor, limitOrder, orderBody, realBrokerFor, serve, serveRaw, type TestBroker } from './support.ts';

const accepted = '{"id":12345678901234567890,"status":"NEW","quantity":1.5}';
const yes = async () => true;
const place = (broker: TestBroker, commit: () => Promise<boolean> = yes, change = {}) =>
  broker.place(
    limitOrder(),
    async () => ((await commit()) ? { writeBy: Number.POSITIVE_INFINITY } : undefined),
    broker.context({ priority: 'place', ...change }),
  );
const raw = (status: string, body = '') => `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe('placing an order', () => {
  test('opens the connection, commits, and only then sends the exact bytes, once', async () => {
    const steps: string[] = [];
    const service = await serveRaw(
      (socket, _, text) => {
        steps.push('request');
        expect(text).toMatch(/^POST \/api\/v0\/equity\/orders\/limit HTTP\/1\.1\r\n/);
        expect(text).toMatch(/authorization: Basic /i);
        expect(text.endsWith(`\r\n\r\n${orderBody}`)).toBe(true);
        socket.end(raw('200 OK', accepted));
      },
      () => void steps.push('connection'),
    );
    const broker = realBrokerFor(service.origin);
    const result = await place(broker, async () => {
      await vi.waitFor(() => expect(steps).toEqual(['connection']));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(service.bytes).toBe(0);
      steps.push('commit');
      return true;
    });
    expect(steps).toEqual(['connection', 'commit', 'request']);
    expect(service).toMatchObject({ requests: 1, connections: 1 });
    expect(result).toMatchObject({
      kind: 'answered',
      status: 200,
      body: { id: '12345678901234567890', status: 'NEW', quantity: '1.5' },
      error: undefined,
      tooManyRequests: false,
    });
  });

  test('reports not connected, requests no commit and frees the slot when the connection is refused', async () => {
    const broker = brokerFor('http://127.0.0.1:1');
    const commit = vi.fn(yes);
    for (let n = 0; n < 3; n++) {
      const result = await place(broker, commit, { deadlineAt: broker.clock.now() + 500 });
      expect(result).toMatchObject({ kind: 'not_connected', reason: expect.stringContaining('refused') });
    }
    expect(commit).not.toHaveBeenCalled();
  });

  test('reports not connected when the other side closes before the commit', async () => {
    const service = await serveRaw(
      () => undefined,
      (socket) => void socket.end(),
    );
    const broker = realBrokerFor(service.origin);
    const commit = vi.fn(yes);
    // The end of the connection may come a moment after its beginning.
    const result = await place(broker, commit);
    expect(['not_connected', 'lost']).toContain(result.kind);
    if (result.kind === 'not_connected') expect(commit).not.toHaveBeenCalled();
    expect(service.requests).toBe(0);
  });

  test('writes nothing and frees the slot when too much time has passed since the commit', async () => {
    const service = await serveRaw((socket) => socket.end(raw('200 OK', accepted)));
    const broker = brokerFor(service.origin);
    const late = async () => ({ writeBy: broker.clock.now() - 1 });
    const context = broker.context({ priority: 'place' });
    expect(await broker.place(limitOrder(), late, context)).toMatchObject({ kind: 'not_written' });
    expect(service).toMatchObject({ requests: 0, bytes: 0 });
    const startedAt = broker.clock.now();
    expect((await place(broker)).kind).toBe('answered');
    expect(broker.clock.now() - startedAt).toBeLessThan(1_000);
  });

  test('sends nothing and frees the slot when the commit is refused or fails', async () => {
    const service = await serveRaw((socket) => socket.end(raw('200 OK', accepted)));
    const broker = brokerFor(service.origin);
    expect(await place(broker, async () => false)).toEqual({ kind: 'not_committed' });
    await expect(
      place(broker, async () => {
        throw new Error('the store is full');
      }),
    ).rejects.toThrow('the store is full');
    expect(service).toMatchObject({ requests: 0, bytes: 0 });
    const startedAt = broker.clock.now();
    expect((await place(broker)).kind).toBe('answered');
    expect(broker.clock.now() - startedAt).toBeLessThan(1_000);
  });

  test.each<[string, (socket: import('node:net').Socket) => void, string]>([
    ['a reset', (socket) => socket.resetAndDestroy(), 'lost'],
    ['a closed connection', (socket) => void socket.end(), 'lost'],
    ['half an answer', (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"id":1'), 'lost'],
    [
      'half a chunk',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"i'),
      'lost',
    ],
    ['no HTTP', (socket) => void socket.end('nonsense\r\n\r\n'), 'lost'],
    [
      'an upgrade',
      (socket) => void socket.end('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      'lost',
    ],
    ['a body over 64 KiB', (socket) => void socket.end(raw('200 OK', 'x'.repeat(65_537))), 'lost'],
    ['a body of 64 KiB', (socket) => void socket.end(raw('200 OK', 'x'.repeat(65_536))), 'answered'],
    [
      'an unknown encoding',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: x\r\ncontent-length: 2\r\n\r\n{}'),
      'lost',
    ],
    ['an empty 2xx', (socket) => void socket.end(raw('200 OK')), 'answered'],
    ['a body that is no JSON', (socket) => void socket.end(raw('200 OK', '<html>')), 'answered'],
    [
      'an early hint before the answer',
      (socket) => void socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${raw('200 OK', accepted)}`),
      'answered',
    ],
  ])('reaches the service exactly once with %s', async (_, answer, kind) => {
    const service = await serveRaw(answer);
    const broker = brokerFor(service.origin);
    expect((await place(broker)).kind).toBe(kind);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(service).toMatchObject({ requests: 1, connections: 1 });
  });

  test.each([301, 302, 303, 307, 308, 400, 401, 403, 404, 408, 409, 421, 422, 425, 429, 500, 502, 503, 504, 599])(
    'reaches the service exactly once when the response is %i',
    async (status) => {
      const bait = await serveRaw((socket) => socket.end(raw('200 OK', accepted)));
      const service = await serveRaw((socket) =>
        socket.end(`HTTP/1.1 ${status} X\r\nlocation: ${bait.origin}/\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n`),
      );
      const broker = brokerFor(service.origin);
      expect(await place(broker)).toMatchObject({ kind: 'answered', status, body: undefined });
      expect([service.requests, bait.requests]).toEqual([1, 0]);
    },
  );

  test('keeps the code and the message of a rejection', async () => {
    const body =
      '{"type":"/api-errors/selling-equity-not-owned","title":"t","status":400,"detail":"You own 0\\u202E shares"}';
    const service = await serve(() => ({ status: 400, body }));
    const result = await place(brokerFor(service.origin));
    expect(result).toMatchObject({
      kind: 'answered',
      status: 400,
      error: { code: 'selling-equity-not-owned', detail: 'You own 0 shares' },
      tooManyRequests: false,
      retryAfterSeconds: undefined,
      date: expect.stringContaining('GMT'),
    });
  });

  test.each([200, 400, 429])('recognises a rate refusal with status %i, and when to retry', async (status) => {
    const body = '{"code":"BusinessException","context":{"type":"TooManyRequests"}}';
    const service = await serve(() => ({ status, body }));
    const result = await place(brokerFor(service.origin));
    expect(result).toMatchObject({ kind: 'answered', status, tooManyRequests: true, retryAfterSeconds: 2 });
  });

  test('waits for its own limit, and reports the seconds when that outlasts the caller', async () => {
    const service = await serve(() => ({ body: accepted }));
    const broker = brokerFor(service.origin);
    await place(broker);
    const result: PlaceResult = await place(broker, yes, { waitUntil: broker.clock.now() + 500 });
    expect(result).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 3 });
    const startedAt = broker.clock.now();
    expect((await place(broker)).kind).toBe('answered');
    expect(broker.clock.now() - startedAt).toBeGreaterThan(1_500);
    expect(service.seen).toHaveLength(2);
  });

  test('can be cancelled until the commit and not after it', async () => {
    const early = new AbortController();
    early.abort();
    const service = await serveRaw((socket) => setTimeout(() => socket.end(raw('200 OK', accepted)), 30));
    const broker = realBrokerFor(service.origin);
    const commit = vi.fn(yes);
    await place(broker, commit, { signal: early.signal }).catch((error: unknown) => error);
    expect(commit).not.toHaveBeenCalled();
    expect(service.requests).toBe(0);

    const late = new AbortController();
    const result = await place(
      broker,
      async () => {
        late.abort();
        return true;
      },
      { signal: late.signal },
    );
    expect(result.kind).toBe('answered');
  });

  test('gives a lost order its full time although its caller has none left', async () => {
    // Time enough to send the order on a busy machine.
    const deadlineAt = Date.now() + 1_500;
    const service = await serve(({ at }) => ({ body: accepted, afterMs: deadlineAt - at + 50 }));
    const broker = realBrokerFor(service.origin);
    const result = await place(broker, yes, { deadlineAt });
    expect(result.kind).toBe('answered');
  });

  test('makes all earlier reads stale', async () => {
    const service = await serve(({ method }) => (method === 'GET' ? { body: '[]' } : { status: 500 }));
    const broker = realBrokerFor(service.origin);
    const read = () => broker.call(endpoints.listPendingOrders, {}, broker.context({ waitUntil: 0 }));
    await read();
    expect((await read()).shared).toBe(true);
    await place(broker);
    // Not shared any more, and the limit has no room for another request yet.
    expect((await errorOf(read())).code).toBe('rate_limited');
  });

  test('never throws after the commit, even when the store fails', async () => {
    const service = await serve(() => ({ body: accepted }));
    const broker = brokerFor(service.origin);
    let isBroken = false;
    const { records } = broker;
    const flaky = brokerFor(service.origin, {
      clock: broker.clock,
      records: {
        read: (space, key) => records.read(space, key),
        update: (space, key, change) =>
          isBroken
            ? Promise.reject(storeUnavailable('disk_full', 'the disk is full'))
            : records.update(space, key, change),
      },
    });
    const result = await place(flaky, async () => {
      isBroken = true;
      return true;
    });
    expect(result).toMatchObject({ kind: 'answered', status: 200 });
  });

  test('is refused in a read-only server', async () => {
    const broker = brokerFor('http://127.0.0.1:1', { readOnly: true });
    await expect(place(broker)).rejects.toThrow();
  });
});

describe('the parts that one order uses', () => {
  const startAt = Date.UTC(2026, 0, 15, 15);
  const headers = { 'x-ratelimit-remaining': '0' };
  const response = (change: Partial<HttpResponse> = {}): HttpResponse => ({
    ...{ status: 200, headers, text: accepted, isRateLimited: false, isBlocked: false },
    ...{ askedAt: startAt, answeredAt: startAt },
    ...change,
  });

  interface Play {
    readonly outcome?: () => HttpResponse;
    readonly take?: () => Promise<void>;
    readonly prepare?: () => Promise<void>;
    readonly isOpen?: boolean;
    readonly commit?: () => Promise<{ readonly writeBy: number } | undefined>;
    readonly signal?: AbortSignal;
  }

  /** Places an order with parts that note how they are used. */
  async function play(parts: Play) {
    const { outcome = response, take, prepare, isOpen = true, signal } = parts;
    const { commit = async () => ({ writeBy: startAt + 700 }) } = parts;
    const clock = createManualClock({ startAt });
    const records = createMemoryRecords();
    const seen: unknown[] = [];
    const context = { priority: 'read', deadlineAt: startAt + 9_000, signal } as const;
    const result = placeOrder(
      {
        clock,
        records,
        readOnly: false,
        accountKey: async () => 'account',
        limits: {
          periodMs: async () => 2_000,
          take: async (account, { id }, { priority, deadlineAt }, inUseMs) => {
            seen.push(['take', account, id, priority, deadlineAt - startAt, inUseMs]);
            await take?.();
            await clock.advance(700);
            return {
              giveBack: async () => void seen.push(['give back']),
              complete: async (told, refused) => void seen.push(['complete', told, refused]),
            };
          },
        },
        transport: {
          send: () => Promise.reject(new Error('Orders are sent on their own connection.')),
          prepare: async ({ path, body, slotWaitMs }) => {
            seen.push(['prepare', path, body, slotWaitMs]);
            await prepare?.();
            const connection = { isOpen: async () => isOpen, close: () => void seen.push(['close']) } as never;
            return { connection, send: async () => outcome() };
          },
        },
      },
      limitOrder(),
      commit,
      context,
    );
    return { result: await result.catch((error: unknown) => error), seen, records, clock };
  }
  // 5 s for the connection and 15 s for the response of an order.
  const taken = ['take', 'account', 'placeLimitOrder', 'place', 9_000, 20_000];
  const prepared = ['prepare', '/equity/orders/limit', orderBody, 700];

  test.each<[string, HttpResponse, boolean]>([
    ['is accepted', response(), false],
    ['is refused for the rate', response({ status: 429, isRateLimited: true }), true],
    ['is refused for the address', response({ status: 403, isBlocked: true }), false],
  ])('are a slot of the account, and a connection with the exact body: one that %s', async (_, answer, refused) => {
    const { result, seen } = await play({ outcome: () => answer });
    expect(seen).toEqual([taken, prepared, ['complete', headers, refused]]);
    expect(result).toEqual({
      kind: 'answered',
      status: answer.status,
      body: { id: '12345678901234567890', status: 'NEW', quantity: '1.5' },
      error: answer.status === 200 ? undefined : { code: undefined, detail: undefined },
      tooManyRequests: refused,
      isBlocked: answer.isBlocked,
      retryAfterSeconds: refused ? 2 : undefined,
      date: undefined,
    });
  });

  test.each<[string, Partial<HttpResponse>, object]>([
    ['an order', { text: '{"id":1}' }, { body: { id: 1 }, error: undefined }],
    ['nothing', { text: '' }, { body: undefined, error: undefined }],
    ['blanks', { text: ' \n' }, { body: undefined, error: undefined }],
    ['no JSON', { text: '{"id":' }, { body: undefined, error: undefined }],
    ['null', { text: 'null' }, { body: null, error: undefined }],
    ['the last success', { status: 299, text: '{"code":"A"}' }, { body: { code: 'A' }, error: undefined }],
    ['no success yet', { status: 199, text: '{"code":"A"}' }, { error: { code: 'A', detail: undefined } }],
    ['a redirect', { status: 300, text: '{"code":"A"}' }, { error: { code: 'A', detail: undefined } }],
    ['a refusal', { status: 400, text: '{"code":"A","message":"m"}' }, { error: { code: 'A', detail: 'm' } }],
    ['a time', { headers: { date: 'today' } }, { date: 'today' }],
  ])('are told what the broker said: %s', async (_, change, expected) => {
    const { result } = await play({ outcome: () => response(change) });
    expect(result).toMatchObject({ kind: 'answered', ...expected });
  });

  test('count as a write that makes reads stale, if the order may have been sent', async () => {
    const epochAfter = async (parts: Play) => readWriteEpoch((await play(parts)).records, 'account');
    expect(await epochAfter({})).toBe(1);
    expect(await epochAfter({ outcome: () => response({ status: 400 }) })).toBe(1);
    expect(await epochAfter({ isOpen: false })).toBe(0);
    expect(await epochAfter({ commit: async () => undefined })).toBe(0);
  });

  test.each([
    [true, 600],
    [false, undefined],
  ])(
    'are kept back from a proxy for ten minutes where the response shows its block: %s',
    async (isBlocked, seconds) => {
      const { records, clock } = await play({ outcome: () => response({ status: 403, isBlocked }) });
      expect(await getBlockSeconds({ records, clock }, 'account')).toBe(seconds);
    },
  );

  test('are completed with the headers that had arrived, when the response is lost', async () => {
    const { result, seen } = await play({
      outcome: () => {
        throw new TransportFailure('broken', true, 'the connection was reset', headers);
      },
    });
    expect(seen).toEqual([taken, prepared, ['complete', headers, false]]);
    expect(result).toEqual({ kind: 'lost', reason: "The broker's response was lost: the connection was reset." });
    takeLog();
  });

  test('are completed without headers when this program fails while it reads the response', async () => {
    const { result, seen } = await play({
      outcome: () => {
        throw new TypeError('x is undefined');
      },
    });
    expect(seen).toEqual([taken, prepared, ['complete', {}, false]]);
    expect(result).toEqual({
      kind: 'lost',
      reason: "The broker's response was lost: brokerage-mcp failed while it read it.",
    });
    takeLog();
  });

  const aborted = AbortSignal.abort();
  const freed = [taken, prepared, ['close'], ['give back']];
  const storeFull = new Error('the store is full');
  const neverAsked = () => Promise.reject(new Error('The commit was asked.'));

  // The last column is what the rest of the program takes for a proof.
  test.each<[string, Play, unknown[], unknown]>([
    [
      'no slot becomes free in time',
      {
        take: () => Promise.reject(new BrokerageError('rate_limited', 'm', 'n', { retryAfterSeconds: 7 })),
        commit: neverAsked,
      },
      [taken],
      { kind: 'rate_limited', retryAfterSeconds: 7 },
    ],
    [
      'no slot becomes free at once',
      {
        take: () => Promise.reject(new BrokerageError('rate_limited', 'm', 'n', { retryAfterSeconds: 0 })),
        commit: neverAsked,
      },
      [taken],
      { kind: 'rate_limited', retryAfterSeconds: 0 },
    ],
    [
      'the wait for a slot ends with an error that names no seconds',
      { take: () => Promise.reject(storeFull), commit: neverAsked },
      [taken],
      storeFull,
    ],
    [
      'there is no connection',
      { prepare: () => Promise.reject(new TransportFailure('connect', false, 'the reason')), commit: neverAsked },
      [taken, prepared, ['give back']],
      { kind: 'not_connected', reason: 'No connection to the broker: the reason.' },
    ],
    [
      'the connection cannot be prepared',
      { prepare: () => Promise.reject(storeFull), commit: neverAsked },
      [taken, prepared, ['give back']],
      storeFull,
    ],
    [
      'the broker has closed the connection',
      { isOpen: false, commit: neverAsked },
      freed,
      { kind: 'not_connected', reason: 'The broker closed the connection before anything was sent.' },
    ],
    [
      'the caller has gone away',
      { signal: aborted, commit: neverAsked },
      freed,
      { kind: 'not_connected', reason: 'The call was cancelled before anything was sent.' },
    ],
    ['the commit says no', { commit: async () => undefined }, freed, { kind: 'not_committed' }],
    ['the commit fails', { commit: () => Promise.reject(storeFull) }, freed, storeFull],
    [
      'a millisecond too many has passed since the commit',
      { commit: async () => ({ writeBy: startAt + 699 }) },
      freed,
      { kind: 'not_written', reason: 'Too much time passed between the commit and sending; nothing was sent.' },
    ],
  ])('are free again, and nothing is sent, when %s', async (_, parts, used, expected) => {
    const outcome = () => {
      throw new Error('The order was sent.');
    };
    const { result, seen } = await play({ ...parts, outcome });
    expect(result).toEqual(expected);
    expect(seen).toEqual(used);
  });
});
