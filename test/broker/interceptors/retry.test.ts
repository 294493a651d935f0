import { describe, expect, test } from 'vitest';
import { retry } from '../../../src/broker/interceptors/retry.ts';
import type { HttpResponse, PreparedRequest } from '../../../src/broker/pipeline-types.ts';
import { endpoints } from '../../../src/catalogue/index.ts';
import { errorOf } from '../../support/error-of.ts';
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
