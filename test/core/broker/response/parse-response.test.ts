import { describe, expect, test } from 'vitest';
import {
  parseResponse,
  rateLimitError,
  readData,
  secondsUntilReset,
  toBrokerageError,
} from '../../../../src/core/broker/response/parse-response.ts';
import { type FailureKind, TransportFailure } from '../../../../src/core/broker/transport/failure.ts';
import type { HttpResponse, PreparedRequest } from '../../../../src/core/broker/types.ts';
import { type Endpoint, endpoints, reportFile } from '../../../../src/core/endpoints/index.ts';

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
const factsOf = (change: Partial<HttpResponse>, endpoint?: Endpoint) =>
  (errorOf(change, endpoint) as { facts: object }).facts;

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

describe('a write', () => {
  // What leaves open whether it was carried out must not be repeated without a look.
  test.each([301, 307, 408, 500, 502, 503, 504, 520])('that gets status %i may have been carried out', (status) => {
    expect(factsOf({ status, text: '' }, endpoints.createPie)).toStrictEqual({ status, mayHaveHappened: true });
    expect(factsOf({ status, text: '' }, endpoints.cancelOrder)).toStrictEqual({ status, mayHaveHappened: true });
    expect(factsOf({ status, text: '' }, endpoints.listPositions)).toStrictEqual({ status });
  });

  test.each([400, 401, 403, 404, 405, 411, 413, 415, 422])('that gets status %i was refused', (status) => {
    expect(factsOf({ status, text: '' }, endpoints.createPie)).toStrictEqual({ status });
  });

  test.each([400, 403])(
    'that a proxy blocks with status %i was refused, and can be sent again in 10 minutes',
    (status) => {
      const answer = { status, text: 'error code: 1020', isBlocked: true };
      expect(errorOf(answer, endpoints.createPie)).toMatchObject({
        code: 'blocked',
        // The proxy's words are not the broker's.
        message: expect.stringMatching(/the key is not the cause\.$/),
        next: 'Send nothing for 10 minutes, then try again.',
      });
      expect(factsOf(answer, endpoints.createPie)).toStrictEqual({ status, retryAfterSeconds: 600 });
    },
  );

  test.each(['', 'no JSON', '7'])('whose response cannot be read may have been carried out: %j', (text) => {
    expect(errorOf({ text }, endpoints.createPie)).toMatchObject({
      code: 'unexpected_answer',
      message: "The broker's response for /equity/pies has a format that this program does not support.",
      next: 'Try again once; if the error persists, the service has changed and brokerage-mcp needs an update.',
    });
    expect(factsOf({ text }, endpoints.createPie)).toStrictEqual({ mayHaveHappened: true });
    expect(factsOf({ text }, endpoints.listPositions)).toStrictEqual({});
  });
});

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
])('status %i is a success: %s', (status, isSuccess) => {
  if (isSuccess) expect(parse({ status }).data).toEqual([]);
  else expect(factsOf({ status })).toStrictEqual({ status });
});

test('the file behind a link is taken as it is, JSON or not', () => {
  for (const text of ['Time,Total\n1,2', '', '{"a":1}'])
    expect(readData({ endpoint: reportFile, link: new URL('https://files.example/1.csv') }, text)).toBe(text);
});

test('a response that is nested too deeply has a format that is not supported', () => {
  const text = `[{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`;
  expect(errorOf({ text })).toMatchObject({ code: 'unexpected_answer', message: expect.stringContaining('a format') });
});

test('a page without rows is an error that says what is not known', () => {
  expect(errorOf({ text: '{}' }, endpoints.listTransactions)).toMatchObject({
    code: 'unexpected_answer',
    message: `The broker's page of ${endpoints.listTransactions.path} has no list of rows, so nothing is known of that part of the list.`,
    next: 'Try again in a minute.',
    facts: {},
  });
  // A list without pages has no such rows.
  expect(errorOf({ text: '{}' }, endpoints.listPositions)).toMatchObject({
    message: expect.stringContaining('has a format'),
  });
});

describe('a request without a complete response', () => {
  const look = 'Check whether it happened before you repeat it.';
  const carriedOut = ' The request may still have been carried out.';

  test.each<[string, FailureKind, object]>([
    ['a read', 'timeout', { code: 'timeout', message: 'The broker did not respond in time.', facts: {} }],
    ['a write', 'timeout', { code: 'timeout', next: 'Try again in a minute.', facts: {} }],
    [
      'a write that was sent',
      'timeout',
      {
        code: 'timeout',
        message: `The broker did not respond in time.${carriedOut}`,
        next: look,
        facts: { mayHaveHappened: true },
      },
    ],
    ['a read', 'too_large', { code: 'unexpected_answer', next: 'Try again once.', facts: {} }],
    [
      'a read',
      'unreadable',
      { code: 'unexpected_answer', message: "The broker's response could not be read: the reason.", facts: {} },
    ],
    [
      'a write that was sent',
      'too_large',
      {
        code: 'unexpected_answer',
        message: `The broker's response could not be read: the reason.${carriedOut}`,
        next: look,
        facts: { mayHaveHappened: true },
      },
    ],
    [
      'a write that was sent',
      'unreadable',
      { code: 'unexpected_answer', next: look, facts: { mayHaveHappened: true } },
    ],
    [
      'a read',
      'broken',
      {
        code: 'unreachable',
        message: 'The broker could not be reached: the reason.',
        next: 'Check the network and the base URL, then try again.',
        facts: {},
        cause: { network: 'ECODE' },
      },
    ],
    ['a write', 'connect', { code: 'unreachable', message: 'The broker could not be reached: the reason.', facts: {} }],
    [
      'a write that was sent',
      'broken',
      {
        code: 'unreachable',
        message: `The broker could not be reached: the reason.${carriedOut}`,
        next: look,
        facts: { mayHaveHappened: true },
        cause: { network: 'ECODE' },
      },
    ],
    ['a write that was sent', 'cancelled', { code: 'cancelled', facts: {} }],
  ])('is an error that says whether it may have been carried out: %s, %s', (what, kind, expected) => {
    const endpoint: Endpoint = what === 'a read' ? endpoints.listPositions : endpoints.createPie;
    const failure = new TransportFailure(kind, what !== 'a write', { code: 'ECODE', message: 'the reason' });
    const error = toBrokerageError({ endpoint } as PreparedRequest, failure);
    expect(error).toMatchObject(expected);
    expect(error.facts).toStrictEqual((expected as { facts: object }).facts);
  });
});
