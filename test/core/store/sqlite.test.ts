/**
 * What is specific to SQLite: the file, its modes, its versions, and locks of other processes. What both databases
 * promise is in store.test.ts.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFor } from '../../../src/core/store/migrations.ts';
import { isNewEnough, openDatabase } from '../../../src/core/store/sqlite/binding.ts';
import { errorOf } from '../../support/error-of.ts';
import { openEngine, tempFolder } from './support.ts';

test('the folder and every file of the store belong to their owner only', async () => {
  const { path, ...engine } = openEngine();
  await engine.write(async (db) => db.run("INSERT INTO records VALUES ('a', 'b', '1')"));
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777, file).toBe(0o600);
});

test('a folder that others could enter is closed to them', async () => {
  const folder = join(tempFolder(), 'wide');
  mkdirSync(folder, { mode: 0o755 });
  const engine = openEngine(join(folder, 'store.sqlite'));
  await engine.read(async () => undefined);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  ['3.51.3', true],
  ['3.51.10', true],
  ['3.52.0', true],
  ['4.0', true],
  ['3.51.2', false],
  ['3.9.99', false],
  ['0', false],
])('SQLite %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});

test('every commit reaches the disk before it is reported', async () => {
  const { path, ...engine } = openEngine();
  await engine.read(async () => undefined);
  const pragmas = await engine.read(async (db) => [
    ...(await db.all<object>('PRAGMA synchronous')),
    ...(await db.all<object>('PRAGMA journal_mode')),
    ...(await db.all<object>('PRAGMA user_version')),
  ]);
  expect(pragmas).toEqual([
    { synchronous: 2 },
    { journal_mode: 'wal' },
    { user_version: migrationsFor('sqlite').length },
  ]);
  expect(path).toContain('store.sqlite');
});

test('a store of a newer version is left unchanged', async () => {
  const path = join(tempFolder(), 'store.sqlite');
  const db = await openDatabase(path);
  db.exec('PRAGMA user_version = 999');
  db.close();
  const error = await errorOf(openEngine(path).read(async () => undefined));
  expect(error).toMatchObject({ code: 'store_unavailable', cause: { store: 'newer_version' } });
  expect(error.next).toContain('Update brokerage-mcp');
});

test.each([
  ['a file that is no database', (path: string) => writeFileSync(path, 'x'.repeat(5_000)), 'damaged'],
  ['a folder in the place of the file', (path: string) => mkdirSync(path, { recursive: true }), 'no_folder'],
])('%s is reported as unusable', async (_, spoil, store) => {
  const path = join(tempFolder(), 'store.sqlite');
  spoil(path);
  const error = await errorOf(openEngine(path).write(async () => undefined));
  expect(error).toMatchObject({ code: 'store_unavailable', cause: { store } });
});

test('a store that was unusable is used again when it can be', async () => {
  const folder = tempFolder();
  const file = join(folder, 'in-the-way');
  writeFileSync(file, '');
  const blocked = openEngine(join(file, 'store.sqlite'));
  expect((await errorOf(blocked.write(async () => undefined))).code).toBe('store_unavailable');
  const good = openEngine(join(folder, 'state', 'store.sqlite'));
  await expect(good.write(async () => 1)).resolves.toBe(1);
});

test('while another process holds the store this one stays responsive, and waits for it', async () => {
  const { path, ...engine } = openEngine();
  await engine.write(async () => undefined);
  const other = await openDatabase(path);
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  // A wait that blocks would let none of these turns run, and so never end.
  const ticking = setInterval(() => {
    turns++;
    if (turns === 20) other.exec('COMMIT');
  }, 5);
  await engine.write(async (db) => db.run("INSERT INTO records VALUES ('late', 'b', '1')"));
  clearInterval(ticking);
  other.close();
  expect(turns).toBeGreaterThanOrEqual(20);
});
