/** One request on a dispatcher that behaves as the test says, at a clock that the test moves. */
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ExchangeLimits, sendRequest } from '../../../src/broker/transport/send-request.ts';

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

test.each<[string, Play, number, string]>([
  ['a connection that does not come', { startsAfter: 60_000 }, 20_000, 'no connection'],
  ['a response that does not come', { respondsAfter: 60_000 }, 15_000, 'no complete response'],
  ['a response after a late connection', { startsAfter: 8_000, respondsAfter: 60_000 }, 20_000, 'no complete response'],
])('the wait for %s ends in time', async (_, play, at, words) => {
  const ended = await send(play);
  expect(ended).toMatchObject({ at, failure: { kind: 'timeout', message: expect.stringContaining(words) } });
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
