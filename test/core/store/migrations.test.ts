/** The tables as versions: what a store of an earlier version is made of stays as it was. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadAnew } from '../../support/load-anew.ts';

const digest = (statements: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16);

test.each([
  ['sqlite', ['041628100eeda8a7', '9caa25d650dc94fe', '4f53cda18c2baa0c', 'f85f80a27cf4d307', '1055a7c4aaafd02c']],
  ['postgres', ['12b342c24e2f9f1f', '9caa25d650dc94fe', 'f9a89f0fc14e807d', 'f85f80a27cf4d307', '1055a7c4aaafd02c']],
] as const)(
  'a version of the tables is not edited, and a change is a new version at the end: %s',
  async (dialect, before) => {
    const { migrationsFor } =
      await loadAnew<typeof import('../../../src/core/store/migrations.ts')>('src/core/store/migrations.ts');
    expect(migrationsFor(dialect).slice(0, before.length).map(digest)).toEqual(before);
  },
);
