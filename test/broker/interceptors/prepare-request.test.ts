import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/catalogue/index.ts';
import { errorOf } from '../../support/error-of.ts';
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
