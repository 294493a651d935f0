import { expect, test } from 'vitest';
import type { HttpResponse, PreparedRequest } from '../../../src/broker/pipeline-types.ts';
import { parseResponse, rateLimitError, secondsUntilReset } from '../../../src/broker/response/parse-response.ts';
import { type Endpoint, endpoints } from '../../../src/catalogue/index.ts';

const answeredAt = Date.UTC(2026, 0, 15, 15);
const response = (change: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  headers: {},
  text: '[]',
  isRateLimited: false,
  isBlocked: false,
  askedAt: answeredAt - 400,
  answeredAt,
  ...change,
});
const parse = (change: Partial<HttpResponse>, endpoint: Endpoint = endpoints.listPositions) =>
  parseResponse({ endpoint } as PreparedRequest, response(change));
function errorOf(change: Partial<HttpResponse>, endpoint?: Endpoint) {
  try {
    parse(change, endpoint);
  } catch (error) {
    return error;
  }
  throw new Error('The response was accepted.');
}

test.each([
  [{}, undefined],
  [{ date: 'today' }, undefined],
  [{ date: 'Thu, 15 Jan 2026 15:00:07 GMT' }, 7_000],
  [{ date: 'Thu, 15 Jan 2026 14:59:58 GMT' }, -2_000],
])('a response with the headers %j has its times, and the clock of the service is ahead by %s ms', (headers, ms) => {
  expect(parse({ headers })).toStrictEqual({
    data: [],
    text: '[]',
    askedAt: answeredAt - 400,
    answeredAt,
    shared: false,
    serviceOffsetMs: ms,
  });
});

test.each<[string, Record<string, string>, number]>([
  ['the known period', {}, 5],
  ['the period of the headers', { 'x-ratelimit-period': '20' }, 20],
  ['the reset', { 'x-ratelimit-period': '20', 'retry-after': '7' }, 7],
  ['the reset, one period at most', { 'x-ratelimit-period': '20', 'retry-after': '70' }, 20],
  ['the reset, one known period at most', { 'retry-after': '70' }, 5],
  ['the period, where the reset has passed', { 'x-ratelimit-period': '20', 'retry-after': '0' }, 20],
  ['a second at least', { 'retry-after': '0.2' }, 1],
  ['the reset, rounded up', { 'retry-after': '2.1' }, 3],
])('a rate limit resets after %s', (_, headers, seconds) => {
  expect(secondsUntilReset(response({ headers }), 5_000)).toBe(seconds);
  expect(rateLimitError(response({ status: 429, headers }), 5_000)).toMatchObject({
    code: 'rate_limited',
    next: `Call again in ${seconds} s.`,
    facts: { retryAfterSeconds: seconds, status: 429 },
  });
});

test.each<[string, number, string, string, object]>([
  [
    'the detail goes before the code',
    400,
    '{"type":"/api-errors/too-far","detail":"You need 12.50 more."}',
    ' (You need 12.50 more).',
    { status: 400, brokerCode: 'too-far' },
  ],
  ['the code alone', 400, '{"code":"TooFar"}', ' (TooFar).', { status: 400, brokerCode: 'TooFar' }],
  ['the detail alone', 404, 'It is gone', ' (It is gone).', { status: 404 }],
  ['nothing', 403, '', 'support it.', { status: 403 }],
  // A redirect is of another server.
  ['nothing of what another server says', 302, 'Moved', 'follows redirects.', { status: 302 }],
])('a refusal says what the broker said: %s', (_, status, text, tail, facts) => {
  const error = errorOf({ status, text });
  expect(error).toMatchObject({ message: expect.stringMatching(new RegExp(`${tail.replace(/[().]/g, '\\$&')}$`)) });
  expect((error as { facts: object }).facts).toStrictEqual(facts);
});

test.each([
  ['{}', 'has no list of rows'],
  ['{"items":null,"data":null}', 'has no list of rows'],
  ['{"items":[7]}', 'has a format'],
  ['{"data":[7]}', 'has a format'],
  ['{"items":[7],"data":null}', 'has a format'],
  ['7', 'has a format'],
  ['null', 'has a format'],
])('the page %s of a history %s', (text, words) => {
  expect(errorOf({ text }, endpoints.listTransactions)).toMatchObject({
    code: 'unexpected_answer',
    message: expect.stringContaining(words),
  });
});
