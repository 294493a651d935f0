import { expect, test } from 'vitest';
import { loadAnew } from '../../../support/load-anew.ts';

test('the package of SQLite is used where it is installed, in a version that is new enough', async () => {
  const { describeBinding, isNewEnough, openDatabase } = await loadAnew<
    typeof import('../../../../src/core/store/sqlite/binding.ts')
  >('src/core/store/sqlite/binding.ts');
  const db = await openDatabase(':memory:');
  const [row] = db.prepare('SELECT sqlite_version() AS version').all() as { version: string }[];
  db.close();
  expect(await describeBinding()).toEqual({ from: '@photostructure/sqlite', version: row?.version });
  expect(isNewEnough(row?.version ?? '')).toBe(true);
});
