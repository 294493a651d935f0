/** Which typed key is already in the files of the configuration folder. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findStored, isStored, type TypedKey } from '../../../src/setup/hosts/config-file.ts';

function storeKeys({ key, secret }: TypedKey) {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  writeFileSync(join(folder, 'demo-key'), `${key}\n`);
  if (secret !== undefined) writeFileSync(join(folder, 'demo-secret'), `${secret}\n`);
  return findStored(folder, 'demo');
}

test.each<[string, TypedKey, TypedKey, boolean]>([
  ['the same key and secret', { key: 'k', secret: 's' }, { key: 'k', secret: 's' }, true],
  ['another secret', { key: 'k', secret: 's' }, { key: 'k', secret: 'new' }, false],
  ['another key', { key: 'k', secret: 's' }, { key: 'new', secret: 's' }, false],
  ['a secret where none is stored', { key: 'k' }, { key: 'k', secret: 's' }, false],
  ['no secret where one is stored', { key: 'k', secret: 's' }, { key: 'k' }, false],
  ['the same key without a secret', { key: 'k' }, { key: 'k' }, true],
])('%s: is stored already = %#', (_, stored, typed, expected) => {
  expect(isStored(storeKeys(stored), typed)).toBe(expected);
});

test('nothing is stored without files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  expect(isStored(findStored(folder, 'demo'), { key: 'k' })).toBe(false);
});
