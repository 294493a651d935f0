/** Every response of the simulator conforms to the catalogue with closed schemas, over all endpoints. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Endpoint, EndpointId } from '../../../src/core/endpoints/index.ts';
import type { SimulatorOptions } from '../../../src/simulator/index.ts';
import { endpointCalls } from '../endpoint-calls.ts';
import { type Answer, setup } from '../support.ts';
import { loadClosedEndpoints } from './closed-catalogue.ts';

const endpoints = await loadClosedEndpoints();

const ids = Object.keys(endpoints) as EndpointId[];
const histories: readonly EndpointId[] = ['listHistoricalOrders', 'listDividends', 'listTransactions'];
const withoutBody: readonly EndpointId[] = ['cancelOrder', 'deletePie'];
const lists: readonly EndpointId[] = [
  'listExchanges',
  'listInstruments',
  'listPendingOrders',
  'listPositions',
  'listReports',
  'listPies',
];

const headers = z.object({
  'x-ratelimit-limit': z.string().regex(/^\d+$/),
  'x-ratelimit-period': z.string().regex(/^\d+$/),
  'x-ratelimit-remaining': z.string().regex(/^\d+$/),
  'x-ratelimit-reset': z.string().regex(/^\d{10}$/),
  'x-ratelimit-used': z.string().regex(/^\d+$/),
});

const error = z.strictObject({
  type: z.string().regex(/^\/api-errors\/[a-z-]+$/),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  traceId: z.string().min(1),
});

/** Throws with the path of the first deviation. */
function expectContract(id: EndpointId, answer: Answer): void {
  headers.parse(answer.headers);
  if (answer.status !== 200) {
    expect(error.parse(answer.json).status).toBe(answer.status);
    return;
  }
  if (withoutBody.includes(id)) {
    expect(answer.text).toBe('');
    return;
  }
  expect(answer.headers['content-type']).toBe('application/json');
  expect(Array.isArray(answer.json)).toBe(lists.includes(id));
  if (histories.includes(id)) expect(Object.keys(answer.json)).toEqual(['items', 'nextPagePath']);
  (endpoints[id] as Endpoint).response.parse(answer.json);
}

type Form = readonly [name: string, options: Partial<SimulatorOptions>];
const forms: readonly Form[] = [
  ['by default', {}],
  ['with nulls, offsets and large ids', { quirks: { nullFields: true, mixedOffsets: true, hugeIds: true } }],
];
const otherForms: readonly Form[] = [
  ['with rare rows', { rareRows: true }],
  ['with long numbers', { quirks: { longNumbers: true, confirmsOrders: true, taxSign: 'positive' } }],
  ['with pies of nulls', { quirks: { pieNulls: true, ownFxImpact: 'absent', unsignedSells: true } }],
];

describe.each(forms)('responses conform to the catalogue, %s', (_, options) => testForm(options));
describe.each(otherForms)('responses conform to the catalogue, %s', { tags: ['slow'] }, (_, options) =>
  testForm(options),
);

function testForm(options: Partial<SimulatorOptions>): void {
  test('for every endpoint, also when it refuses', { tags: ['slow'] }, async () => {
    const { simulator, clock, call } = await setup({ limitScale: 1, ...options });
    const order = simulator.inject.order({ ticker: 'QVIGL', quantity: 1, type: 'LIMIT', limitPrice: 20 });
    for (const id of ids) {
      const { method, path } = endpoints[id] as Endpoint;
      const { path: own = path, body } = endpointCalls[id];
      const url = own.replace('{order}', order);
      const accepted = await call(method, url, body);
      expect(accepted.status, id).toBe(200);
      expectContract(id, accepted);
      await clock.advance(60_000);
      if (method === 'POST') {
        const refused = await call(method, url, { colour: 'red' });
        expect(refused.status, id).toBe(400);
        expectContract(id, refused);
      }
      await clock.advance(60_000);
    }
    expect(new Set(simulator.log.map(({ endpoint }) => endpoint))).toEqual(new Set(ids));
  });

  test('for every row of the histories and every state of an order and a report', { tags: ['slow'] }, async () => {
    const { clock, get, post, remove, market, limit } = await setup({
      limitScale: 0.001,
      ...options,
      quirks: { partialFills: 'always', ...options.quirks },
    });
    await clock.advance(1000);
    await limit('QVIGL', 10, 90);
    await market('QNOON_GB_EQ', 1);
    const { id } = (await limit('QDUSK_US_EQ', -1, 300)).json;
    await remove(`/equity/orders/${id}`);
    await post('/equity/history/exports', endpointCalls.requestReport.body);
    for (let second = 0; second < 20; second++) {
      for (const one of ['listPendingOrders', 'listReports', 'listPositions'] as const)
        (endpoints[one] as Endpoint).response.parse((await get(endpoints[one].path)).json);
      await clock.advance(1000);
    }
    for (const one of histories) {
      const { path, response } = endpoints[one] as Endpoint;
      let query = '?limit=50';
      for (let page = 0; query && page < 30; page++) {
        const { json } = await get(path + query);
        response.parse(json);
        query = json.nextPagePath?.slice(json.nextPagePath.indexOf('?')) ?? '';
        await clock.advance(1000);
      }
      expect(query).toBe('');
    }
  });
}

describe('the contract notices', () => {
  const order = { id: 1, status: 'NEW', quantity: 1, instrument: { ticker: 'A' }, createdAt: '2026-01-01T00:00:00Z' };

  test.each([
    ['nothing in a correct order', {}, true],
    ['a field of no name', { colour: 'red' }, false],
    ['a field of an inner object', { instrument: { ticker: 'A', sector: 'x' } }, false],
    ['a number in quotes', { quantity: '1' }, false],
    ['an id with a fraction', { id: 1.5 }, false],
    ['an unknown value', { status: 'LOST' }, false],
    ['a date without a time', { createdAt: '2026-01-01' }, false],
  ])('%s', (_, change, accepted) => {
    expect(endpoints.getPendingOrder.response.safeParse({ ...order, ...change }).success).toBe(accepted);
  });
});
