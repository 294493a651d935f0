// @module-tag server
import { describe, expect, test } from 'vitest';
import { type Endpoint, endpoints } from '../../../src/core/endpoints/index.ts';
import { allHarmlessQuirks, noQuirks, toPlainId } from '../../../src/simulator/index.ts';
import { setup } from '../support.ts';

const lists = [
  '/equity/metadata/exchanges',
  '/equity/metadata/instruments',
  '/equity/orders',
  '/equity/positions',
  '/equity/history/exports',
  '/equity/pies',
];

describe('quirks of form', () => {
  test.each(['items', 'data'] as const)('put lists into an envelope %s', async (listEnvelope) => {
    const { get } = await setup({ quirks: { listEnvelope }, instrumentCount: 60 });
    for (const path of lists) {
      const { json } = await get(path);
      expect(Object.keys(json)).toEqual([listEnvelope]);
      expect(Array.isArray(json[listEnvelope])).toBe(true);
    }
  });

  test('write null for what does not apply', async () => {
    const { market, get } = await setup({ quirks: { nullFields: true } });
    expect((await market('QVIGL', 1)).json).toMatchObject({ limitPrice: null, stopPrice: null, value: null });
    expect((await get('/equity/history/orders?limit=50')).text).toContain('"fill":null');
  });

  test('write ids that no double holds, and accept them', async () => {
    const { market, call, get, simulator } = await setup({ quirks: { hugeIds: true } });
    const { text } = await market('QVIGL', 1);
    const id = /"id":(\d+)/.exec(text)?.[1] ?? '';
    expect(BigInt(Number(id))).not.toBe(BigInt(id));
    expect(String(toPlainId(BigInt(id)))).toBe(simulator.log.at(-1)?.orderId);
    expect((await get(`/equity/orders/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/equity/orders/${id}`)).status).toBe(200);
  });

  test('write zero with an exponent and numbers with zeros', async () => {
    const { market } = await setup({ quirks: { longNumbers: true } });
    const { text } = await market('QVIGL', 17);
    expect(text).toContain('"filledQuantity":0E-10');
    expect(text).toContain('"quantity":17.0000000000');
  });

  test('write times with several offsets, of the same moments', async () => {
    const { get, simulator } = await setup();
    const path = '/equity/history/dividends?limit=50';
    const plain = (await get(path)).json.items.map(({ paidOn }: { paidOn: string }) => paidOn);
    simulator.quirks.mixedOffsets = true;
    const mixed = (await get(path)).json.items.map(({ paidOn }: { paidOn: string }) => paidOn);
    expect(new Set(mixed.map((text: string) => text.slice(-1)))).toEqual(new Set(['Z', '0']));
    expect(mixed.map((text: string) => Date.parse(text))).toEqual(plain.map((text: string) => Date.parse(text)));
  });

  test('write values that no enum of the specification has', async () => {
    const { get } = await setup({ quirks: { unknownEnums: true } });
    expect((await get('/equity/history/orders?limit=50')).text).toContain('INSTRUMENT_AUTOINVEST');
  });

  test('respond to a DELETE with an object or the order', async () => {
    const { limit, remove, simulator } = await setup({ quirks: { deleteBody: 'object' } });
    expect((await remove(`/equity/orders/${(await limit('QVIGL', 1, 20)).json.id}`)).text).toBe('{}');
    simulator.quirks.deleteBody = 'order';
    const { id } = (await limit('QVIGL', 1, 20)).json;
    expect((await remove(`/equity/orders/${id}`)).json).toMatchObject({ id, status: 'CANCELLING' });
  });

  test('write sales without a sign, and withdrawals positive', async () => {
    const { limit, get, simulator } = await setup({ quirks: { unsignedSells: true, positiveWithdrawals: true } });
    expect((await limit('QDUSK_US_EQ', -1, 300)).json).toMatchObject({ side: 'SELL', quantity: 1 });
    const { items } = (await get('/equity/history/transactions?limit=50')).json;
    expect(items.every(({ amount }: { amount: number }) => amount > 0)).toBe(true);
    expect(simulator.groundTruth().transactions.some(({ amount }) => amount.startsWith('-'))).toBe(true);
  });

  test.each([
    ['problem', 'application/json', '/api-errors/entity-not-found'],
    ['code', 'application/json', '"code":"EntityNotFound"'],
    ['business', 'application/json', '"BusinessException"'],
    ['text', 'text/plain', 'does not exist'],
    ['html', 'text/html', '<!doctype html>'],
    ['empty', undefined, ''],
  ] as const)('write errors as %s', async (errorBody, type, part) => {
    const { get } = await setup({ quirks: { errorBody } });
    const answer = await get('/equity/orders/1');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text).toContain(part);
    if (errorBody === 'empty') expect(answer.text).toBe('');
  });

  test('can all be on at once, and every schema still accepts the responses', async () => {
    const { get, simulator, market, clock } = await setup({ quirks: allHarmlessQuirks });
    expect(simulator.quirks).toEqual({ ...noQuirks, ...allHarmlessQuirks });
    await market('QVIGL', 1);
    await clock.advance(10);
    const reads = (Object.values(endpoints) as Endpoint[]).filter(
      ({ effect, path }) => effect === 'read' && !path.includes('{'),
    );
    for (const { path, response } of reads) {
      const { text } = await get(path);
      // Numbers that JSON.parse would change are quoted, as an exact reader does.
      const exact = JSON.parse(
        text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`)),
      );
      expect(response.safeParse(exact)).toMatchObject({ success: true });
    }
  });
});

describe('quirks of time', () => {
  test('keep a new order unreadable for a while', async () => {
    const { clock, limit, get } = await setup({ quirks: { unreadableOrderMs: 1000 } });
    const { id } = (await limit('QVIGL', 1, 20)).json;
    expect((await get(`/equity/orders/${id}`)).status).toBe(404);
    expect((await get('/equity/orders')).json).toEqual([]);
    await clock.advance(1000);
    expect((await get(`/equity/orders/${id}`)).status).toBe(200);
  });

  test('show the reservation of a new order late', async () => {
    const { clock, limit, get } = await setup({ quirks: { reservedLateMs: 1500 } });
    const free = async () => {
      const { cash } = (await get('/equity/account/summary')).json;
      return [cash.availableToTrade, cash.reservedForOrders];
    };
    const before = await free();
    await limit('QVIGL', 1, 20);
    await clock.advance(1499);
    expect(await free()).toEqual(before);
    await clock.advance(1);
    expect(await free()).not.toEqual(before);
  });

  test('let reads lag behind a fill', async () => {
    const { clock, market, get } = await setup({ quirks: { staleReadMs: 3000 } });
    const positions = (await get('/equity/positions?ticker=QVIGL')).json;
    const { id } = (await market('QVIGL', 2)).json;
    await clock.advance(1200);
    expect((await get('/equity/history/orders?limit=1')).json.items[0].order.id).toBe(id);
    expect((await get(`/equity/orders/${id}`)).status).toBe(200);
    expect((await get('/equity/positions?ticker=QVIGL')).json).toEqual(positions);
    await clock.advance(3000);
    expect((await get(`/equity/orders/${id}`)).status).toBe(404);
    expect((await get('/equity/positions?ticker=QVIGL')).json[0].quantity).toBe(2);
  });

  test('return no positions for a moment', async () => {
    const { get } = await setup({ quirks: { emptyPositions: 2 } });
    expect((await get('/equity/positions')).json).toEqual([]);
    expect((await get('/equity/positions')).json).toEqual([]);
    expect((await get('/equity/positions')).json.length).toBeGreaterThan(10);
  });
});
