/** Fields of responses whose form the specification leaves open. */
// @module-tag server
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { fridayAfternoon, setup } from '../support.ts';

describe('a charge of a fill', () => {
  test.each([
    ['negative', '-'],
    ['positive', ''],
  ] as const)('is %s', async (taxSign, sign) => {
    const { simulator, get } = await setup({ quirks: { taxSign } });
    const { items } = (await get('/equity/history/orders?limit=50')).json;
    const shown = items.flatMap(({ fill }: { fill?: { walletImpact: { taxes: { quantity: number }[] } } }) =>
      (fill?.walletImpact.taxes ?? []).map(({ quantity }) => String(quantity)),
    );
    const booked = simulator.groundTruth().history.slice(-50).reverse();
    expect(shown.length).toBeGreaterThan(10);
    expect(shown).toEqual(
      booked.flatMap(({ fill }) => (fill?.taxes ?? []).map(({ quantity }) => `${sign}${new Big(quantity).toFixed()}`)),
    );
  });
});

describe('a pending order', () => {
  test.each([
    [false, 'NEW'],
    [true, 'CONFIRMED'],
  ])('with confirmsOrders %s is %s after a minute', async (confirmsOrders, status) => {
    const { clock, limit, get } = await setup({ quirks: { confirmsOrders } });
    const { id } = (await limit('QVIGL', 1, 20)).json;
    await clock.advance(60_000);
    expect((await get(`/equity/orders/${id}`)).json.status).toBe(status);
  });

  test('at market has no validity', async () => {
    const { market, limit } = await setup();
    expect((await market('QVIGL', 1)).json).not.toHaveProperty('timeInForce');
    expect((await limit('QVIGL', 1, 20)).json.timeInForce).toBe('GOOD_TILL_CANCEL');
  });
});

describe('the currency effect of a position', () => {
  const impact = async (ticker: string, ownFxImpact: 'null' | 'absent' | 'zero') => {
    const { get } = await setup({ quirks: { ownFxImpact } });
    return (await get(`/equity/positions?ticker=${ticker}`)).json[0].walletImpact;
  };

  test('is null in the currency of the account, or absent, or zero', async () => {
    expect((await impact('QBRAMl_EQ', 'null')).fxImpact).toBeNull();
    expect(await impact('QBRAMl_EQ', 'absent')).not.toHaveProperty('fxImpact');
    expect((await impact('QBRAMl_EQ', 'zero')).fxImpact).toBe(0);
  });

  test('is a number in another currency', async () => {
    expect((await impact('QVELT_US_EQ', 'null')).fxImpact).toEqual(expect.any(Number));
  });
});

describe('ids and times of the order history', () => {
  test('are one series: the id of a fill is just above that of its order', async () => {
    const { simulator, clock, market, limit } = await setup({ quirks: { partialFills: 'always' } });
    await market('QVIGL', 1);
    await limit('QVIGL', 10, 90);
    await clock.advance(5000);
    const { history } = simulator.groundTruth();
    const fills = new Map<string, number[]>();
    for (const { order, fill } of history)
      if (fill) fills.set(order.id, [...(fills.get(order.id) ?? []), Number(fill.id) - Number(order.id)]);
    expect(new Set([...fills.values()].map(String))).toEqual(new Set(['1', '1,2']));
    const ids = history.flatMap(({ order, fill }) => [order.id, ...(fill ? [fill.id] : [])]);
    const orders = new Set(history.map(({ order }) => order.id));
    expect(new Set(ids).size).toBe(orders.size + history.filter(({ fill }) => fill).length);
  });

  test('are whole seconds', async () => {
    const { clock, market, get, newest } = await setup({ startAt: fridayAfternoon + 345 });
    const { id, createdAt } = (await market('QVIGL', 1)).json;
    expect(createdAt).toBe('2026-11-20T15:00:00.345Z');
    await clock.advance(5000);
    const { order, fill } = await newest();
    expect(order).toMatchObject({ id, createdAt: '2026-11-20T15:00:00.000Z' });
    expect(fill.filledAt).toBe('2026-11-20T15:00:01.000Z');
    const { items } = (await get('/equity/history/orders?limit=50')).json;
    expect(JSON.stringify(items).match(/T\d\d:\d\d:\d\d\.(?!000Z)/)).toBeNull();
  });
});
