/** The tables as versions: what a store of a released version is made of stays as it was. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadAnew } from '../../support/load-anew.ts';

const digest = (statements: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16);

test.each([
  ['sqlite', ['f7bf66c3b6741a4b', 'c8d067b29180d0f6']],
  ['postgres', ['322bfc9128402470', 'c8d067b29180d0f6']],
] as const)(
  'a version of the tables is not edited, and a change is a new version at the end: %s',
  async (dialect, before) => {
    const { migrationsFor } =
      await loadAnew<typeof import('../../../src/core/store/migrations.ts')>('src/core/store/migrations.ts');
    expect(migrationsFor(dialect).slice(0, before.length).map(digest)).toEqual(before);
  },
);
