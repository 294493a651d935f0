// @module-tag server
import { describe, expect, test } from 'vitest';
import { setup } from '../support.ts';

const wanted = {
  name: 'Three parts',
  icon: 'Leaf',
  goal: 1500.5,
  endDate: '2028-01-01T00:00:00Z',
  dividendCashAction: 'REINVEST',
  instrumentShares: { QVIGL: 0.3333, QWRLDl_EQ: 0.3333, 'ZKESL/A_US_EQ': 0.3334 },
};

describe('pies', () => {
  test('are two at the start, and own a part of what is held', async () => {
    const { get } = await setup();
    const pies = (await get('/equity/pies')).json;
    expect(pies.map(({ id }: { id: number }) => id)).toEqual([1204411, 1311920]);
    const pie = (await get('/equity/pies/1204411')).json;
    const [part] = pie.instruments;
    const [position] = (await get(`/equity/positions?ticker=${part.ticker}`)).json;
    expect(position.quantityInPies).toBe(part.ownedQuantity);
    expect((await get('/equity/account/summary')).json.cash.inPies).toBe(37.55);
  });

  test('are created, changed, copied and deleted', async () => {
    const { get, post, remove } = await setup();
    const created = (await post('/equity/pies', wanted)).json;
    expect(created.settings).toMatchObject(wanted);
    const path = `/equity/pies/${created.settings.id}`;
    const changed = { name: 'Two parts', instrumentShares: { QVIGL: 0.5, QWRLDl_EQ: 0.5 } };
    expect((await post(path, changed)).json.settings).toMatchObject({ ...changed, icon: 'Leaf', goal: 1500.5 });
    const copy = (await post(`${path}/duplicate`, { name: 'A copy' })).json;
    expect(copy.settings).toMatchObject({ name: 'A copy', instrumentShares: changed.instrumentShares });
    expect(copy.settings.id).not.toBe(created.settings.id);
    expect(await remove(path)).toMatchObject({ status: 200, text: '' });
    expect((await get(path)).status).toBe(404);
    expect((await remove(path)).status).toBe(404);
    expect((await get('/equity/pies')).json).toHaveLength(3);
  });

  test('keep what they own when their shares change', async () => {
    const { post } = await setup();
    const { json } = await post('/equity/pies/1204411', { name: 'New', instrumentShares: { QVIGL: 1 } });
    const old = json.instruments.find(({ ticker }: { ticker: string }) => ticker === 'QBRAMl_EQ');
    expect(old.expectedShare).toBe(0);
    expect(old.ownedQuantity).toBeGreaterThan(0);
  });

  test('return shares and cash when they are deleted', async () => {
    const { remove, simulator } = await setup();
    await remove('/equity/pies/1204411');
    const { cash, positions } = simulator.groundTruth();
    expect(cash.inPies).toBe('12.15');
    expect(positions.find(({ ticker }) => ticker === 'QBRAMl_EQ')?.quantityInPies).toBe('0');
  });

  test.each([
    ['shares that do not add up to 1', { ...wanted, instrumentShares: { QVIGL: 0.9 } }, 400],
    ['a share of 0', { ...wanted, instrumentShares: { QVIGL: 1, QWRLDl_EQ: 0 } }, 400],
    ['a share in quotes', { ...wanted, instrumentShares: { QVIGL: '1' } }, 400],
    ['no name', { ...wanted, name: ' ' }, 400],
    ['a name that is taken', { ...wanted, name: 'World core' }, 400],
    ['an unknown field', { ...wanted, colour: 'red' }, 400],
    ['an unknown ticker', { ...wanted, instrumentShares: { NONE: 1 } }, 404],
  ])('are refused for %s', async (_, body, status) => {
    const { post, simulator } = await setup();
    expect((await post('/equity/pies', body)).status).toBe(status);
    expect(simulator.groundTruth().pies).toHaveLength(2);
  });

  test('accept shares that add up to nearly 1', async () => {
    const { post } = await setup();
    const body = { name: 'Nearly', instrumentShares: { QVIGL: 0.4995, QWRLDl_EQ: 0.5 } };
    expect((await post('/equity/pies', body)).status).toBe(200);
  });

  test('can have null fields', async () => {
    const { get } = await setup({ quirks: { pieNulls: true } });
    expect((await get('/equity/pies/1204411')).json.settings).toMatchObject({
      icon: null,
      goal: null,
      endDate: null,
      instrumentShares: null,
    });
    expect((await get('/equity/pies')).json[0]).toMatchObject({ progress: null, status: null });
  });
});
