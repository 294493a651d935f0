/** list_pies: the names that are known, and figures that are called what they are. */
// @module-tag server
import { expect, test } from 'vitest';
import { against } from '../../support/fake-history.ts';

const pies = [
  { id: 1, cash: 3275.57, result: { priceAvgInvestedValue: 3250.17, priceAvgValue: 3400 } },
  { id: 2, cash: 100 },
];
const account = () =>
  against((path) => ({ body: path.endsWith('/pies/1') ? { settings: { id: 1, name: 'Core' } } : pies }));

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
const objects = (body: any) =>
  body.rows.map((row: unknown[]) => Object.fromEntries(row.map((value, at) => [body.columns[at], value])));

test('the money paid in and what is not invested have their own names', async () => {
  const { body } = await (await account()).call('list_pies');
  // 3275.57 − 3250.17 = 25.40
  expect(objects(body)).toMatchObject([
    { id: '1', paidIn: '3275.57', uninvested: '25.40', invested: '3250.17' },
    { id: '2', paidIn: '100', uninvested: null },
  ]);
  expect(body.columns).not.toContain('cash');
});

test('a name is listed once get_pie has read it, without a further request', async () => {
  const made = await account();
  const before = (await made.call('list_pies')).body;
  expect(objects(before).map(({ name }: { name: unknown }) => name)).toEqual([null, null]);
  expect(before.note).toContain('once it was read alone');
  await made.call('get_pie', { pieId: 1 });
  const { body } = await made.call('list_pies');
  expect(objects(body).map(({ name }: { name: unknown }) => name)).toEqual(['Core', null]);
  expect(made.log.filter((path) => path.startsWith('/equity/pies/'))).toHaveLength(1);
});
