/** Where the store is, and what is shown of it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAnew } from '../../support/load-anew.ts';

const load = () =>
  loadAnew<typeof import('../../../src/core/store/store-location.ts')>('src/core/store/store-location.ts');

test.each([
  ['demo', undefined, { stateDir: '/state' }],
  ['live', undefined, { stateDir: '/state' }],
  ['demo', 'postgres://host/db', { stateUrl: 'postgres://host/db' }],
  ['live', 'postgres://host/db', { stateUrl: 'postgres://host/db' }],
  ['sandbox', 'postgres://host/db', { stateDir: '/state' }],
])('the store of %s with the shared database %s is %o', async (environment, stateUrl, place) => {
  const { resolveStoreLocation } = await load();
  expect(resolveStoreLocation({ environment, stateDir: '/state', stateUrl })).toEqual(place);
});

test('a location is shown as its file, or as the address without user, password and options', async () => {
  const { describeLocation, storeFile } = await load();
  expect(storeFile('state')).toBe(join('state', 'store.sqlite'));
  expect(describeLocation({ stateDir: 'state' })).toBe(join('state', 'store.sqlite'));
  expect(describeLocation({ stateUrl: 'postgres://user:secret@host:5433/db?sslmode=require' })).toBe(
    'postgres://host:5433/db',
  );
});
