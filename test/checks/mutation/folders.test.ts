/** What `npm run mutation` changes, and the tests that it runs, exist under the names that it uses. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { folders, listSources, listTests, type MutatedFolder } from '../../../checks/mutation/folders.ts';

test.each(Object.entries<MutatedFolder>(folders))('%s has sources, tests and files with bounds', (_, folder) => {
  const names = listSources(folder).map((path) => basename(path));
  expect(names).not.toEqual([]);
  expect(Object.keys(folder.minScores ?? {}).filter((name) => !names.includes(name))).toEqual([]);
  expect(listTests(folder).filter((path) => !existsSync(path))).toEqual([]);
});

test('a file that no source has is an error that names it', () => {
  const folder = { ...folders.inspection, files: ['open-store.ts', 'gone.ts'] };
  expect(() => listSources(folder)).toThrow('No file of core/store has the name gone.ts');
});
