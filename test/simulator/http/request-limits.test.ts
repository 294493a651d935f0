import { describe, expect, test } from 'vitest';
import { fridayAfternoon, setup } from '../support.ts';

const summary = '/equity/account/summary';
const orders = '/equity/history/orders';

describe('the limits', () => {
  test('are in five headers of every response', async () => {
    const { get, clock } = await setup({ limitScale: 1 });
    const { headers } = await get(orders);
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '6',
      'x-ratelimit-period': '60',
      'x-ratelimit-remaining': '5',
      'x-ratelimit-used': '1',
      'x-ratelimit-reset': String(fridayAfternoon / 1000 + 60),
    });
    await clock.advance(10_000);
    const failed = await get(`${orders}?limit=51`);
    expect(failed.status).toBe(400);
    expect(failed.headers).toMatchObject({
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': String(fridayAfternoon / 1000 + 60),
    });
  });

  test('allow a burst and then refuse until the window of the first request has ended', async () => {
    const { simulator, get, clock } = await setup({ limitScale: 1 });
    for (let index = 0; index < 6; index++) expect((await get(orders)).status).toBe(200);
    const refused = await get(orders);
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    expect(simulator.log.filter(({ refused }) => refused)).toHaveLength(1);
    await clock.advance(59_999);
    expect((await get(orders)).status).toBe(429);
    await clock.advance(1);
    expect((await get(orders)).status).toBe(200);
  });

  test('are kept per endpoint, not per path', async () => {
    const { get, remove } = await setup({ limitScale: 1 });
    expect((await get('/equity/orders/1')).status).toBe(404);
    expect((await get('/equity/orders/2')).status).toBe(429);
    expect((await remove('/equity/orders/2')).status).toBe(404);
    expect((await get(summary)).status).toBe(200);
  });

  test('do not count requests with a bad key', async () => {
    const { get, call } = await setup({ limitScale: 1 });
    await call('GET', summary, undefined, {});
    expect((await get(summary)).status).toBe(200);
  });

  test('can be scaled down for races in real time', async () => {
    const { get, clock } = await setup({ limitScale: 0.01 });
    const { headers } = await get(orders);
    expect(headers['x-ratelimit-period']).toBe('0.6');
    expect(headers['x-ratelimit-reset']).toBe(String(fridayAfternoon / 1000 + 0.6));
    for (let index = 0; index < 5; index++) await get(orders);
    expect((await get(orders)).status).toBe(429);
    await clock.advance(600);
    expect((await get(orders)).status).toBe(200);
  });

  test('are used by other clients of the account too', async () => {
    const { simulator, get } = await setup({ limitScale: 1 });
    simulator.inject.foreignUse('listHistoricalOrders', 4);
    expect((await get(orders)).headers['x-ratelimit-remaining']).toBe('1');
  });

  test('can refuse just after the window has ended', async () => {
    const { get, clock } = await setup({ limitScale: 1, quirks: { refuseAtBoundary: true } });
    await get(summary);
    await clock.advance(5000);
    expect((await get(summary)).status).toBe(429);
    await clock.advance(50);
    expect((await get(summary)).status).toBe(200);
  });

  test('can be 20 for the histories', async () => {
    const { get } = await setup({ limitScale: 1, quirks: { historyRequests: 20 } });
    expect((await get(orders)).headers).toMatchObject({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '19' });
  });

  test.each([
    ['withHeaders', 429, '0'],
    ['withoutHeaders', 429, undefined],
    ['status200', 200, '0'],
    ['status400', 400, '0'],
  ] as const)('can be reported as %s', async (rateLimitAnswer, status, remaining) => {
    const { simulator, get } = await setup({ limitScale: 1, quirks: { rateLimitAnswer } });
    await get(summary);
    const answer = await get(summary);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-ratelimit-remaining']).toBe(remaining);
    expect(answer.json).toEqual({ code: 'BusinessException', context: { type: 'TooManyRequests' } });
    expect(simulator.log.at(-1)).toMatchObject({ refused: true, status });
  });
});
