import { expect, test } from 'vitest';
import { loadAnew } from '../../../support/load-anew.ts';

const load = () =>
  loadAnew<typeof import('../../../../src/core/store/postgres/postgres-connection.ts')>(
    'src/core/store/postgres/postgres-connection.ts',
  );

test('the placeholders of a statement are numbered from one, each time that it is used', async () => {
  const { toNumberedPlaceholders } = await load();
  for (const _ of [1, 2])
    expect(toNumberedPlaceholders('SELECT ? WHERE a = ? AND b = ?')).toBe('SELECT $1 WHERE a = $2 AND b = $3');
  expect(toNumberedPlaceholders('UPDATE a SET b = ?')).toBe('UPDATE a SET b = $1');
  expect(toNumberedPlaceholders('SELECT 1')).toBe('SELECT 1');
});

test('only a NUL in a text is replaced', async () => {
  const { replaceNul } = await load();
  expect(['a\0b\0', 'ab', '', 5, 0, null].map(replaceNul)).toEqual(['a\uFFFDb\uFFFD', 'ab', '', 5, 0, null]);
});

test('each column of text is compared byte by byte, and no other word is changed', async () => {
  const { withPlainText } = await load();
  expect(withPlainText('CREATE TABLE a (b TEXT NOT NULL, c BIGINT, CONTEXT TEXT, TEXTS INTEGER)')).toBe(
    'CREATE TABLE a (b TEXT COLLATE "C" NOT NULL, c BIGINT, CONTEXT TEXT COLLATE "C", TEXTS INTEGER)',
  );
});
