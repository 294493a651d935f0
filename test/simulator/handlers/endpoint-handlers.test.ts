// @module-tag server
import { describe, expect, test } from 'vitest';
import { type Endpoint, type EndpointId, endpoints } from '../../../src/core/endpoints/index.ts';
import { endpointCalls } from '../endpoint-calls.ts';
import { credentials, fridayAfternoon, setup } from '../support.ts';

describe('every endpoint', () => {
  test.each(Object.keys(endpoints) as EndpointId[])(
    '%s returns 200 with a body that its schema understands',
    async (id) => {
      const { simulator, call } = await setup({ limitScale: 1 });
      const order = simulator.inject.order({ ticker: 'QVIGL', quantity: 1, type: 'LIMIT', limitPrice: 20 });
      const endpoint = endpoints[id] as Endpoint;
      const path = (endpointCalls[id].path ?? endpoint.path).replace('{order}', order);
      const answer = await call(endpoint.method, path, endpointCalls[id].body);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-ratelimit-used']).toBe('1');
      expect(simulator.log.at(-1)).toMatchObject({ endpoint: id, status: 200, refused: false });
      if (id === 'cancelOrder' || id === 'deletePie') expect(answer.text).toBe('');
      else expect(endpoint.response.safeParse(answer.json)).toMatchObject({ success: true });
    },
  );

  test('accepts the key pair, and a key alone', async () => {
    const { call } = await setup({ limitScale: 0 });
    const pair = Buffer.from(`${credentials.key}:${credentials.secret}`).toString('base64');
    for (const authorization of [`Basic ${pair}`, credentials.key]) {
      const answer = await call('GET', '/equity/account/summary', undefined, { authorization });
      expect(answer.status).toBe(200);
    }
  });

  test('refuses any other key, and shows a limit of which nothing is used', async () => {
    const { call } = await setup({ limitScale: 1 });
    const keyWithoutSecret = Buffer.from(`${credentials.key}:`).toString('base64');
    const wrong = ['Basic eDp5', `Basic ${keyWithoutSecret}`, credentials.secret, `${credentials.key}x`, ''];
    for (const headers of [{}, ...wrong.map((authorization) => ({ authorization }))]) {
      const answer = await call('GET', '/equity/account/summary', undefined, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-used': '0' });
    }
  });

  test('sends the time of its own clock', async () => {
    const { get } = await setup();
    const { headers } = await get('/equity/account/summary');
    expect(Date.parse(String(headers.date))).toBe(fridayAfternoon);
  });

  test('returns 404 for unknown paths and 405 for the wrong method', async () => {
    const { get, call } = await setup();
    expect((await get('/equity/nothing')).status).toBe(404);
    expect((await call('DELETE', '/equity/orders')).status).toBe(405);
    expect((await get('/equity/orders/abc')).status).toBe(400);
  });

  test('returns every field of the tables of the specification', async () => {
    const { get, market } = await setup();
    await market('QNOON_GB_EQ', 1);
    const keys = (value: object) => Object.keys(value).sort().join(' ');
    const summary = (await get('/equity/account/summary')).json;
    expect(keys(summary)).toBe('cash currency id investments totalValue');
    expect(keys(summary.cash)).toBe('availableToTrade inPies reservedForOrders');
    expect(keys(summary.investments)).toBe('currentValue realizedProfitLoss totalCost unrealizedProfitLoss');
    const [position] = (await get('/equity/positions')).json;
    expect(keys(position)).toBe(
      'averagePricePaid createdAt currentPrice instrument quantity quantityAvailableForTrading quantityInPies walletImpact',
    );
    expect(keys(position.walletImpact)).toBe('currency currentValue fxImpact totalCost unrealizedProfitLoss');
    const [instrument] = (await get('/equity/metadata/instruments')).json;
    expect(keys(instrument)).toBe(
      'addedOn currencyCode extendedHours isin maxOpenQuantity name shortName ticker type workingScheduleId',
    );
    const [order] = (await get('/equity/orders')).json;
    // A market order has no timeInForce.
    expect(keys(order)).toBe(
      'createdAt currency extendedHours filledQuantity id initiatedFrom instrument quantity side status strategy ticker type',
    );
    const [dividend] = (await get('/equity/history/dividends')).json.items;
    expect(keys(dividend)).toBe(
      'amount amountInEuro currency grossAmountPerShare instrument paidOn quantity reference ticker tickerCurrency type',
    );
    const [transaction] = (await get('/equity/history/transactions')).json.items;
    expect(keys(transaction)).toBe('amount currency dateTime reference type');
    const filled = (await get('/equity/history/orders?limit=50')).json.items.find((row: { fill?: object }) => row.fill);
    expect(keys(filled.fill)).toBe('filledAt id price quantity tradingMethod type walletImpact');
    expect(keys(filled.fill.walletImpact)).toBe('currency fxRate netValue realisedProfitLoss taxes');
  });

  test('writes numbers with their exact digits', async () => {
    const { get, simulator } = await setup();
    const { text } = await get('/equity/positions?ticker=QBRAMl_EQ');
    const [held] = simulator.groundTruth().positions.filter(({ ticker }) => ticker === 'QBRAMl_EQ');
    expect(text).toContain(`"quantity":${held?.quantity},`);
    expect(text).toContain(`"totalCost":${held?.totalCost},`);
  });

  test('filters positions by ticker', async () => {
    const { get } = await setup();
    const tickers = (await get('/equity/positions?ticker=QVELT_US_EQ')).json.map(
      (position: { instrument: { ticker: string } }) => position.instrument.ticker,
    );
    expect(tickers).toEqual(['QVELT_US_EQ']);
  });
});
