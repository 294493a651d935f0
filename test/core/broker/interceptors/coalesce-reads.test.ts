import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { coalesceReads } from '../../../../src/core/broker/interceptors/coalesce-reads.ts';
import type { KeyValueStore, ParsedResponse, PreparedRequest } from '../../../../src/core/broker/types.ts';
import { type Endpoint, endpoints } from '../../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { errorOf } from '../../../support/error-of.ts';
import { brokerFor, quickClock, realBrokerFor, serve, serveRaw } from '../support.ts';

const pie = { name: 'Pie', instrumentShares: {} };

describe('a shared read', () => {
  test('is one request for all concurrent callers', async () => {
    const service = await serve(() => ({ body: '[{"quantity":1}]', afterMs: 30 }));
    const broker = realBrokerFor(service.origin);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => broker.call(endpoints.listPositions, {}, broker.context())),
    );
    expect(service.seen).toHaveLength(1);
    expect(answers.filter(({ shared }) => !shared)).toHaveLength(1);
    expect(new Set(answers.map(({ answeredAt }) => answeredAt)).size).toBe(1);
  });

  test('is one request among processes that share the records', async () => {
    const service = await serve(() => ({ body: '[]', afterMs: 60 }));
    const records = createMemoryRecords();
    const brokers = ['a', 'b', 'c', 'd'].map((owner) => realBrokerFor(service.origin, { records, owner }));
    await Promise.all(
      brokers.flatMap((broker) => [1, 2, 3].map(() => broker.call(endpoints.listPendingOrders, {}, broker.context()))),
    );
    expect(service.seen).toHaveLength(1);
  });

  test('is stored without the links of reports, and read again by a process that needs them', async () => {
    const link = 'https://files.test/report.csv?signature=0123456789abcdef';
    const report = { reportId: 12345678901234567890n, status: 'Finished', downloadLink: link, extra: [{ href: link }] };
    const body = `[${JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}]`;
    const service = await serve(() => ({ body }));
    const records = createMemoryRecords();
    const [one, other] = ['a', 'b'].map((owner) => brokerFor(service.origin, { records, owner, clock: quickClock() }));
    const ask = (broker = one, needsComplete = false) =>
      broker?.call(
        endpoints.listReports,
        {},
        broker.context({ needsComplete, deadlineAt: broker.clock.now() + 100_000 }),
      );
    expect((await ask())?.data).toMatchObject([{ downloadLink: link }]);
    // Still in the memory of the process that read it.
    expect(await ask(one, true)).toMatchObject({ shared: true, data: [{ downloadLink: link, status: 'Finished' }] });
    expect(await ask(other)).toMatchObject({ shared: true, data: [{ status: 'Finished' }] });
    expect(JSON.stringify((await ask(other))?.data)).not.toContain('files.test');
    expect(service.seen).toHaveLength(1);
    expect(await ask(other, true)).toMatchObject({ shared: false, data: [{ downloadLink: link }] });
    expect(service.seen).toHaveLength(2);
    const kept = await records.read<{ text: string }>('read-body', 'account /equity/history/exports');
    expect(kept?.text).toContain('Finished');
    expect(kept?.text).not.toContain('files.test');
  });

  test('stays fresh for one period and keeps its time', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = brokerFor(service.origin);
    const ask = () => broker.call(endpoints.listPendingOrders, {}, broker.context());
    const first = await ask();
    await broker.clock.sleep(4_000);
    expect(await ask()).toMatchObject({ shared: true, answeredAt: first.answeredAt });
    await broker.clock.sleep(1_500);
    expect((await ask()).shared).toBe(false);
    expect(service.seen).toHaveLength(2);
  });

  test('stays fresh for the period that the headers say', async () => {
    const headers = { 'x-ratelimit-limit': '1', 'x-ratelimit-period': '20' };
    const service = await serve(() => ({ body: '[]', headers }));
    const broker = brokerFor(service.origin);
    const ask = () => broker.call(endpoints.listPendingOrders, {}, broker.context());
    await ask();
    await broker.clock.sleep(15_000);
    expect((await ask()).shared).toBe(true);
  });

  test('stays fresh for ten minutes when it is metadata, even after a write', async () => {
    const service = await serve(({ url }) => ({ body: url.includes('metadata') ? '[{"ticker":"A"}]' : '{}' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listInstruments, {}, broker.context());
    await broker.call(endpoints.createPie, { body: pie }, broker.context());
    await broker.clock.sleep(590_000);
    const again = await broker.call(endpoints.listInstruments, {}, broker.context());
    expect(again).toMatchObject({ shared: true, data: [{ ticker: 'A' }] });
  });

  test('is not used when it was requested before the moment that matters', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = brokerFor(service.origin);
    const ask = (notBefore: number) => broker.call(endpoints.listPendingOrders, {}, broker.context({ notBefore }));
    const { answeredAt } = await ask(0);
    expect((await ask(answeredAt)).shared).toBe(true);
    expect((await ask(answeredAt + 1)).shared).toBe(false);
  });

  test('counts from its request, where the response came later', async () => {
    let answering = Promise.resolve();
    const service = await serve(() => {
      answering = clock.advance(3_000);
      return { body: '[]', afterMs: 20 };
    });
    const clock = quickClock();
    const broker = brokerFor(service.origin, { clock });
    const ask = (notBefore: number) => broker.call(endpoints.listPendingOrders, {}, broker.context({ notBefore }));
    const { askedAt, answeredAt } = await ask(0);
    await answering;
    expect(answeredAt - askedAt).toBe(3_000);
    expect((await ask(askedAt)).shared).toBe(true);
    expect((await ask(askedAt + 1)).shared).toBe(false);
  });

  test('differs by path and query', async () => {
    const service = await serve(({ url }) => ({ body: `[{"instrument":{"ticker":"${url.split('=')[1]}"}}]` }));
    const broker = brokerFor(service.origin);
    for (const ticker of ['A', 'B', 'A']) {
      const { data } = await broker.call(endpoints.listPositions, { query: { ticker } }, broker.context());
      expect(data[0]?.instrument?.ticker).toBe(ticker);
    }
  });

  test('differs by account', async () => {
    const service = await serve((_, n) => ({ body: `{"id":${n}}` }));
    const records = createMemoryRecords();
    const [first, second] = ['one', 'two'].map((account) =>
      brokerFor(service.origin, { records, accountKey: async () => account }),
    );
    expect((await first?.call(endpoints.getAccountSummary, {}, first.context()))?.data.id).toBe('0');
    expect((await second?.call(endpoints.getAccountSummary, {}, second.context()))?.data.id).toBe('1');
  });
});

describe('a write', () => {
  test.each([200, 400, 500])('with the response %i makes earlier reads stale', async (status) => {
    const service = await serve(({ method }) => (method === 'GET' ? { body: '[]' } : { status }));
    const broker = brokerFor(service.origin);
    const read = () => broker.call(endpoints.listPies, {}, broker.context());
    await read();
    expect((await read()).shared).toBe(true);
    await broker.call(endpoints.deletePie, { id: '1' }, broker.context()).catch(() => undefined);
    expect((await read()).shared).toBe(false);
  });

  test('whose response is lost makes earlier reads stale', async () => {
    const service = await serveRaw((socket, _, text) =>
      text.startsWith('GET') ? socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]') : socket.resetAndDestroy(),
    );
    const broker = brokerFor(service.origin);
    const read = () => broker.call(endpoints.listPies, {}, broker.context());
    await read();
    await errorOf(broker.call(endpoints.deletePie, { id: '1' }, broker.context()));
    expect((await read()).shared).toBe(false);
  });

  test('prevents the sharing of a read that was in flight during it', async () => {
    const service = await serve(({ method }) => (method === 'GET' ? { body: '[]', afterMs: 80 } : { body: '{}' }));
    const broker = realBrokerFor(service.origin);
    const read = () => broker.call(endpoints.listPositions, {}, broker.context());
    const before = read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await broker.call(endpoints.deletePie, { id: '1' }, broker.context());
    const after = read();
    expect((await before).shared).toBe(false);
    expect((await after).shared).toBe(false);
    expect(service.seen.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });
});

describe('a caller that waits for the request of another', () => {
  test('gets the same failure, and sends no request', async () => {
    const service = await serve(() => ({ status: 403, afterMs: 20 }));
    const broker = realBrokerFor(service.origin);
    const errors = await Promise.all(
      Array.from({ length: 10 }, () => errorOf(broker.call(endpoints.listPies, {}, broker.context()))),
    );
    expect(errors.map(({ code }) => code)).toEqual(Array(10).fill('forbidden'));
    expect(service.seen).toHaveLength(1);
  });

  test('takes over when the first caller gives up for reasons of its own', async () => {
    const stop = new AbortController();
    const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]';
    const service = await serveRaw((socket, n) => void (n > 0 && socket.end(ok)));
    const broker = realBrokerFor(service.origin);
    const leader = errorOf(broker.call(endpoints.listPositions, {}, broker.context({ signal: stop.signal })));
    await expect.poll(() => service.requests).toBe(1);
    const follower = broker.call(endpoints.listPositions, {}, broker.context());
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    expect((await leader).code).toBe('cancelled');
    expect(await follower).toMatchObject({ data: [], shared: false });
  });

  test('waits no longer than its own deadline', async () => {
    let answer = () => {};
    const service = await serveRaw((socket) => {
      answer = () => socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]');
    });
    const broker = realBrokerFor(service.origin);
    const leader = broker.call(endpoints.listPositions, {}, broker.context());
    await expect.poll(() => service.requests).toBe(1);
    const hasty = broker.call(endpoints.listPositions, {}, broker.context({ deadlineAt: Date.now() + 50 }));
    expect((await errorOf(hasty)).code).toBe('timeout');
    // The response arrives only now, after this caller gave up.
    answer();
    expect((await leader).data).toEqual([]);
    expect(service.requests).toBe(1);
  });

  test('takes over from a process that was killed', async () => {
    const hanging = await serveRaw(() => undefined);
    const service = await serve(() => ({ body: '[]' }));
    const records = createMemoryRecords();
    // The killed process: its records stay as they are, and later writes of it are dropped.
    let isKilled = false;
    const halted: KeyValueStore = {
      read: (space, key) => records.read(space, key),
      update: (space, key, change) => (isKilled ? new Promise(() => undefined) : records.update(space, key, change)),
    };
    const clock = quickClock();
    const killed = brokerFor(hanging.origin, { clock, records: halted, owner: 'killed' });
    void killed
      .call(endpoints.listPositions, {}, killed.context({ deadlineAt: clock.now() + 2_000 }))
      .catch(() => undefined);
    await expect.poll(() => hanging.requests).toBe(1);
    isKilled = true;

    const broker = brokerFor(service.origin, {
      clock,
      records,
      owner: 'alive',
      isAlive: (owner) => owner !== 'killed',
    });
    const startedAt = clock.now();
    expect((await broker.call(endpoints.listPositions, {}, broker.context())).data).toEqual([]);
    // One check for live processes, and one period of 1 s for the slot of the dead one.
    expect(clock.now() - startedAt).toBeLessThan(3_000);
  });
});

test('a process that reads for all shows every two seconds that it still runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [records, clock] = [createMemoryRecords(), quickClock()];
  const startedAt = clock.now();
  const limits = { take: () => Promise.reject(new Error('It is not needed.')), periodMs: async () => 1_000 };
  let respond = (_: ParsedResponse): void => undefined;
  const response = new Promise<ParsedResponse>((resolve) => {
    respond = resolve;
  });
  const reading = coalesceReads({ records, clock, limits, owner: 'own' })(() => response)({
    endpoint: endpoints.listPositions,
    context: { priority: 'read', deadlineAt: startedAt + 50_000 },
    accountKey: 'account',
    path: '/equity/positions',
  });
  const leaseEndsAfter = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const head = await records.read<{ leader?: { until: number } }>('read-head', 'account /equity/positions');
    return head?.leader && head.leader.until - startedAt;
  };
  expect(await leaseEndsAfter()).toBe(6_000);
  await clock.advance(2_000);
  vi.advanceTimersByTime(1_999);
  expect(await leaseEndsAfter()).toBe(6_000);
  vi.advanceTimersByTime(1);
  expect(await leaseEndsAfter()).toBe(8_000);
  respond({ data: [], text: '[]', askedAt: startedAt, answeredAt: startedAt, shared: false });
  await reading;
  expect(await leaseEndsAfter()).toBeUndefined();
});

describe('a stored read', () => {
  test('is removed once it is too old to be used', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const records = createMemoryRecords();
    const names = new Set<string>();
    const watched: KeyValueStore = {
      read: (space, key) => records.read(space, key),
      update: (space, key, change) => {
        if (space === 'read-body') names.add(key);
        return records.update(space, key, change);
      },
    };
    const broker = brokerFor(service.origin, { records: watched });
    for (let n = 0; n < 20; n++) {
      await broker.call(endpoints.listPositions, { query: { ticker: `T${n}` } }, broker.context());
      await broker.clock.sleep(10_000);
    }
    const kept = await Promise.all([...names].map((name) => records.read('read-body', name)));
    expect(names.size).toBe(20);
    expect(kept.filter((body) => body !== undefined).length).toBeLessThanOrEqual(5);
  });

  test('is requested again when its text is gone', async () => {
    const service = await serve(() => ({ body: '[{"ticker":"A"}]' }));
    const records = createMemoryRecords();
    const clock = quickClock();
    const first = brokerFor(service.origin, { records, clock });
    await first.call(endpoints.listInstruments, {}, first.context());
    await records.update('read-body', 'account /equity/metadata/instruments', () => ({
      state: undefined,
      result: undefined,
    }));
    const second = brokerFor(service.origin, { records, clock, owner: 'other' });
    expect(
      (await second.call(endpoints.listInstruments, {}, second.context({ deadlineAt: clock.now() + 60_000 }))).data,
    ).toHaveLength(1);
  });

  test('does no harm when it cannot be stored', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const records = createMemoryRecords();
    const full: KeyValueStore = {
      read: (space, key) => records.read(space, key),
      update: (space, key, change) =>
        space === 'read-body'
          ? Promise.reject(storeUnavailable('disk_full', 'the disk is full'))
          : records.update(space, key, change),
    };
    const broker = brokerFor(service.origin, { records: full });
    expect((await broker.call(endpoints.listPositions, {}, broker.context())).data).toEqual([]);
  });

  test('is parsed once per process, however often it is used', async () => {
    const service = await serve(() => ({ body: '[{"ticker":"A"}]' }));
    const broker = brokerFor(service.origin);
    const first = await broker.call(endpoints.listInstruments, {}, broker.context());
    const second = await broker.call(endpoints.listInstruments, {}, broker.context());
    expect(second.data).toBe(first.data);
  });
});

test('a read from before the clock was set back is not fresh until the clock catches up', async () => {
  const service = await serve(() => ({ body: '{"id":1,"currency":"GBP"}' }));
  const inner = quickClock();
  let backMs = 0;
  const clock = { now: () => inner.now() - backMs, sleep: inner.sleep };
  const broker = brokerFor(service.origin, { clock });
  await broker.call(endpoints.getAccountSummary, {}, broker.context());
  backMs = 3_600_000;
  await broker.call(endpoints.getAccountSummary, {}, broker.context());
  expect(service.seen.length).toBe(2);
});

describe('two callers of a process', () => {
  /** A leader whose request ends as told, and a follower that asks while it waits. */
  async function share(
    end: () => Promise<ParsedResponse>,
    change: Partial<PreparedRequest> = {},
    endpoint: Endpoint = endpoints.listPositions,
  ) {
    const clock = quickClock();
    const limits = { take: () => Promise.reject(new Error('It is not needed.')), periodMs: async () => 5_000 };
    const response = { data: [], text: '[]', askedAt: clock.now(), answeredAt: clock.now(), shared: false };
    let finish: () => void = () => undefined;
    const ending = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let requests = 0;
    const handle = coalesceReads({ records: createMemoryRecords(), clock, limits, owner: 'own' })(async () => {
      if (requests++ > 0) return response;
      await ending;
      return end();
    });
    const request: PreparedRequest = {
      ...{ endpoint, accountKey: 'account', path: endpoint.path },
      context: { priority: 'read', deadlineAt: clock.now() + 60_000 },
      ...change,
    };
    const leader = handle(request).catch((error: unknown) => error);
    await vi.waitFor(() => expect(requests).toBe(1));
    const follower = handle(request).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 5));
    finish();
    const [first, second] = [await leader, await follower];
    return { first, second, requests };
  }
  const failing = (error: Error) => share(() => Promise.reject(error));

  test.each(['cancelled', 'rate_limited', 'timeout'] as const)(
    'do not share a failure that concerns the first one alone: %s',
    async (code) => {
      const error = new BrokerageError(code, 'm', 'n');
      expect(await failing(error)).toMatchObject({ first: error, second: { data: [], shared: false }, requests: 2 });
    },
  );

  test.each(['unreachable', 'upstream_error', 'unauthorized', 'blocked', 'unexpected_answer'] as const)(
    'share a failure of the service: %s',
    async (code) => {
      const error = new BrokerageError(code, 'm', 'n');
      expect(await failing(error)).toEqual({ first: error, second: error, requests: 1 });
    },
  );

  test('share a response', async () => {
    const response = { data: [7], text: '[7]', askedAt: 1, answeredAt: 2, shared: false };
    expect(await share(async () => response)).toEqual({
      first: response,
      second: { ...response, shared: true },
      requests: 1,
    });
  });

  test('share neither a file, nor a read in the background', async () => {
    const response = { data: [7], text: '[7]', askedAt: 1, answeredAt: 2, shared: false };
    const link = new URL('https://files.example/1.csv');
    expect((await share(async () => response, { link })).requests).toBe(2);
    const context = { priority: 'sync', deadlineAt: Number.MAX_SAFE_INTEGER } as const;
    expect((await share(async () => response, { context })).requests).toBe(2);
  });

  test('share no change', async () => {
    const response = { data: [7], text: '[7]', askedAt: 1, answeredAt: 2, shared: false };
    expect((await share(async () => response, {}, endpoints.deletePie)).requests).toBe(2);
  });
});
