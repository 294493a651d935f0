/** Sessions: who has one, how many there are, and how they end. */
import { expect, test } from 'vitest';
import { createManualClock } from '../../../src/clock.ts';
import { type OverHttp, rawRequest, sendRaw, serveOverHttp, token } from '../../support/http.ts';
import { createLatch } from './latch.ts';

const minute = 60_000;

interface Sent {
  readonly status: number;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client of 2025-06-18 by hand. */
function handClient({ port }: OverHttp) {
  const send = async (method: string, message: object | undefined, id = ''): Promise<Sent> => {
    const headers = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...(message ? { 'content-type': 'application/json' } : {}),
      ...(id ? { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' } : {}),
    };
    const answer = await sendRaw(port, rawRequest(`${method} /mcp`, headers, message ? JSON.stringify(message) : ''));
    return { ...answer, id: answer.headers['mcp-session-id'] ?? '' };
  };
  return {
    begin: () => {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '1' } };
      return send('POST', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    },
    call: (id: string, name = 'get_server_status') =>
      send('POST', { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } }, id),
    listen: (id: string) => send('GET', undefined, id),
    end: (id: string) => send('DELETE', undefined, id),
  };
}

test('a session has an id that nobody can guess, is ended by DELETE, and is then unknown', async () => {
  const over = await serveOverHttp();
  const client = handClient(over);
  const [a, b] = [await client.begin(), await client.begin()];
  expect([a.status, b.status, over.server.sessions()]).toEqual([200, 200, 2]);
  expect(a.id).toMatch(/^[\w-]{43}$/);
  expect(a.id).not.toBe(b.id);
  expect((await client.call(a.id)).status).toBe(200);
  expect((await client.end(a.id)).status).toBe(200);
  expect((await client.call(a.id)).status).toBe(404);
  expect((await client.end(a.id)).status).toBe(404);
  expect([(await client.call(b.id)).status, over.server.sessions()]).toEqual([200, 1]);
  expect((await client.call('')).status).toBe(400);
});

test('when there is no room, the session that was idle for longest ends', async () => {
  const clock = createManualClock({ startAt: 0 });
  const over = await serveOverHttp({ clock, limits: { sessions: 2 } });
  const client = handClient(over);
  const a = await client.begin();
  await clock.advance(minute);
  const b = await client.begin();
  await clock.advance(minute);
  await client.call(a.id);
  const c = await client.begin();
  expect([c.status, over.server.sessions()]).toEqual([200, 2]);
  const statuses = [await client.call(a.id), await client.call(b.id), await client.call(c.id)].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([200, 404, 200]);
});

test('when every session is busy, a new one is refused for a while, and those go on', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ limits: { sessions: 2 }, parts: { run: latch.run } });
  const client = handClient(over);
  const [a, b] = [await client.begin(), await client.begin()];
  const calls = [client.call(a.id), client.call(b.id)];
  await latch.entered(2);
  const refused = await client.begin();
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
  latch.open();
  expect((await Promise.all(calls)).map(({ status, body }) => [status, body.includes('"result"')])).toEqual([
    [200, true],
    [200, true],
  ]);
  expect((await client.begin()).status).toBe(200);
});

test('of many that begin at once no more than there is room for are kept', async () => {
  const over = await serveOverHttp({ limits: { sessions: 3 } });
  const client = handClient(over);
  const begun = await Promise.all(Array.from({ length: 12 }, () => client.begin()));
  expect(over.server.sessions()).toBeLessThanOrEqual(3);
  expect(begun.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
  // None was taken in and then ended before it was answered.
  expect(begun.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
});

test('a session that nobody uses ends after half an hour, and one that is used does not', async () => {
  const clock = createManualClock({ startAt: 0 });
  const over = await serveOverHttp({ clock });
  const client = handClient(over);
  const [a, b] = [await client.begin(), await client.begin()];
  for (let passed = 0; passed < 29; passed++) await clock.advance(minute);
  expect((await client.call(a.id)).status).toBe(200);
  for (let passed = 0; passed < 2; passed++) await clock.advance(minute);
  expect([(await client.call(a.id)).status, (await client.call(b.id)).status]).toEqual([200, 404]);
});

test('a session whose client holds a stream open does not end by itself, and ends when the stream is gone', async () => {
  const clock = createManualClock({ startAt: 0 });
  const over = await serveOverHttp({ clock });
  const client = handClient(over);
  const { id } = await client.begin();
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': id };
  const stream = await fetch(over.url, { headers, signal: controller.signal });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  for (let passed = 0; passed < 40; passed++) await clock.advance(minute);
  expect(over.server.sessions()).toBe(1);
  controller.abort();
  await expect
    .poll(async () => {
      await clock.advance(31 * minute);
      return over.server.sessions();
    })
    .toBe(0);
});
