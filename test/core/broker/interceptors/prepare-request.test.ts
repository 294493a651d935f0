import { describe, expect, test } from 'vitest';
import { prepareRequest } from '../../../../src/core/broker/interceptors/prepare-request.ts';
import type { CallRequest } from '../../../../src/core/broker/types.ts';
import { type Endpoint, endpoints, reportFile } from '../../../../src/core/endpoints/index.ts';
import { errorOf } from '../../../support/error-of.ts';
import { brokerFor, serve } from '../support.ts';

const writes = Object.values(endpoints).filter(({ effect }) => effect === 'write' || effect === 'cancel');
const orders = Object.values(endpoints).filter(({ effect }) => effect === 'place');

describe('the policy', () => {
  test.each(orders.map((endpoint) => [endpoint.id, endpoint] as const))(
    'allows %s through place only',
    async (_, endpoint) => {
      const service = await serve(() => ({}));
      const broker = brokerFor(service.origin);
      await expect(broker.call(endpoint, { body: {} }, broker.context())).rejects.toThrow('place');
      expect(service.seen).toHaveLength(0);
    },
  );

  test.each(writes.map((endpoint) => [endpoint.id, endpoint] as const))(
    'refuses %s on a read-only server',
    async (_, endpoint) => {
      const service = await serve(() => ({}));
      const broker = brokerFor(service.origin, { readOnly: true });
      expect((await errorOf(broker.call(endpoint, { id: '1', body: {} }, broker.context()))).code).toBe('read_only');
      expect(service.seen).toHaveLength(0);
    },
  );

  test.each(['', ' 1', '1/../2', '-1', '1e3', '٣', '1'.repeat(20), undefined])(
    'accepts only digits as an id: %j',
    async (id) => {
      const service = await serve(() => ({}));
      const broker = brokerFor(service.origin);
      const error = await errorOf(broker.call(endpoints.getPendingOrder, { id }, broker.context()));
      expect(error.code).toBe('invalid_argument');
      expect(service.seen).toHaveLength(0);
    },
  );

  test('accepts the largest int64', async () => {
    const service = await serve(() => ({ body: '{"id":9223372036854775807}' }));
    const broker = brokerFor(service.origin);
    const { data } = await broker.call(endpoints.getPendingOrder, { id: '9223372036854775807' }, broker.context());
    expect(data.id).toBe('9223372036854775807');
    expect(service.seen[0]?.url).toBe('/api/v0/equity/orders/9223372036854775807');
  });

  test('refuses a body with an extra field or an invalid number', async () => {
    const service = await serve(() => ({}));
    const broker = brokerFor(service.origin);
    for (const body of [
      { name: 'x', instrumentShares: {}, surprise: 1 },
      { name: 'x', instrumentShares: { A: 'NaN' } },
      { name: 'x' },
      undefined,
    ])
      expect((await errorOf(broker.call(endpoints.createPie, { body }, broker.context()))).code).toBe(
        'invalid_argument',
      );
    expect(service.seen).toHaveLength(0);
  });

  test('encodes the values of a query', async () => {
    const service = await serve(() => ({ body: '[]' }));
    const broker = brokerFor(service.origin);
    await broker.call(endpoints.listPositions, { query: { ticker: 'BRK/A_US_EQ&x=1' } }, broker.context());
    expect(service.seen[0]?.url).toBe('/api/v0/equity/positions?ticker=BRK%2FA_US_EQ%26x%3D1');
  });
});

describe('a request', () => {
  const context = { priority: 'read', deadlineAt: 5 } as const;
  const prepare = (endpoint: Endpoint, request: CallRequest = {}, readOnly = false) =>
    prepareRequest({ endpoint, request, context }, { readOnly, accountKey: 'account' });

  test('has its path, its query without what is undefined, and no body that its endpoint has not', () => {
    const { listPositions: endpoint } = endpoints;
    const query = { limit: '50', cursor: undefined, ticker: 'A B' };
    expect(prepare(endpoint, { query, body: { a: 1 }, id: '7', link: 'https://files.example/1' })).toEqual({
      ...{ endpoint, context, accountKey: 'account' },
      ...{ path: '/equity/positions?limit=50&ticker=A+B', link: undefined, body: undefined },
    });
    expect(prepare(endpoint, { query: { cursor: undefined } }).path).toBe('/equity/positions');
    expect(prepare(endpoints.cancelOrder, { id: '7' }).path).toBe('/equity/orders/7');
  });

  test('may be a read on a server that is read-only, and no change', () => {
    expect(prepare(endpoints.listPositions, {}, true).path).toBe('/equity/positions');
    expect(prepare(reportFile, { link: 'https://files.example/1' }, true).path).toBe('');
    expect(() => prepare(endpoints.cancelOrder, { id: '7' }, true)).toThrow(
      expect.objectContaining({
        code: 'read_only',
        message: 'This server was started read-only, so it sends no changes to the broker.',
        next: 'Start the server without --read-only to allow changes.',
      }),
    );
  });

  test.each(['https://files.example/1.csv?a=b', 'http://127.0.0.1:9/1.csv', 'http://localhost/1.csv'])(
    'has the link %s, and no path',
    (link) => {
      const prepared = prepare(reportFile, { link, query: { a: 'b' } });
      expect([prepared.path, prepared.link?.href]).toEqual(['', link]);
    },
  );

  test.each([
    'http://files.example/1.csv',
    'ftp://127.0.0.1/1.csv',
    'https://me@files.example/1.csv',
    'https://:secret@files.example/1.csv',
    'https://me:secret@files.example/1.csv',
    'files.example/1.csv',
    '',
    undefined,
  ])('is refused with the link %s', (link) => {
    expect(() => prepare(reportFile, { link })).toThrow(
      expect.objectContaining({
        code: 'unexpected_answer',
        message: 'The download link of the report is not a safe URL.',
        next: 'Request the report again; links must be https.',
      }),
    );
  });

  test.each<['createPie' | 'cancelOrder', CallRequest, RegExp]>([
    [
      'createPie',
      { body: { name: 'P', instrumentShares: { A_US_EQ: 'x' } } },
      /^The request is not valid: instrumentShares\.A_US_EQ \S/,
    ],
    ['createPie', { body: { name: 7, instrumentShares: {} } }, /^The request is not valid: name \S/],
    ['createPie', { body: 'text' }, /^The request is not valid: body \S/],
    ['cancelOrder', { id: '7x' }, /^The id must consist of digits\.$/],
    ['cancelOrder', {}, /^The id must consist of digits\.$/],
  ])('says what is wrong with it: %s %j', (id, request, message) => {
    expect(() => prepare(endpoints[id], request)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message: expect.stringMatching(message) }),
    );
  });
});
