/** What services say when they refuse a request: bodies, texts and headers as they were reported. */
import { describe, expect, test } from 'vitest';
import { setup } from '../support.ts';

const order = 'Error while placing the order';
const buy = { ticker: 'QVIGL', quantity: 1 };

describe('a refusal has the title and detail of the service', () => {
  test.each([
    ['market', { ...buy, quantity: '1' }, 400, 'invalid-request', 'The request is invalid', 'Invalid payload'],
    [
      'market',
      { ...buy, ticker: 'NONE' },
      404,
      'entity-not-found',
      'Requested entity not found',
      "Provided ticker 'NONE' does not exist",
    ],
    ['market', { ...buy, quantity: 20000 }, 400, 'insufficient-free-for-stocks-buy', order, 'Insufficient funds'],
    [
      'market',
      { ...buy, quantity: -1 },
      400,
      'selling-equity-not-owned',
      order,
      'Selling more equities than owned, owned: 0.0',
    ],
    ['market', { ...buy, ticker: 'XCLOS_US_EQ' }, 400, 'instrument-close-only-mode', order, 'Close only mode'],
    ['market', { ...buy, ticker: 'XHALT_US_EQ' }, 400, 'instrument-disabled', order, 'Instrument can not be traded.'],
    [
      'market',
      { ...buy, ticker: 'QHALD_US_EQ', extendedHours: true },
      400,
      'extended-hours-trading-not-allowed',
      order,
      'Extended hours trading is not allowed for this instrument',
    ],
  ])('%s %o', async (path, body, status, code, title, detail) => {
    const { post } = await setup();
    const answer = await post(`/equity/orders/${path}`, body);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ type: `/api-errors/${code}`, title, status, detail, traceId: expect.any(String) });
  });

  test('ends with the quantity that a position may have', async () => {
    const { market } = await setup();
    const { json } = await market('XFEW_US_EQ', 11);
    expect(json.type).toBe('/api-errors/max-position-quantity-exceeded');
    expect(json.detail).toMatch(/ is 10$/);
  });

  test('can lack the traceId', async () => {
    const { get } = await setup({ quirks: { traceIds: false } });
    expect(Object.keys((await get('/equity/orders/1')).json)).toEqual(['type', 'title', 'status', 'detail']);
  });

  test('says in the log what a client did wrong', async () => {
    const { simulator, market } = await setup();
    await market('QVIGL', 0);
    expect(simulator.log.at(-1)).toMatchObject({ status: 400, explanation: 'quantity must not be 0' });
  });
});

describe('an exceeded limit', () => {
  test.each([
    ['exception', { code: 'BusinessException', context: { type: 'TooManyRequests' } }],
    ['asErrors', expect.objectContaining({ type: '/api-errors/too-many-requests', status: 429 })],
  ] as const)('has the body %s', async (rateLimitBody, body) => {
    const { get } = await setup({ limitScale: 1, quirks: { rateLimitBody } });
    await get('/equity/positions');
    const answer = await get('/equity/positions');
    expect(answer.status).toBe(429);
    expect(answer.json).toEqual(body);
  });
});

describe('a ticker that does not exist', () => {
  test('is 404 as a filter of positions, and one that is not held is an empty list', async () => {
    const { get } = await setup();
    expect((await get('/equity/positions?ticker=NONE')).status).toBe(404);
    expect((await get('/equity/positions?ticker=QVIGL')).json).toEqual([]);
  });
});

describe('the limit headers', () => {
  test.each([
    ['a bad key', 'GET', '/equity/history/orders', {}, 401, '6'],
    ['a wrong method', 'DELETE', '/equity/orders', undefined, 405, '1000'],
    ['an unknown path', 'GET', '/equity/nothing', undefined, 404, '1000'],
  ] as const)('are in the response to %s', async (_, method, path, headers, status, limit) => {
    const { call } = await setup({ limitScale: 1 });
    const answer = await call(method, path, undefined, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': limit,
      'x-ratelimit-period': expect.any(String),
      'x-ratelimit-remaining': limit,
      'x-ratelimit-reset': expect.any(String),
      'x-ratelimit-used': '0',
    });
  });
});
