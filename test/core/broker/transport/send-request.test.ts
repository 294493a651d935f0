/** One request on a dispatcher that behaves as the test says, at a clock that the test moves. */
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ExchangeLimits, sendRequest } from '../../../../src/core/broker/transport/send-request.ts';

const wire = { method: 'GET', path: '/x', headers: { authorization: 'secret' } } as const;
const limits = (change: Partial<ExchangeLimits> = {}): ExchangeLimits => ({
  ...{ maxBytes: 1_000, maxValues: 10, responseTimeoutMs: 15_000, totalMs: 20_000 },
  now: () => Date.now(),
  ...change,
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1_000 }));
afterEach(() => void vi.useRealTimers());

interface Play {
  /** After this time (ms) the connection is there. */
  readonly startsAfter?: number;
  readonly status?: number;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** After the request was sent (ms). */
  readonly respondsAfter?: number;
  /** The error after the last part of the body, in place of its end. */
  readonly fails?: Error;
}

/** The dispatcher, and why it was stopped. */
function dispatcherOf({ startsAfter = 0, status = 200, headers = {}, body = '[]', respondsAfter = 0, fails }: Play) {
  const aborted: unknown[] = [];
  const controller = { abort: (reason: unknown) => aborted.push(reason) } as unknown as Dispatcher.DispatchController;
  const later = (ms: number, work: () => void) => (ms === 0 ? work() : void setTimeout(work, ms));
  const dispatch: Dispatcher['dispatch'] = (_, handler) => {
    later(startsAfter, () => {
      handler.onRequestStart?.(controller, undefined);
      later(respondsAfter, () => {
        handler.onResponseStart?.(controller, status, headers, '');
        handler.onResponseData?.(controller, Buffer.from(body));
        if (fails) handler.onResponseError?.(controller, fails);
        else handler.onResponseEnd?.(controller, {});
      });
    });
    return true;
  };
  return { aborted, dispatcher: { dispatch } as Dispatcher };
}

/** The result or the failure of a request, and when it came (ms). */
async function send(play: Play, change: Partial<ExchangeLimits> = {}) {
  const { dispatcher } = dispatcherOf(play);
  const sent = sendRequest(dispatcher, wire, limits(change)).then(
    (answer) => ({ answer, at: Date.now() - 1_000 }),
    (failure: unknown) => ({ failure, at: Date.now() - 1_000 }),
  );
  await vi.runAllTimersAsync();
  return sent;
}

test('a response has its status, its headers by lower-case name, and when it was asked for and given', async () => {
  const headers = { 'X-RateLimit-Limit': '6', Vary: ['a', 'b'] };
  const { answer } = (await send({ startsAfter: 200, respondsAfter: 300, status: 404, headers })) as { answer: object };
  expect(answer).toEqual({
    status: 404,
    headers: { 'x-ratelimit-limit': '6', vary: 'a, b' },
    text: '[]',
    askedAt: 1_200,
    answeredAt: 1_500,
  });
});

test.each<[string, Play, number, string, boolean]>([
  ['a connection that does not come', { startsAfter: 60_000 }, 20_000, 'no connection before the timeout', false],
  ['a response that does not come', { respondsAfter: 60_000 }, 15_000, 'no complete response before the timeout', true],
  [
    'a response after a late connection',
    { startsAfter: 8_000, respondsAfter: 60_000 },
    20_000,
    'no complete response before the timeout',
    true,
  ],
])('the wait for %s ends in time, and whether the request was sent is known', async (_, play, at, message, sent) => {
  const ended = await send(play);
  expect(ended).toMatchObject({ at, failure: { kind: 'timeout', message, sent } });
});

const told = { 'x-ratelimit-remaining': '0' };
const gzip = { 'content-encoding': 'gzip' };
test.each<[string, Play, Partial<ExchangeLimits>, string]>([
  ['too many values', { body: `[${'1,'.repeat(20)}1]` }, {}, 'too_large'],
  ['too many compressed values', { headers: gzip, body: zlib.gzipSync(`[${'1,'.repeat(20)}1]`) }, {}, 'too_large'],
  ['a longer body', { body: '"123456789"' }, { maxBytes: 10 }, 'too_large'],
  ['a body that is longer once inflated', { headers: gzip, body: zlib.gzipSync('x'.repeat(2_000)) }, {}, 'too_large'],
  ['half a compressed body', { headers: gzip, body: zlib.gzipSync('[1,2,3]').subarray(0, 20) }, {}, 'broken'],
  ['an unknown encoding', { headers: { 'content-encoding': 'x' } }, {}, 'unreadable'],
  ['an early end', { fails: new Error('closed') }, {}, 'broken'],
  ['no HTTP', { fails: Object.assign(new Error('x'), { name: 'HTTPParserError' }) }, {}, 'unreadable'],
])('a failure after the headers keeps them, and says that the request was sent: %s', async (_, play, change, kind) => {
  const ended = await send({ ...play, headers: { ...told, ...play.headers } }, change);
  expect(ended).toMatchObject({ failure: { kind, sent: true, headers: { ...told, ...play.headers } } });
});

test.each<[string, Play, Partial<ExchangeLimits>]>([
  ['of as many bytes as are allowed', { body: '"12345678"' }, { maxBytes: 10 }],
  ['of an order, whose values are not counted', { body: '['.repeat(400) + ']'.repeat(400) }, { maxValues: undefined }],
  ['of an order, however deep', { body: '['.repeat(600) + ']'.repeat(600) }, { maxValues: undefined, maxBytes: 2_000 }],
  ['of an error, whose values are not counted', { status: 400, body: `[${'1,'.repeat(20)}1]` }, {}],
])('a response is read: one %s', async (_, play, change) => {
  expect(await send(play, change)).toMatchObject({ answer: { text: play.body } });
});

test('a failure before the connection says that nothing was sent', async () => {
  const dispatch: Dispatcher['dispatch'] = (_, handler) => {
    handler.onResponseError?.(
      {} as Dispatcher.DispatchController,
      Object.assign(new Error('x'), { code: 'ENOTFOUND' }),
    );
    return true;
  };
  await expect(sendRequest({ dispatch } as Dispatcher, wire, limits())).rejects.toMatchObject({
    ...{ kind: 'connect', sent: false, networkCode: 'ENOTFOUND' },
  });
});

/** A dispatcher whose events the test makes, and the request on it. */
function start(change: Partial<ExchangeLimits> = {}) {
  const aborted: unknown[] = [];
  let handler: Dispatcher.DispatchHandler | undefined;
  const dispatch: Dispatcher['dispatch'] = (_, given) => {
    handler = given;
    return true;
  };
  const ended = sendRequest({ dispatch } as Dispatcher, wire, limits(change)).then(
    (answer) => answer as unknown,
    (failure: unknown) => failure,
  );
  const controllerOf = (name: string) =>
    ({ abort: () => void aborted.push(name) }) as unknown as Dispatcher.DispatchController;
  return { ended, aborted, controllerOf, handler: () => handler };
}

test('a request of a caller that has gone away is never started', async () => {
  const { ended, handler } = start({ signal: AbortSignal.abort() });
  expect(await ended).toMatchObject({ kind: 'cancelled', sent: false });
  expect(handler()).toBeUndefined();
});

test('a request whose caller goes away before the connection is there is not sent', async () => {
  const stop = new AbortController();
  const { ended, aborted, controllerOf, handler } = start({ signal: stop.signal });
  stop.abort();
  expect(await ended).toMatchObject({ kind: 'cancelled', sent: false });
  handler()?.onRequestStart?.(controllerOf('first'), undefined);
  expect(aborted).toEqual(['first']);
});

test('a request whose caller goes away later may have arrived', async () => {
  const stop = new AbortController();
  const { ended, aborted, controllerOf, handler } = start({ signal: stop.signal });
  handler()?.onRequestStart?.(controllerOf('first'), undefined);
  stop.abort();
  expect(await ended).toMatchObject({ kind: 'cancelled', sent: true });
  expect(aborted).toEqual(['first']);
});

test('a request is not sent again by the dispatcher, and the first attempt goes on', async () => {
  const { ended, aborted, controllerOf, handler } = start();
  const first = controllerOf('first');
  handler()?.onRequestStart?.(first, undefined);
  handler()?.onRequestStart?.(controllerOf('second'), undefined);
  expect(aborted).toEqual(['second']);
  handler()?.onResponseStart?.(first, 200, {}, '');
  handler()?.onResponseEnd?.(first, {});
  expect(await ended).toMatchObject({ status: 200, text: '' });
});

test.each([100, 102, 103, 199])('a response of status %i announces another one', async (status) => {
  const { ended, controllerOf, handler } = start();
  const first = controllerOf('first');
  handler()?.onRequestStart?.(first, undefined);
  handler()?.onResponseStart?.(first, status, { 'content-length': '9999', early: 'yes' }, '');
  vi.advanceTimersByTime(50);
  handler()?.onResponseStart?.(first, 200, { late: 'yes' }, '');
  handler()?.onResponseEnd?.(first, {});
  expect(await ended).toMatchObject({ status: 200, headers: { late: 'yes' }, answeredAt: 1_050 });
});

test.each([
  ['1000', undefined],
  ['1001', { kind: 'too_large', sent: true, message: 'the response is larger than 1000 bytes' }],
  ['many', undefined],
])('a body that is announced with %s bytes is not waited for when that is too much', async (length, failure) => {
  const { ended, aborted, controllerOf, handler } = start();
  const first = controllerOf('first');
  handler()?.onRequestStart?.(first, undefined);
  handler()?.onResponseStart?.(first, 200, { 'content-length': length }, '');
  expect(aborted).toEqual(failure ? ['first'] : []);
  // What still arrives changes nothing.
  handler()?.onResponseData?.(first, Buffer.from('[7]'));
  handler()?.onResponseEnd?.(first, {});
  expect(await ended).toMatchObject(failure ?? { text: '[7]' });
});

test.each([
  ['HTTPParserError', undefined, 'unreadable'],
  ['Error', 'UND_ERR_HEADERS_OVERFLOW', 'unreadable'],
  ['Error', 'ECONNRESET', 'broken'],
  ['Error', undefined, 'broken'],
])('an error after the request was sent is one of reading or of the network: %s %s', async (name, code, kind) => {
  const { ended, controllerOf, handler } = start();
  handler()?.onRequestStart?.(controllerOf('first'), undefined);
  handler()?.onResponseError?.(controllerOf('first'), Object.assign(new Error('x'), { name, code }));
  expect(await ended).toMatchObject({ kind, sent: true, networkCode: code });
});

test.each<[Play, Partial<ExchangeLimits>, string]>([
  [{ body: `[${'1,'.repeat(20)}1]` }, {}, 'the response has too many values'],
  [{ body: '['.repeat(513) }, { maxValues: 2_000 }, 'the response has too many values'],
  [
    { headers: gzip, body: zlib.gzipSync('x'.repeat(2_000)) },
    {},
    'the response is larger than 1000 bytes, or far larger than its compressed form',
  ],
  [{ headers: gzip, body: zlib.gzipSync('[1,2,3]').subarray(0, 20) }, {}, 'the response was truncated'],
  [{ headers: gzip, body: 'text' }, {}, 'the response could not be decompressed'],
  [{ headers: { 'content-encoding': 'x' } }, {}, 'the response could not be decompressed'],
])('a response that cannot be used says why: %#', async (play, change, message) => {
  expect(await send(play, change)).toMatchObject({ failure: { message, sent: true } });
});

test.each([
  [200, false],
  [299, false],
  [300, true],
])('the values of a response of status %i are free: %s', async (status, isFree) => {
  const ended = await send({ status, body: '['.repeat(512) }, { maxValues: 100 });
  expect('answer' in ended).toBe(isFree);
});

test('a body may be nested 512 deep', async () => {
  expect(await send({ body: '['.repeat(512) }, { maxValues: 1_000 })).toHaveProperty('answer');
});

test('what is no UTF-8 is replaced, and a mark of the order of bytes is left out', async () => {
  const body = Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0xff, 0x5d]);
  expect(await send({ body })).toMatchObject({ answer: { text: '[\ufffd]' } });
});
