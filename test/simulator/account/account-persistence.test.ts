// @module-tag server

import { describe, expect, test } from 'vitest';
import { takeLog } from '../../support/faults.ts';
import { fridayAfternoon, setup } from '../support.ts';

function memory(text?: string) {
  const saves: string[] = text === undefined ? [] : [text];
  return { saves, load: () => saves.at(-1), save: (state: string) => void saves.push(state) };
}

const later = fridayAfternoon + 30_000;

describe('a stored account', () => {
  test('continues after a restart where it was', async () => {
    const persistence = memory();
    const first = await setup({ persistence, quirks: { partialFills: 'always' } });
    await first.market('QNOON_GB_EQ', 3);
    await first.limit('QVIGL', 5, 90);
    const { id } = (await first.limit('QVIGL', 2, 20)).json;
    await first.post('/equity/pies', { name: 'Kept', instrumentShares: { QVIGL: 1 } });
    first.simulator.inject.dividend('QNOON_GB_EQ', 1);
    first.simulator.inject.transfer(10);
    await first.clock.advance(1500);
    await first.get('/equity/orders');
    await first.clock.advance(later - first.clock.now());
    const books = first.simulator.groundTruth();
    await first.simulator.close();

    const second = await setup({ persistence, quirks: { partialFills: 'always' }, startAt: later });
    expect(second.simulator.warnings).toEqual([]);
    expect(second.simulator.groundTruth()).toEqual(books);
    expect(books.pendingOrders).toHaveLength(1);
    expect((await second.get(`/equity/orders/${id}`)).status).toBe(200);
    const next = (await second.market('QNOON_GB_EQ', 1)).json.id;
    expect(next).toBeGreaterThan(id);
  });

  test('carries its orders through the time in which no process ran', async () => {
    const persistence = memory();
    const first = await setup({ persistence });
    await first.market('QNOON_GB_EQ', 3);
    await first.simulator.close();
    const second = await setup({ persistence, startAt: fridayAfternoon + 86_400_000 });
    expect(await second.newest()).toMatchObject({
      order: { ticker: 'QNOON_GB_EQ', status: 'FILLED' },
      fill: { filledAt: '2026-11-20T15:00:01.000Z' },
    });
  });

  test('is saved before the response to a write', async () => {
    const persistence = memory();
    const { market, clock, get } = await setup({ persistence });
    const before = persistence.saves.length;
    const { id } = (await market('QNOON_GB_EQ', 1)).json;
    expect(persistence.saves).toHaveLength(before + 1);
    expect(persistence.saves.at(-1)).toContain(String(id));
    await get('/equity/positions');
    expect(persistence.saves).toHaveLength(before + 1);
    await clock.advance(5000);
    await get('/equity/positions');
    expect(persistence.saves).toHaveLength(before + 2);
  });

  test('gives no response when it cannot be saved', async () => {
    const { market, simulator } = await setup({
      persistence: {
        load: () => undefined,
        save: (state) => {
          if (state.includes('"API"')) throw new Error('disk full');
        },
      },
    });
    await expect(market('QNOON_GB_EQ', 1)).rejects.toThrow();
    expect(simulator.groundTruth().pendingOrders).toHaveLength(1);
    expect(takeLog()).toMatchObject([{ event: 'fault', task: 'the simulator', message: 'disk full' }]);
  });

  test('stores only what differs from the start', async () => {
    const persistence = memory();
    await setup({ persistence });
    expect(persistence.saves.at(-1)?.length).toBeLessThan(2000);
  });

  test.each([
    ['no JSON', '{'],
    ['another version', '{"version":2}'],
    ['nothing of an account', '{"version":1,"seed":1}'],
    ['null', 'null'],
    ['another seed', '{"version":1,"seed":99,"startedAt":1}'],
  ])('that is %s is replaced by a new one with a warning', async (_, text) => {
    const { simulator, get } = await setup({ persistence: memory(text) });
    expect(simulator.warnings).toHaveLength(1);
    expect((await get('/equity/positions')).json.length).toBeGreaterThan(10);
  });
});
