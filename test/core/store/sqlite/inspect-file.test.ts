/** What the doctor learns of the database file. */
import { closeSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFor } from '../../../../src/core/store/migrations.ts';
import { openDatabase } from '../../../../src/core/store/sqlite/binding.ts';
import { loadAnew } from '../../../support/load-anew.ts';
import { openEngine, tempFolder } from '../support.ts';

const largest = 64 * 1024 * 1024;

async function make() {
  const { inspectFile } = await loadAnew<typeof import('../../../../src/core/store/sqlite/binding.ts')>(
    'src/core/store/sqlite/binding.ts',
  );
  const engine = openEngine(join(tempFolder(), 'store.sqlite'));
  await engine.write(async () => undefined);
  await engine.close();
  return { path: engine.path, inspectFile };
}

/** Overwrites a page in the middle of the file. */
function spoil(path: string) {
  const handle = openSync(path, 'r+');
  writeSync(handle, Buffer.alloc(4_096, 0x5a), 0, 4_096, 2 * 4_096);
  closeSync(handle);
}

test('a store of this program has its version, its size and no damage', async () => {
  const { path, inspectFile } = await make();
  const newest = migrationsFor('sqlite').length;
  expect(await inspectFile(path)).toEqual({
    ...{ schema: newest, newestSchema: newest, journalMode: 'wal', bytes: statSync(path).size },
    ...{ damage: undefined, isChecked: true },
  });
});

test('the version and the journal of a file of another program are shown as they are', async () => {
  const { inspectFile } = await make();
  const path = join(tempFolder(), 'other.sqlite');
  const db = await openDatabase(path);
  db.exec('CREATE TABLE a (b); PRAGMA user_version = 7');
  db.close();
  expect(await inspectFile(path)).toMatchObject({ schema: 7, newestSchema: 2, journalMode: 'delete' });
});

test('the first damage of a file is shown', async () => {
  const { path, inspectFile } = await make();
  spoil(path);
  const { damage, isChecked } = await inspectFile(path);
  expect(isChecked).toBe(true);
  expect(damage).toMatch(/Tree \d+/);
});

test('a file of up to 64 MB is checked for damage, and a larger one is not', async () => {
  const { path, inspectFile } = await make();
  spoil(path);
  truncateSync(path, largest);
  expect(await inspectFile(path)).toMatchObject({ bytes: largest, isChecked: true, damage: expect.any(String) });
  truncateSync(path, largest + 1);
  expect(await inspectFile(path)).toMatchObject({ bytes: largest + 1, isChecked: false, damage: undefined });
});

test('a file that is no database is an error', async () => {
  const { inspectFile } = await make();
  const path = join(tempFolder(), 'text.sqlite');
  writeFileSync(path, 'x'.repeat(5_000));
  await expect(inspectFile(path)).rejects.toThrow(/not a database/);
});
