/** Sessions: who has one, how many there are, and how they end. */
// @module-tag server
import { expect, test } from 'vitest';
import { type OverHttp, rawRequest, sendRaw, serveOverHttp, token } from '../../support/http.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createLatch } from './latch.ts';

const minute = 60_000;

interface Sent {
  readonly status: number;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const callOf = (id: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_server_status', arguments: {} },
});

/** The ids of the responses. */
const answeredIds = ({ body }: Sent) => [...body.matchAll(/"id":("?\w+"?)/g)].map(([, id]) => JSON.parse(id as string));

/** A client of 2025-06-18 by hand. */
function handClient({ port }: OverHttp) {
  const send = async (method: string, message: object | undefined, id = '', revision = '2025-06-18'): Promise<Sent> => {
    const headers = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...(message ? { 'content-type': 'application/json' } : {}),
      ...(id ? { 'mcp-session-id': id, 'mcp-protocol-version': revision } : {}),
    };
    const answer = await sendRaw(port, rawRequest(`${method} /mcp`, headers, message ? JSON.stringify(message) : ''));
    return { ...answer, id: answer.headers['mcp-session-id'] ?? '' };
  };
  return {
    begin: () => {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '1' } };
      return send('POST', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    },
    call: (id: string, callId: number | string = 2) => send('POST', callOf(callId), id),
    callAll: (id: string, callIds: readonly (number | string)[]) => send('POST', callIds.map(callOf), id, '2025-03-26'),
    cancel: (id: string, callId: number | string) =>
      send('POST', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: callId } }, id),
    listen: (id: string) => send('GET', undefined, id),
    end: (id: string) => send('DELETE', undefined, id),
  };
}

test('a session has an id that cannot be guessed, is ended by DELETE, and is then unknown', async () => {
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

test('when there is no room, the session that was idle longest ends', async () => {
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

test('when every session is busy, a new one is refused for a while, and the others continue', async () => {
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

test('a cancelled call ends its stream without a response, and leaves its session idle', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ limits: { sessions: 3, calls: 3 }, parts: { run: latch.run } });
  const client = handClient(over);
  const begun = [await client.begin(), await client.begin(), await client.begin()];
  const calls = begun.map(({ id }) => client.call(id));
  await latch.entered(3);
  expect((await client.begin()).status).toBe(503);
  for (const { id } of begun) expect((await client.cancel(id, 2)).status).toBe(202);
  expect((await Promise.all(calls)).map((call) => [call.status, answeredIds(call)])).toEqual(
    begun.map(() => [200, []]),
  );
  expect(latch.signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  expect([(await client.begin()).status, over.server.sessions()]).toEqual([200, 3]);
});

test('of several calls in one body, only the cancelled one has no response', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run } });
  const client = handClient(over);
  const { id } = await client.begin();
  const calls = client.callAll(id, ['a', 'b', 'c']);
  await latch.entered(3);
  await client.cancel(id, 'b');
  latch.open();
  expect(answeredIds(await calls)).toEqual(['a', 'c']);
  // The last of them may be the cancelled one, and its id may be used again.
  const late = client.callAll(id, ['b', 'd']);
  expect(answeredIds(await late)).toEqual(['b', 'd']);
});

test('cancelling a finished or unknown call changes nothing', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run } });
  const client = handClient(over);
  const { id } = await client.begin();
  const call = client.call(id);
  await latch.entered(1);
  expect([(await client.cancel(id, '2')).status, (await client.cancel(id, 3)).status]).toEqual([202, 202]);
  latch.open();
  expect(answeredIds(await call)).toEqual([2]);
  await client.cancel(id, 2);
  expect(answeredIds(await client.call(id))).toEqual([2]);
});

test('a cancellation that overtakes its call cancels it', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run } });
  const client = handClient(over);
  const { id } = await client.begin();
  expect((await client.cancel(id, 9)).status).toBe(202);
  const call = await client.call(id, 9);
  expect([call.status, answeredIds(call)]).toEqual([200, []]);
  expect(latch.signals.map(({ aborted }) => aborted)).toEqual([true]);
  latch.open();
  expect(answeredIds(await client.call(id, 10))).toEqual([10]);
});

test('a call with the id of a running one is refused, and the running one completes', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ parts: { run: latch.run } });
  const client = handClient(over);
  const { id } = await client.begin();
  const call = client.call(id);
  await latch.entered(1);
  const second = await client.call(id);
  expect([second.status, JSON.parse(second.body).error.code]).toEqual([400, -32_600]);
  latch.open();
  expect(answeredIds(await call)).toEqual([2]);
});

test('a session with a running call is not evicted when the connection of the call is lost', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ limits: { sessions: 1 }, parts: { run: latch.run } });
  const client = handClient(over);
  const { id } = await client.begin();
  const gone = new AbortController();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': id,
  };
  const body = JSON.stringify(callOf(7));
  await fetch(over.url, { method: 'POST', headers, body, signal: gone.signal });
  await latch.entered(1);
  gone.abort();
  await expect.poll(() => over.server.connections().trusted).toBe(0);
  expect((await client.begin()).status).toBe(503);
  expect(latch.signals[0]?.aborted).toBe(false);
  latch.open();
  await expect.poll(async () => (await client.begin()).status).toBe(200);
});

test('more calls than may run at once are refused for a while', async () => {
  const latch = createLatch();
  const over = await serveOverHttp({ limits: { calls: 2 }, parts: { run: latch.run } });
  const client = handClient(over);
  const { id } = await client.begin();
  const calls = [client.call(id, 1), client.call(id, 2)];
  await latch.entered(2);
  const refused = await client.call(id, 3);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
  latch.open();
  expect((await Promise.all(calls)).flatMap(answeredIds)).toEqual([1, 2]);
  expect(answeredIds(await client.call(id, 3))).toEqual([3]);
});

test('of many sessions that begin at once only the allowed number is kept', async () => {
  const over = await serveOverHttp({ limits: { sessions: 3 } });
  const client = handClient(over);
  const begun = await Promise.all(Array.from({ length: 12 }, () => client.begin()));
  expect(over.server.sessions()).toBeLessThanOrEqual(3);
  expect(begun.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
  // None was accepted and then ended before its response.
  expect(begun.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
});

test('an unused session ends after half an hour, and one in use does not', async () => {
  const clock = createManualClock({ startAt: 0 });
  const over = await serveOverHttp({ clock });
  const client = handClient(over);
  const [a, b] = [await client.begin(), await client.begin()];
  for (let passed = 0; passed < 29; passed++) await clock.advance(minute);
  expect((await client.call(a.id)).status).toBe(200);
  for (let passed = 0; passed < 2; passed++) await clock.advance(minute);
  expect([(await client.call(a.id)).status, (await client.call(b.id)).status]).toEqual([200, 404]);
});

test('a session with an open stream does not expire, and ends when the stream is gone', async () => {
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
