import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  attemptTimeoutMs,
  createTransport,
  type TransportDeps,
} from '../../../../src/core/broker/transport/transport.ts';
import type { PreparedRequest } from '../../../../src/core/broker/types.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { type Endpoint, endpoints, reportFile } from '../../../../src/core/endpoints/index.ts';
import { storeUnavailable } from '../../../../src/core/store/engine.ts';
import { errorOf } from '../../../support/error-of.ts';
import { brokerFor, limitOrder, realBrokerFor, serve, serveRaw } from '../support.ts';

const pie = { name: 'Pie', instrumentShares: { ABC_US_EQ: '0.5' } };
const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe('a read', () => {
  test('carries Basic credentials without a newline, and asks for JSON that may be compressed', async () => {
    const service = await serve(() => ({ body: '{"id":1}' }));
    const secret = 's'.repeat(200);
    const broker = brokerFor(service.origin, { credentials: async () => ({ key: 'k', secret }) });
    await broker.call(endpoints.getAccountSummary, {}, broker.context());
    const [seen] = service.seen;
    expect(seen).toMatchObject({ method: 'GET', url: '/api/v0/equity/account/summary' });
    expect(seen?.headers.authorization).toBe(`Basic ${Buffer.from(`k:${secret}`).toString('base64')}`);
    expect(seen?.headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'gzip, deflate, br' });
    expect(seen?.headers).not.toHaveProperty('content-type');
  });

  test('sends a key without a secret unchanged: in reads, in writes, in orders, and not to the host of a report', async () => {
    const service = await serve(() => ({ body: '{"id":1}' }));
    const broker = brokerFor(service.origin, { credentials: async () => ({ key: 'raw-key:with/all+of=it' }) });
    await broker.call(endpoints.getAccountSummary, {}, broker.context());
    await broker.call(endpoints.createPie, { body: pie }, broker.context());
    await broker.place(
      limitOrder(),
      async () => ({ writeBy: Number.MAX_SAFE_INTEGER }),
      broker.context({ priority: 'place' }),
    );
    await broker.call(reportFile, { link: `${service.origin}/report.csv` }, broker.context());
    expect(service.seen.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['GET', 'raw-key:with/all+of=it'],
      ['POST', 'raw-key:with/all+of=it'],
      ['POST', 'raw-key:with/all+of=it'],
      ['GET', undefined],
    ]);
  });

  test.each(['', '/', '/api/v0', '/api/v0///'])('builds its address when the base ends in "%s"', async (tail) => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = brokerFor(service.origin + tail);
    await broker.call(endpoints.listPositions, {}, broker.context());
    expect(service.seen[0]?.url).toBe('/api/v0/equity/positions');
  });

  test('goes to the origin that is in use at that moment', async () => {
    const first = await serve(() => ({ body: '[]' }));
    const second = await serve(() => ({ body: '[]' }));
    let origin = first.origin;
    const broker = brokerFor('', { origin: async () => origin });
    await broker.call(endpoints.listPositions, {}, broker.context());
    origin = second.origin;
    await broker.call(endpoints.listPositions, {}, broker.context({ notBefore: broker.clock.now() + 1 }));
    expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
  });

  test.each([
    ['gzip', (body: string) => zlib.gzipSync(body)],
    ['br', (body: string) => zlib.brotliCompressSync(body)],
    ['deflate', (body: string) => zlib.deflateSync(body)],
    ['deflate', (body: string) => zlib.deflateRawSync(body)],
    ['identity', (body: string) => Buffer.from(body)],
  ])('inflates %s', async (encoding, compress) => {
    const service = await serve(() => ({ headers: { 'content-encoding': encoding }, body: compress('{"id":7}') }));
    const broker = brokerFor(service.origin);
    const { data } = await broker.call(endpoints.getAccountSummary, {}, broker.context());
    expect(data.id).toBe('7');
  });

  test('accepts any 2xx as a success', async () => {
    const service = await serve(() => ({ status: 206, body: '{"id":7}' }));
    const broker = brokerFor(service.origin);
    expect((await broker.call(endpoints.getAccountSummary, {}, broker.context())).data.id).toBe('7');
  });

  test('aborts a body that is too large as soon as that is known', { tags: ['slow'] }, async () => {
    const service = await serve(() => ({
      headers: { 'content-encoding': 'gzip' },
      body: zlib.gzipSync(Buffer.alloc(40_000_000)),
    }));
    const broker = brokerFor(service.origin);
    const bomb = await errorOf(broker.call(endpoints.listPositions, {}, broker.context()));
    expect(bomb).toMatchObject({ code: 'unexpected_answer' });
    expect(bomb.message).toContain('larger than');

    const endless = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
      const pour = () => socket.writable && socket.write(chunk, () => setImmediate(pour));
      pour();
    });
    const other = brokerFor(endless.origin);
    expect((await errorOf(other.call(endpoints.listPositions, {}, other.context()))).message).toContain('larger than');
    expect(endless.requests).toBe(1);
  });

  test('accepts as many values as a body can have, and none more or nested deeper', async () => {
    let values = 0;
    const service = await serve(({ url }) => ({
      // The text, the list, its objects and its commas count, of which 200,000 are allowed.
      body: url.includes('depth') ? '['.repeat(600) + ']'.repeat(600) : `[${Array(values).fill('{}').join(',')}]`,
    }));
    const broker = brokerFor(service.origin);
    const read = (query: Record<string, string> = {}) =>
      errorOf(broker.call({ ...endpoints.listPositions, query: ['depth', 'n'] }, { query }, broker.context()));
    values = 99_999;
    expect((await read({ n: '1' })).message).not.toContain('too many values');
    values = 100_000;
    expect((await read({ n: '2' })).message).toContain('too many values');
    expect((await read({ depth: '1' })).message).toContain('too many values');
  });

  test('refuses a body that is over a hundred times larger than its compressed form', async () => {
    const service = await serve(({ url }) => {
      const size = Number(/size=(\d+)/.exec(url)?.[1]);
      return { headers: { 'content-encoding': 'gzip' }, body: zlib.gzipSync(`[]${' '.repeat(size - 2)}`) };
    });
    const broker = brokerFor(service.origin);
    const read = (size: number) =>
      broker
        .call({ ...endpoints.listPositions, query: ['size'] }, { query: { size: String(size) } }, broker.context())
        .then(
          () => 'taken',
          ({ code }) => code,
        );
    // Up to a mebibyte, the ratio is free.
    expect(await read(1_048_576)).toBe('taken');
    expect(await read(1_048_577)).toBe('unexpected_answer');
  });

  test('accepts a response of the size that its endpoint can have, and none larger', async () => {
    const service = await serve(({ url }) => ({
      body: JSON.stringify(url.includes('positions') ? [] : { id: 7 }).padEnd(Number(/size=(\d+)/.exec(url)?.[1])),
    }));
    const broker = brokerFor(service.origin);
    const read = (endpoint: Endpoint, size: number) =>
      broker.call({ ...endpoint, query: ['size'] }, { query: { size: String(size) } }, broker.context()).then(
        () => 'taken',
        ({ code }) => code,
      );
    expect(await read(endpoints.getAccountSummary, 131_072)).toBe('taken');
    expect(await read(endpoints.getAccountSummary, 131_073)).toBe('unexpected_answer');
    expect(await read(endpoints.listPositions, 2_097_152)).toBe('taken');
    expect(await read(endpoints.listPositions, 2_097_153)).toBe('unexpected_answer');
  });

  test('is sent again after a reset and after half a body, a limited number of times', async () => {
    const service = await serveRaw((socket, n) => {
      if (n === 0) return socket.resetAndDestroy();
      if (n === 1) return void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"quantity"');
      socket.end(ok('[]'));
    });
    const broker = brokerFor(service.origin);
    expect((await broker.call(endpoints.listPositions, {}, broker.context())).data).toEqual([]);
    expect(service.requests).toBe(3);

    const dead = await serveRaw((socket) => socket.resetAndDestroy());
    const other = brokerFor(dead.origin);
    expect(await errorOf(other.call(endpoints.listPositions, {}, other.context()))).toMatchObject({
      code: 'unreachable',
      facts: {},
    });
    expect(dead.requests).toBe(3);
  });

  test('ends at the deadline of its caller when the service hangs, and is not sent again', async () => {
    const service = await serveRaw(() => undefined);
    const broker = realBrokerFor(service.origin);
    const stop = new AbortController();
    let patient = 'waits';
    const other = broker
      .call(endpoints.listPies, {}, broker.context({ deadlineAt: Date.now() + 600_000, signal: stop.signal }))
      .catch(({ code }) => {
        patient = code;
      });
    // Time enough for the request to be sent on a busy machine.
    const hasty = broker.call(endpoints.listPositions, {}, broker.context({ deadlineAt: Date.now() + 2_000 }));
    expect((await errorOf(hasty)).code).toBe('timeout');
    expect(patient).toBe('waits');
    expect(service.requests).toBe(2);
    stop.abort();
    await other;
    expect(patient).toBe('cancelled');
  });

  test('ends when its caller goes away', async () => {
    const stop = new AbortController();
    const service = await serveRaw(() => stop.abort());
    const broker = realBrokerFor(service.origin);
    const call = broker.call(endpoints.listPositions, {}, broker.context({ signal: stop.signal }));
    expect((await errorOf(call)).code).toBe('cancelled');
    expect(service.requests).toBe(1);
  });

  test('reports that the service cannot be reached', async () => {
    const service = await serve(() => ({}));
    const broker = brokerFor('http://127.0.0.1:1');
    const error = await errorOf(broker.call(endpoints.listPositions, {}, broker.context()));
    expect(error).toMatchObject({ code: 'unreachable', cause: { network: 'ECONNREFUSED' } });
    expect(service.seen).toHaveLength(0);
  });

  test('rejects a response that is not HTTP', async () => {
    const service = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const broker = brokerFor(service.origin);
    expect((await errorOf(broker.call(endpoints.listPositions, {}, broker.context()))).code).toBe('unexpected_answer');
  });

  test('reuses its connection', async () => {
    const service = await serveRaw((socket) => socket.write(ok('[]')));
    const broker = brokerFor(service.origin);
    for (let n = 0; n < 3; n++)
      await broker.call(endpoints.listPositions, {}, broker.context({ notBefore: broker.clock.now() + 1 }));
    expect(service).toMatchObject({ requests: 3, connections: 1 });
  });
});

describe('a write', () => {
  test('uses a connection of its own, and keeps its digits', async () => {
    const service = await serve(() => ({ body: '{}' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.createPie, { body: { ...pie, goal: '1000.10000000000000000001' } }, broker.context());
    expect(service.seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/v0/equity/pies',
      body: '{"name":"Pie","goal":1000.10000000000000000001,"instrumentShares":{"ABC_US_EQ":0.5}}',
    });
    expect(service.seen[0]?.headers).toMatchObject({ connection: 'close', 'content-type': 'application/json' });
  });

  test.each([301, 302, 303, 307, 308])('arrives once when the response is a redirect (%i)', async (status) => {
    const bait = await serve(() => ({}));
    const service = await serve(() => ({ status, headers: { location: `${bait.origin}/api/v0/equity/pies` } }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.createPie, { body: pie }, broker.context()));
    expect(error).toMatchObject({ code: 'unexpected_answer', facts: { status, mayHaveHappened: true } });
    expect([service.seen.length, bait.seen.length]).toEqual([1, 0]);
  });

  test.each([421, 425, 429, 500, 502, 503, 504])('arrives once when the response is %i', async (status) => {
    const service = await serve(() => ({ status, headers: { 'retry-after': '0' } }));
    const broker = brokerFor(service.origin);
    await errorOf(broker.call(endpoints.createPie, { body: pie }, broker.context()));
    await errorOf(broker.call(endpoints.deletePie, { id: '1' }, broker.context()));
    expect(service.seen.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  test.each<[string, (socket: import('node:net').Socket) => void]>([
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['a closed connection', (socket) => socket.end()],
    ['half an answer', (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"')],
  ])('arrives once and may have happened when its response is lost to %s', async (_, break_) => {
    const service = await serveRaw((socket) => break_(socket));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.createPie, { body: pie }, broker.context()));
    expect(error).toMatchObject({ code: 'unreachable', facts: { mayHaveHappened: true } });
    expect(error.next).not.toMatch(/try again/i);
    expect(service).toMatchObject({ requests: 1, connections: 1 });
  });

  test('did not happen when there was no connection', async () => {
    const broker = brokerFor('http://127.0.0.1:1');
    const error = await errorOf(broker.call(endpoints.createPie, { body: pie }, broker.context()));
    expect(error.code).toBe('unreachable');
    expect(error.facts).not.toHaveProperty('mayHaveHappened');
  });

  test('continues when its caller goes away while it is in flight', async () => {
    const stop = new AbortController();
    const service = await serve(() => {
      stop.abort();
      return { body: '{"settings":{"id":5}}', afterMs: 20 };
    });
    const broker = realBrokerFor(service.origin);
    const { data } = await broker.call(endpoints.createPie, { body: pie }, broker.context({ signal: stop.signal }));
    expect(data.settings?.id).toBe('5');
  });

  test('may get an empty response when it deletes or cancels', async () => {
    const service = await serve(() => ({ body: '' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.deletePie, { id: '1' }, broker.context());
    await broker.call(endpoints.cancelOrder, { id: '2' }, broker.context({ priority: 'cancel' }));
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v0/equity/pies/1',
      'DELETE /api/v0/equity/orders/2',
    ]);
  });
});

describe('the file of a report', () => {
  test('is fetched from its own host without our credentials, and is never shared', async () => {
    const files = await serve(() => ({ headers: { 'content-type': 'text/csv' }, body: '\uFEFFTime,Total\n1,2' }));
    const broker = brokerFor('http://127.0.0.1:1');
    const link = `${files.origin}/some/file.csv?signature=a%2Fb`;
    for (let n = 0; n < 2; n++) {
      const { data } = await broker.call(reportFile, { link }, broker.context());
      expect(data).toBe('Time,Total\n1,2');
    }
    expect(files.seen.map(({ url }) => url)).toEqual(Array(2).fill('/some/file.csv?signature=a%2Fb'));
    expect(files.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    'http://example.com/f.csv',
    'ftp://127.0.0.1/f',
    'file:///etc/passwd',
    'https://user:pw@example.com/',
    'nonsense',
    undefined,
  ])('is not fetched from %s', async (link) => {
    const broker = brokerFor('http://127.0.0.1:1');
    expect((await errorOf(broker.call(reportFile, { link }, broker.context()))).code).toBe('unexpected_answer');
  });

  test('is not followed through a redirect', async () => {
    const bait = await serve(() => ({}));
    const files = await serve(() => ({ status: 302, headers: { location: bait.origin } }));
    const broker = brokerFor('http://127.0.0.1:1');
    await errorOf(broker.call(reportFile, { link: `${files.origin}/f` }, broker.context()));
    expect(bait.seen).toHaveLength(0);
  });
});

describe('one attempt', () => {
  const transportFor = (origin: string, change: Partial<TransportDeps> = {}) =>
    createTransport({ origin, credentials: async () => ({ key: 'the-key' }), clock: systemClock, ...change });
  const request = (endpoint: Endpoint, change: Partial<PreparedRequest> = {}): PreparedRequest => ({
    endpoint,
    context: { priority: 'read', deadlineAt: Date.now() + 20_000 },
    accountKey: 'account',
    path: endpoint.path,
    ...(endpoint.method === 'POST' ? { body: '{}' } : {}),
    ...change,
  });
  const linkTo = (origin: string, query = '') => ({ link: new URL(`${origin}/1.csv${query}`) });

  test('takes 5 s for the connection, and then 15 s for a change, 30 s for a read and 2 min for a file', () => {
    for (const endpoint of [endpoints.placeLimitOrder, endpoints.cancelOrder, endpoints.createPie])
      expect(attemptTimeoutMs(endpoint)).toBe(20_000);
    for (const endpoint of [endpoints.listPositions, endpoints.listInstruments])
      expect(attemptTimeoutMs(endpoint)).toBe(35_000);
    expect(attemptTimeoutMs(reportFile)).toBe(125_000);
  });

  test.each([
    ['placeLimitOrder', 65_536],
    ['getAccountSummary', 131_072],
    ['getPendingOrder', 131_072],
    ['cancelOrder', 131_072],
    ['getPie', 131_072],
    ['listPositions', 2_097_152],
    ['listHistoricalOrders', 2_097_152],
    ['createPie', 2_097_152],
    ['listInstruments', 12_582_912],
    ['reportFile', 33_554_432],
  ] as const)('of %s has a response of %i bytes at most', async (id, bytes) => {
    const endpoint: Endpoint = id === 'reportFile' ? reportFile : endpoints[id];
    let announced = bytes;
    // The body ends early, which shows that it was waited for.
    const service = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${announced}\r\n\r\n[`));
    const change = id === 'reportFile' ? linkTo(service.origin) : {};
    const send = () => transportFor(service.origin).send(request(endpoint, change));
    await expect(send()).rejects.toMatchObject({ kind: 'broken', sent: true });
    announced += 1;
    await expect(send()).rejects.toMatchObject({
      ...{ kind: 'too_large', sent: true },
      message: `the response is larger than ${bytes} bytes`,
    });
  });

  test.each([
    ['listPositions', 200_000],
    ['listInstruments', 1_000_000],
  ] as const)('of %s has %i values at most', async (id, values) => {
    // A value more than there are commas.
    let commas = values - 1;
    const service = await serve(() => ({ body: ','.repeat(commas) }));
    const send = () => transportFor(service.origin).send(request(endpoints[id]));
    expect((await send()).text).toHaveLength(commas);
    commas += 1;
    await expect(send()).rejects.toMatchObject({ kind: 'too_large', message: 'the response has too many values' });
  });

  test('of an order or a file has any number of values', async () => {
    const service = await serve(({ method }) => ({ body: ','.repeat(method === 'POST' ? 60_000 : 200_001) }));
    const { send } = transportFor(service.origin);
    expect((await send(request(endpoints.placeLimitOrder))).text).toHaveLength(60_000);
    expect((await send(request(reportFile, linkTo(service.origin)))).text).toHaveLength(200_001);
  });

  test('has the key and the secret of its moment', async () => {
    const service = await serve(() => ({ body: '[]' }));
    let credentials: { key: string; secret?: string } = { key: 'a' };
    const { send } = transportFor(service.origin, { credentials: async () => credentials });
    const steps = [
      { key: 'a' },
      { key: 'a', secret: 'b' },
      { key: 'a', secret: 'c' },
      { key: 'd', secret: 'c' },
      { key: 'd' },
    ];
    for (credentials of steps) await send(request(endpoints.listPositions));
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      ...['a', basic('a:b'), basic('a:c'), basic('d:c'), 'd'],
    ]);
  });

  test.each([
    [429, '', true, false],
    [200, '{"code":"BusinessException","context":{"type":"TooManyRequests"}}', true, false],
    [503, '{"code":"BusinessException","context":{"type":"TooManyRequests"}}', true, false],
    [403, 'error code: 1020', false, true],
    [503, 'error code: 1020', false, false],
    [200, '[]', false, false],
  ])('has a response that is classified: %i %s', async (status, body, isRateLimited, isBlocked) => {
    const service = await serve(() => ({ status, body }));
    const answer = await transportFor(service.origin).send(request(endpoints.listPositions));
    expect(answer).toMatchObject({ status, text: body, isRateLimited, isBlocked });
  });

  test('hides the secrets of this program, and the signature of a link from 16 characters on', async () => {
    const [long, short] = ['a1b2c3d4e5f6a7b8', 'z9y8x7w6v5u4t3s'];
    const body = `the-key other-secret ${long} ${short}`;
    const service = await serve(() => ({ body, headers: { 'x-echo': body } }));
    const { send } = transportFor(service.origin, { otherSecrets: ['other-secret'] });
    const query = `?s=${long}&t=${short}`;
    const file = await send(request(reportFile, linkTo(service.origin, query)));
    expect([file.text, file.headers['x-echo']]).toEqual(Array(2).fill(`(hidden) (hidden) (hidden) ${short}`));
    const read = await send(request(endpoints.listPositions));
    expect([read.text, read.headers['x-echo']]).toEqual(Array(2).fill(`(hidden) (hidden) ${long} ${short}`));
  });

  test('hides what it can where the key cannot be read any more', async () => {
    const service = await serve(() => ({ body: 'other-secret a1b2c3d4e5f6a7b8' }));
    let reads = 0;
    const credentials = async () =>
      reads++ === 0 ? { key: 'the-key' } : Promise.reject(storeUnavailable('held', 'x'));
    const { send } = transportFor(service.origin, { credentials, otherSecrets: ['other-secret'] });
    expect((await send(request(endpoints.listPositions))).text).toBe('(hidden) a1b2c3d4e5f6a7b8');
  });

  test('gives the redactor of each key away once, before its first request', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const seen: string[] = [];
    const { send } = transportFor(service.origin, {
      onRedactor: (redactor) => void seen.push(redactor.text('the-key x')),
    });
    for (let n = 0; n < 2; n++) await send(request(endpoints.listPositions));
    expect(seen).toEqual(['(hidden) x']);
  });

  test('of a file is at the address of the service where its files are there', async () => {
    const service = await serve(() => ({ body: 'a,b' }));
    const { send } = transportFor(service.origin, { reportsAtOrigin: true });
    const link = new URL('https://files.example/some/1.csv?a=1');
    expect((await send(request(reportFile, { link }))).text).toBe('a,b');
    expect(service.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/some/1.csv?a=1', undefined],
    ]);
  });
});
