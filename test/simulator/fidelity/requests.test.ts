/** Requests that services accept although the specification does not say so. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { credentials, setup } from '../support.ts';

describe('the first page of a history', () => {
  test.each(['/equity/history/orders', '/equity/history/dividends'])('is also that of cursor 0: %s', async (path) => {
    const { get } = await setup();
    const first = (await get(`${path}?limit=5`)).json;
    expect(first.items).toHaveLength(5);
    expect((await get(`${path}?limit=5&cursor=0`)).json).toEqual(first);
  });
});

describe('an order without timeValidity', () => {
  test.each([
    ['limit', { limitPrice: 5 }],
    ['stop', { stopPrice: 20 }],
    ['stop_limit', { stopPrice: 20, limitPrice: 21 }],
  ])('is a DAY order: %s', async (path, prices) => {
    const { post } = await setup();
    const { status, json } = await post(`/equity/orders/${path}`, { ticker: 'QNOON_GB_EQ', quantity: 1, ...prices });
    expect([status, json.timeInForce]).toEqual([200, 'DAY']);
  });
});

describe('a partial body', () => {
  test('updates only the fields of a pie that it names', async () => {
    const { get, post } = await setup();
    const before = (await get('/equity/pies/1204411')).json.settings;
    const { status, json } = await post('/equity/pies/1204411', { goal: 7500 });
    expect(status).toBe(200);
    expect(json.settings).toEqual({ ...before, goal: 7500 });
  });

  test('requests a report without what it does not name', async () => {
    const { get, post } = await setup();
    const range = { timeFrom: '2026-01-01T00:00:00Z', timeTo: '2026-02-01T00:00:00Z' };
    expect((await post('/equity/history/exports', { ...range, dataIncluded: { includeOrders: true } })).status).toBe(
      200,
    );
    expect((await post('/equity/history/exports', range)).status).toBe(200);
    const none = { includeDividends: false, includeInterest: false, includeOrders: false, includeTransactions: false };
    const reports = (await get('/equity/history/exports')).json;
    expect(reports.map((report: { dataIncluded: object }) => report.dataIncluded)).toEqual([
      { ...none, includeOrders: true },
      none,
    ]);
  });
});

describe('the key alone', () => {
  const ask = { authorization: credentials.key };

  test.each([
    [true, 200],
    [false, 401],
  ])('is accepted: %s', async (keyAlone, status) => {
    const { call } = await setup({ quirks: { keyAlone } });
    expect((await call('GET', '/equity/account/summary', undefined, ask)).status).toBe(status);
  });
});

describe('a price far from the last one', () => {
  test('is accepted for a limit order ten times away', async () => {
    const { simulator, limit } = await setup();
    simulator.inject.setPrice('QVIGL', 40);
    expect((await limit('QVIGL', 1, 4)).status).toBe(200);
    expect((await limit('QVIGL', 1, 440)).status).toBe(200);
    expect((await limit('QVIGL', 1, 0.39)).json.type).toBe('/api-errors/price-too-far');
  });

  test('can be refused for a stop over a third away', async () => {
    const { simulator, post } = await setup({ quirks: { maxStopPercent: 33 } });
    simulator.inject.setPrice('QVIGL', 100);
    const stop = (stopPrice: number) => post('/equity/orders/stop', { ticker: 'QVIGL', quantity: 1, stopPrice });
    expect((await stop(133)).status).toBe(200);
    expect((await stop(133.1)).json.type).toBe('/api-errors/price-too-far');
  });
});

describe('the older paths', () => {
  test('return cash, account and positions in their own form, with the figures of the newer ones', async () => {
    const { get } = await setup();
    const { id, currency, totalValue, cash, investments } = (await get('/equity/account/summary')).json;
    expect((await get('/equity/account/info')).json).toEqual({ currencyCode: currency, id });
    expect((await get('/equity/account/cash')).json).toEqual({
      blocked: cash.reservedForOrders,
      free: cash.availableToTrade,
      invested: investments.totalCost,
      pieCash: cash.inPies,
      ppl: investments.unrealizedProfitLoss,
      result: investments.realizedProfitLoss,
      total: totalValue,
    });
    const positions = (await get('/equity/positions')).json;
    const older = (await get('/equity/portfolio')).json;
    expect(older.map(({ ticker }: { ticker: string }) => ticker)).toEqual(
      positions.map(({ instrument }: { instrument: { ticker: string } }) => instrument.ticker),
    );
    const [position] = (await get('/equity/positions?ticker=ZKESL/A_US_EQ')).json;
    for (const ticker of ['ZKESL/A_US_EQ', 'ZKESL%2FA_US_EQ'])
      expect((await get(`/equity/portfolio/${ticker}`)).json).toMatchObject({
        averagePrice: position.averagePricePaid,
        currentPrice: position.currentPrice,
        fxPpl: position.walletImpact.fxImpact,
        initialFillDate: position.createdAt,
        maxSell: position.quantityAvailableForTrading,
        pieQuantity: position.quantityInPies,
        ppl: position.walletImpact.unrealizedProfitLoss,
        quantity: position.quantity,
        ticker: 'ZKESL/A_US_EQ',
      });
    expect((await get('/equity/portfolio/QVIGL')).status).toBe(404);
  });

  test.each(['orders', 'dividends', 'transactions', 'exports'])('return the same %s without `equity`', async (kind) => {
    const { simulator, get } = await setup();
    expect((await get(`/history/${kind}`)).json).toEqual((await get(`/equity/history/${kind}`)).json);
    const [older, newer] = simulator.log.slice(-2);
    expect(older?.endpoint).toBe(newer?.endpoint);
  });

  test('find a position by the ticker of a body', async () => {
    const { get, post } = await setup();
    const find = (body: object) => post('/equity/portfolio/ticker', body);
    const found = await find({ ticker: 'ZKESL/A_US_EQ' });
    expect(found.status).toBe(200);
    expect(found.json).toEqual((await get('/equity/portfolio/ZKESL/A_US_EQ')).json);
    expect((await find({ ticker: 'QVIGL' })).status).toBe(404);
    for (const body of [{}, { ticker: 5 }, { ticker: 'ZKESL/A_US_EQ', more: 1 }])
      expect((await find(body)).status).toBe(400);
  });

  // As the earlier description publishes them.
  test.each([
    ['/equity/account/cash', 2],
    ['/equity/account/info', 30],
    ['/equity/portfolio', 5],
    ['/equity/portfolio/ZKESL/A_US_EQ', 1],
  ])('%s has a limit of its own, one request in %i s', async (path, seconds) => {
    const { clock, get } = await setup({ limitScale: 1 });
    const { headers } = await get(path);
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-period']]).toEqual(['1', String(seconds)]);
    expect((await get(path)).status).toBe(429);
    const others = ['/equity/account/cash', '/equity/account/info', '/equity/portfolio', '/equity/account/summary'];
    for (const other of others.filter((one) => one !== path)) expect((await get(other)).status).toBe(200);
    clock.advance(seconds * 1000);
    expect((await get(path)).status).toBe(200);
  });

  test('a search for a position has a limit of its own, and a history that of its successor', async () => {
    const { get, post } = await setup({ limitScale: 1 });
    const body = { ticker: 'ZKESL/A_US_EQ' };
    expect((await post('/equity/portfolio/ticker', body)).headers['x-ratelimit-period']).toBe('1');
    expect((await post('/equity/portfolio/ticker', body)).status).toBe(429);
    expect((await get('/equity/portfolio/ZKESL/A_US_EQ')).status).toBe(200);
    await get('/history/dividends');
    expect((await get('/equity/history/dividends')).headers['x-ratelimit-used']).toBe('2');
  });

  test('can be gone', async () => {
    const { get } = await setup({ quirks: { olderPaths: false } });
    for (const path of ['/equity/account/cash', '/equity/portfolio', '/history/dividends'])
      expect((await get(path)).status).toBe(404);
  });
});
