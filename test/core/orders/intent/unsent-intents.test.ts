/** A model that repeats a refused order in a loop: every call gets a result, and the store does not grow with it. */
// @module-tag server
import { expect, test } from 'vitest';
import { setup } from '../../../support/setup.ts';

const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 20_000, limitPrice: 10, timeValidity: 'DAY' };
const day = 86_400_000;
const everything = (made: Awaited<ReturnType<typeof setup>>) => made.composed.journal.read((tx) => tx.list());
const trail = ({ composed }: Awaited<ReturnType<typeof setup>>) => composed.services.audit.verify();

test('the same refused order five times is one row with a count, and one record of the audit trail', async () => {
  const made = await setup();
  const { body: first } = await made.call('place_limit_order', order);
  const before = await trail(made);
  for (let n = 1; n < 5; n++) {
    const { body } = await made.call('place_limit_order', order);
    expect(body).toMatchObject({ outcome: 'refused', rule: 'max_order_quantity', intentId: first.intentId });
    expect(body).not.toHaveProperty('coalesced');
  }
  expect(await everything(made)).toMatchObject([{ id: first.intentId, state: 'REFUSED', times: 5 }]);
  expect(await trail(made)).toEqual(before);
});

test('of twenty different refused orders in a minute ten are rows, and the rest is counted in one', async () => {
  const made = await setup();
  const ids = new Set<string>();
  for (let n = 0; n < 20; n++) {
    const { body } = await made.call('place_limit_order', { ...order, quantity: order.quantity + n });
    expect(body).toMatchObject({ outcome: 'refused', rule: 'max_order_quantity' });
    expect(body.reason).not.toContain('More orders');
    ids.add(body.intentId);
  }
  const rows = await everything(made);
  expect(rows.length).toBe(11);
  expect(rows.reduce((sum, { times = 0 }) => sum + times, 0)).toBe(20);
  for (const intentId of ids)
    expect((await made.call('get_order', { intentId })).body).toMatchObject({
      outcome: 'refused',
      rule: 'max_order_quantity',
    });
  expect(await trail(made)).toMatchObject({ holds: true, rows: 11 });
});

test('rows of refused orders older than thirty days are removed when another is written', async () => {
  const made = await setup();
  const { body: old } = await made.call('place_limit_order', order);
  const placed = await made.call('place_limit_order', { ...order, quantity: 1 });
  await made.clock.advance(31 * day);
  await made.call('place_limit_order', order);
  expect((await made.call('get_order', { intentId: old.intentId })).body).toMatchObject({ code: 'not_found' });
  expect((await everything(made)).map(({ id }) => id)).toContain(placed.body.intentId);
  expect(await trail(made)).toMatchObject({ holds: true });
});

test('orders whose account cannot be read are limited in the same way', { tags: ['slow'] }, async () => {
  const made = await setup();
  await made.call('search_instruments', { query: order.ticker });
  await made.simulator.close();
  for (let n = 0; n < 15; n++) {
    const { body } = await made.call('place_limit_order', { ...order, quantity: 1 + n });
    expect(body).toMatchObject({ outcome: 'not_sent' });
  }
  expect((await everything(made)).length).toBe(11);
});

test('exports that are never sent return a result, and are recorded five times in a minute', async () => {
  const made = await setup();
  await made.simulator.close();
  const codes: string[] = [];
  for (let n = 10; n < 30; n++) {
    const range = { timeFrom: '2025-01-01T00:00:00Z', timeTo: `2025-02-01T00:00:${n}Z` };
    codes.push((await made.call('request_export', { ...range, include: ['orders'] })).body.code);
  }
  expect(codes.slice(0, 5)).toEqual(Array(5).fill('unreachable'));
  expect(codes.slice(5)).toContain('rate_limited');
  const writes = await made.composed.journal.read((tx) => tx.listWrites({ createdSince: 0 }));
  expect(writes.length).toBeLessThan(codes.length);
});
