import { describe, expect, test } from 'vitest';
import { retry } from '../../../../src/core/broker/interceptors/retry.ts';
import { type FailureKind, TransportFailure } from '../../../../src/core/broker/transport/failure.ts';
import type { HttpResponse, PreparedRequest } from '../../../../src/core/broker/types.ts';
import { type Endpoint, endpoints } from '../../../../src/core/endpoints/index.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { errorOf } from '../../../support/error-of.ts';
import { brokerFor, serve, startAt } from '../support.ts';

describe('a read that fails', () => {
  test.each([500, 502, 503, 504])('with %i is sent again after a pause', async (status) => {
    const service = await serve((_, n) => (n < 2 ? { status } : { body: '[]' }));
    const broker = brokerFor(service.origin);
    const { data } = await broker.call(endpoints.listPositions, {}, broker.context());
    expect(data).toEqual([]);
    expect(service.seen).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 418, 501])('with %i is not sent again', async (status) => {
    const service = await serve(() => ({ status }));
    const broker = brokerFor(service.origin);
    expect((await errorOf(broker.call(endpoints.listPositions, {}, broker.context()))).facts.status).toBe(status);
    expect(service.seen).toHaveLength(1);
  });

  test('is sent three times at most', async () => {
    const service = await serve(() => ({ status: 503, body: '{"code":"Down","clarification":"Back soon"}' }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.listPositions, {}, broker.context()));
    expect(error).toMatchObject({ code: 'upstream_error', facts: { status: 503, brokerCode: 'Down' } });
    expect(service.seen).toHaveLength(3);
  });

  test('uses a slot for every attempt', async () => {
    const service = await serve((_, n) => (n < 2 ? { status: 503 } : { body: '[]' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listPendingOrders, {}, broker.context());
    // One per 5 s: two more attempts wait two more periods.
    expect(broker.clock.now() - startAt).toBeGreaterThanOrEqual(2 * 5_050);
  });

  test('reports the failure when the limit leaves no room for another attempt', async () => {
    const service = await serve(() => ({ status: 503 }));
    const broker = brokerFor(service.origin);
    const context = broker.context({ deadlineAt: startAt + 3_000 });
    expect((await errorOf(broker.call(endpoints.listPendingOrders, {}, context))).code).toBe('upstream_error');
    expect(service.seen).toHaveLength(1);
  });

  test.each([
    [429, ''],
    [200, '{"code":"BusinessException","context":{"type":"TooManyRequests"}}'],
    [400, '{"code":"BusinessException","context":{"type":"TooManyRequests"}}'],
  ])('for the rate (%i %s) is sent again after a period', async (status, body) => {
    const service = await serve((_, n) => (n === 0 ? { status, body } : { body: '[]' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listPendingOrders, {}, broker.context());
    expect(service.seen).toHaveLength(2);
    expect(broker.clock.now() - startAt).toBeGreaterThanOrEqual(5_050);
  });

  test('for the rate reports the seconds when a period does not fit', async () => {
    const service = await serve(() => ({ status: 429 }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.listReports, {}, broker.context()));
    expect(error).toMatchObject({ code: 'rate_limited', facts: { retryAfterSeconds: 60 } });
    expect(service.seen).toHaveLength(1);
  });

  test('is not sent again after its caller has gone away', async () => {
    const stop = new AbortController();
    const service = await serve(() => {
      stop.abort();
      return { status: 503 };
    });
    const broker = brokerFor(service.origin);
    const call = broker.call(endpoints.listPositions, {}, broker.context({ signal: stop.signal }));
    expect((await errorOf(call)).code).toBe('cancelled');
    expect(service.seen).toHaveLength(1);
  });
});

describe('the pause before another attempt', () => {
  const answer = { status: 503, isRateLimited: false } as HttpResponse;

  /** A read with a time limit, at a service that always fails; the pauses in ms. */
  async function readFor(ms: number, random: number) {
    const pauses: number[] = [];
    let now = startAt;
    let attempts = 0;
    const sleep = async (pauseMs: number) => {
      pauses.push(pauseMs);
      now += pauseMs;
    };
    const request: PreparedRequest = {
      endpoint: endpoints.listPositions,
      context: { priority: 'read', deadlineAt: startAt + ms },
      accountKey: 'account',
      path: '/equity/positions',
    };
    const handle = retry({ clock: { now: () => now, sleep }, random: () => random })(async () => {
      attempts += 1;
      return answer;
    });
    expect(await handle(request)).toBe(answer);
    return [attempts, ...pauses];
  }

  test.each([
    [0, [3, 100, 200]],
    [0.5, [3, 200, 400]],
    [1, [3, 300, 600]],
  ])('is 200 ms and then 400 ms, each half as long to half as long again: by %d', async (random, expected) => {
    expect(await readFor(10_000, random)).toEqual(expected);
  });

  test.each([
    [200, [1]],
    [201, [2, 200]],
    [600, [2, 200]],
    [601, [3, 200, 400]],
  ])('has to end before the time of the call, of %i ms', async (ms, expected) => {
    expect(await readFor(ms, 0.5)).toEqual(expected);
  });
});

describe('errors', () => {
  test.each([
    [401, 'unauthorized', /other environment/],
    [403, 'forbidden', /permission/],
    [404, 'not_found', /./],
    [400, 'rejected', /./],
    [422, 'rejected', /./],
  ] as const)('of status %i are %s, with the code of the broker', async (status, code, words) => {
    const body = '{"type":"/api-errors/some-code","title":"T","detail":"Some\\u0000 words <b>"}';
    const service = await serve(() => ({ status, body }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.listPositions, {}, broker.context()));
    expect(error).toMatchObject({ code, facts: { status, brokerCode: 'some-code' } });
    expect(error.message).toMatch(words);
    expect(error.next).not.toBe('');
  });

  test('never contain the key, the secret or a raw body', async () => {
    const service = await serve(({ headers }) => ({ status: 401, body: `<html>${headers.authorization}</html>` }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.listPositions, {}, broker.context()));
    const told = JSON.stringify([error.message, error.next, error.facts]);
    for (const secret of ['the-key', 'the-secret', Buffer.from('the-key:the-secret').toString('base64'), '<html>'])
      expect(told).not.toContain(secret);
  });

  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['half a list', '[{"quantity":1}'],
    ['another shape', '{"quantity":1}'],
    ['a wrong type', '[{"quantity":true}]'],
    ['endless nesting', `[{"x":${'['.repeat(60_000)}${']'.repeat(60_000)}}]`],
  ])('of a 2xx with %s are unexpected responses that are not stored', async (_, body) => {
    const service = await serve((_, n) => (n === 0 ? { body } : { body: '[]' }));
    const broker = brokerFor(service.origin);
    expect((await errorOf(broker.call(endpoints.listPositions, {}, broker.context()))).code).toBe('unexpected_answer');
    expect((await broker.call(endpoints.listPositions, {}, broker.context())).data).toEqual([]);
  });
});

describe('another attempt', () => {
  const answerOf = (status: number, isRateLimited = false) => ({ status, isRateLimited }) as HttpResponse;
  const lost = (kind: FailureKind) => new TransportFailure(kind, true, kind);
  const limited = new BrokerageError('rate_limited', 'm', 'n', { retryAfterSeconds: 7 });

  /** What a request ends with when its attempts end with these outcomes, and how many of them there were. */
  async function attempt(
    outcomes: (HttpResponse | Error)[],
    endpoint: Endpoint = endpoints.listPositions,
    stop?: AbortController,
  ) {
    let attempts = 0;
    const sleep = async () => stop?.abort();
    const context = { priority: 'read', deadlineAt: startAt + 10_000, signal: stop?.signal } as const;
    const request: PreparedRequest = { endpoint, context, accountKey: 'account', path: endpoint.path };
    const end = await retry({ clock: { now: () => startAt, sleep }, random: () => 0.5 })(async () => {
      const outcome = outcomes[attempts++];
      if (outcome instanceof Error) throw outcome;
      return outcome as HttpResponse;
    })(request).catch((error: unknown) => error);
    return { attempts, end };
  }
  const good = answerOf(200);

  // A change could be carried out twice.
  test.each([
    ['createPie', endpoints.createPie],
    ['cancelOrder', endpoints.cancelOrder],
    ['deletePie', endpoints.deletePie],
    ['placeLimitOrder', endpoints.placeLimitOrder],
  ] as const)('is never made for a change: %s', async (_id, endpoint) => {
    for (const outcome of [answerOf(503), answerOf(429, true), lost('connect'), lost('broken')])
      expect(await attempt([outcome, good], endpoint)).toEqual({ attempts: 1, end: outcome });
  });

  test.each([
    [lost('connect'), 2],
    [lost('broken'), 2],
    [lost('timeout'), 1],
    [lost('too_large'), 1],
    [lost('unreadable'), 1],
    [lost('cancelled'), 1],
    [new BrokerageError('blocked', 'm', 'n'), 1],
    [limited, 1],
    [new TypeError('x is undefined'), 1],
  ])('follows a failure of the connection alone: %s', async (failure, attempts) => {
    expect(await attempt([failure, good])).toEqual({ attempts, end: attempts === 1 ? failure : good });
  });

  test.each([
    [answerOf(500), 2],
    [answerOf(502), 2],
    [answerOf(503), 2],
    [answerOf(504), 2],
    [answerOf(400, true), 2],
    [answerOf(501), 1],
    [answerOf(408), 1],
    [answerOf(403), 1],
  ])('follows a passing state of the service: $status', async (answer, attempts) => {
    expect(await attempt([answer, good])).toEqual({ attempts, end: attempts === 1 ? answer : good });
  });

  test('that the limit leaves no room for gives what the one before it gave', async () => {
    expect(await attempt([answerOf(503), limited])).toEqual({ attempts: 2, end: answerOf(503) });
    const failure = lost('broken');
    expect(await attempt([failure, limited])).toEqual({ attempts: 2, end: failure });
    const blocked = new BrokerageError('blocked', 'm', 'n');
    expect(await attempt([answerOf(503), blocked])).toEqual({ attempts: 2, end: blocked });
  });

  test('is the last one at the third', async () => {
    expect(await attempt([lost('broken'), answerOf(503), answerOf(502), good])).toEqual({
      attempts: 3,
      end: answerOf(502),
    });
    const failure = lost('connect');
    expect(await attempt([answerOf(503), answerOf(503), failure, good])).toEqual({ attempts: 3, end: failure });
  });

  test('is not made for a caller that goes away in the pause', async () => {
    const { attempts, end } = await attempt([answerOf(503), good], endpoints.listPositions, new AbortController());
    expect(attempts).toBe(1);
    expect(end).toMatchObject({ kind: 'cancelled', sent: true, message: 'the caller disconnected' });
  });
});
