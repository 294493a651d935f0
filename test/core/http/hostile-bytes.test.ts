/** Slow, endless and broken requests: each ends in time, and the server continues. */
// @module-tag server
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OverHttp, rawRequest, sendRaw, serveOverHttp, token } from '../../support/http.ts';

let over: OverHttp;
/** From a client after its handshake. */
let live = '';
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const limits = { headersMs: 300, requestMs: 600, idleConnectionMs: 300, untrustedConnections: 20, bodyBytes: 10_000 };
  over = await serveOverHttp({ limits, atEnd: (work) => ends.push(work) });
});
afterAll(async () => {
  for (const end of ends) await end();
});

const headers = () => ({
  host: `127.0.0.1:${over.port}`,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});
const health = () => sendRaw(over.port, rawRequest('GET /health', headers()));

test('headers that never end are cut off with 408', async () => {
  const answer = await sendRaw(over.port, 'POST /mcp HTTP/1.1\r\nhost: x\r\n', 50, 'a: b\r\n', 50, 'c: d\r\n');
  expect(answer.status).toBe(408);
});

test('a body that never ends is cut off with 408', async () => {
  const answer = await sendRaw(
    over.port,
    rawRequest('POST /mcp', { ...headers(), 'content-length': '9000' }, '{"a":'),
    50,
    '1',
  );
  expect(answer.status).toBe(408);
});

test('a body that grows forever is cut off with 413', async () => {
  const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
  const head = rawRequest('POST /mcp', { ...headers(), 'transfer-encoding': 'chunked' });
  expect((await sendRaw(over.port, head, ...Array.from({ length: 40 }, () => chunk))).status).toBe(413);
});

test('a client that is still writing gets the reason of its refusal, and is not only cut off', async () => {
  // A busy machine needs more time for its body than the other server allows for a request.
  const { url } = await serveOverHttp({ limits: { bodyBytes: 10_000 } });
  const { host: _, ...sent } = headers();
  const body = 'x'.repeat(6 * 1024 * 1024);
  expect((await fetch(url, { method: 'POST', headers: sent, body })).status).toBe(413);
  expect((await fetch(url, { method: 'POST', headers: { ...sent, authorization: 'Bearer x' }, body })).status).toBe(
    401,
  );
});

test.each([
  ['nobody is asked for', 401, () => ({ authorization: undefined })],
  ['is too large', 413, () => ({})],
])('a body that %s is not read for longer than a request may take', async (_, expected, change) => {
  const head = { ...headers(), ...change(), connection: 'keep-alive', 'transfer-encoding': 'chunked' };
  const drop = `400\r\n${'x'.repeat(1024)}\r\n`;
  // Reading all of them would outlast the test.
  const drops = Array.from({ length: 5_000 }, () => [drop, 50]).flat();
  // It is too large immediately and keeps coming, so its size exceeds the limit before its time does.
  const { status } = await sendRaw(over.port, rawRequest('POST /mcp', head) + drop.repeat(12), ...drops);
  expect(status).toBe(expected);
});

test('headers of unlimited length are refused with 431', async () => {
  const answer = await sendRaw(over.port, rawRequest('GET /health', { ...headers(), a: 'x'.repeat(40_000) }));
  expect(answer.status).toBe(431);
});

test('a connection without a request is closed', async () => {
  const answer = await sendRaw(over.port, rawRequest('GET /health', { ...headers(), connection: 'keep-alive' }));
  expect(answer.status).toBe(200);
});

test('a new connection without the token takes the place of the oldest, and is served', async () => {
  // The other server closes connections that are silent for 300 ms, whatever arrives.
  const { port, server } = await serveOverHttp({ limits: { untrustedConnections: 20, untrustedMs: 600_000 } });
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(20);
  expect(server.connections()).toEqual({ trusted: 0, untrusted: 20 });
  const request = rawRequest('GET /health', { ...headers(), host: `127.0.0.1:${port}` });
  expect((await sendRaw(port, request)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(server.connections).toEqual({ trusted: 0, untrusted: 0 });
});

const word = fc.string({ maxLength: 20 });
const bytes = fc.oneof(
  // Not even HTTP.
  fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
  // HTTP with anything in its head.
  fc.tuple(word, word, fc.dictionary(word, word, { maxKeys: 4 })).map(([method, path, more]) => {
    const lines = Object.entries(more).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }),
  // A good head, and any JSON below it, said to belong to any revision, method and session.
  fc
    .record({
      json: fc.oneof(
        fc.jsonValue(),
        fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: word, params: fc.jsonValue() }),
      ),
      revision: fc.constantFrom('2026-07-28', '2025-11-25', '1900-01-01', ''),
      method: fc.constantFrom('tools/call', 'initialize', 'server/discover', 'x'),
      session: fc.constantFrom('', 'a'.repeat(43), 'live', 'live'),
      verb: fc.constantFrom('POST', 'POST', 'GET', 'DELETE'),
    })
    .map(({ json, revision, method, session, verb }) =>
      Buffer.from(
        rawRequest(
          `${verb} /mcp`,
          {
            ...headers(),
            'mcp-protocol-version': revision,
            'mcp-method': method,
            ...(session ? { 'mcp-session-id': session === 'live' && verb === 'POST' ? live : session } : {}),
          },
          JSON.stringify(json),
        ),
      ),
    ),
);

test('two hundred requests of any bytes get a response one by one, and the server continues', {
  tags: ['slow'],
}, async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  live = (await sendRaw(over.port, rawRequest('POST /mcp', headers(), hello))).headers['mcp-session-id'] ?? '';
  expect(live).not.toBe('');
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 8, maxLength: 8 }), async (many) => {
      const answers = await Promise.all(
        // The sent bytes may end in the middle of it.
        many.map((piece) => sendRaw(over.port, Buffer.concat([piece, Buffer.from('\r\n\r\n')]), -1)),
      );
      for (const { status, body } of answers) {
        statuses.add(status);
        expect(body).not.toMatch(/node_modules|at .*:\d+:\d+|\.ts\b/);
      }
      expect((await health()).status).toBe(200);
    }),
    { numRuns: 25 },
  );
  // None of it broke anything here.
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.size).toBeGreaterThan(2);
  expect(over.server.sessions()).toBe(1);
});
