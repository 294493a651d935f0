/** What a machine remembers of a store outside of it. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStoreWitness } from '../../../src/core/store/store-location.ts';
import { tempFolder } from './support.ts';

const mark = { id: 'store-1', seq: 7, hash: 'f'.repeat(64) };
const place = { stateDir: '/state' };

test('without a file nothing is known of a store, at its location and anywhere', () => {
  const witness = createStoreWitness(join(tempFolder(), 'absent'), place);
  expect(witness.read()).toBeUndefined();
  expect(witness.readAnywhere(mark.id)).toEqual([]);
});

test('the mark that was written last is read, and each location has its own', () => {
  const folder = tempFolder();
  const [here, there] = [createStoreWitness(folder, place), createStoreWitness(folder, { stateDir: '/other' })];
  here.write({ ...mark, seq: 6 });
  here.write(mark);
  there.write({ ...mark, id: 'store-2' });
  expect(here.read()).toEqual(mark);
  expect(there.read()).toEqual({ ...mark, id: 'store-2' });
  expect(createStoreWitness(folder, { stateDir: '/third' }).read()).toBeUndefined();
  expect(createStoreWitness(folder, { stateUrl: 'postgres://me:secret@host/db' }).read()).toBeUndefined();
});

test('the marks of a store are found by its id at every location', () => {
  const folder = tempFolder();
  createStoreWitness(folder, place).write(mark);
  createStoreWitness(folder, { stateDir: '/other' }).write({ ...mark, seq: 9 });
  createStoreWitness(folder, { stateDir: '/third' }).write({ ...mark, id: 'store-2' });
  const found = createStoreWitness(folder, { stateDir: '/fourth' }).readAnywhere(mark.id);
  expect([...found].sort((a, b) => a.seq - b.seq)).toEqual([mark, { ...mark, seq: 9 }]);
});

test('the password of a shared database is not in the file, and not needed to find it', () => {
  const folder = tempFolder();
  createStoreWitness(folder, { stateUrl: 'postgres://me:secret@host/db' }).write(mark);
  const [name = ''] = readdirSync(join(folder, 'stores'));
  expect(readFileSync(join(folder, 'stores', name), 'utf8')).toBe(
    `${JSON.stringify({ location: 'postgres://host/db', ...mark })}\n`,
  );
  expect(createStoreWitness(folder, { stateUrl: 'postgres://you@host/db' }).read()).toEqual(mark);
});

test('the folder and the file belong to their owner only, and writing leaves no other file', () => {
  const folder = tempFolder();
  const witness = createStoreWitness(join(folder, 'deep', 'config'), place);
  witness.write(mark);
  witness.write(mark);
  const stores = join(folder, 'deep', 'config', 'stores');
  const names = readdirSync(stores);
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/)]);
  expect(statSync(stores).mode & 0o777).toBe(0o700);
  expect(statSync(join(stores, names[0] ?? '')).mode & 0o777).toBe(0o600);
});

describe('a file that cannot be believed', () => {
  test.each([
    ['is cut off', '{'],
    ['is empty', ''],
    ['is null', 'null'],
    ['has no id', JSON.stringify({ ...mark, id: undefined })],
    ['has no number', JSON.stringify({ ...mark, seq: undefined })],
    ['has a number as text', JSON.stringify({ ...mark, seq: '7' })],
    ['has no hash', JSON.stringify({ ...mark, hash: undefined })],
    ['has a number as its id', JSON.stringify({ ...mark, id: 1 })],
    ['has a number as its hash', JSON.stringify({ ...mark, hash: 1 })],
  ])('counts as none when it %s', (_, text) => {
    const folder = tempFolder();
    const witness = createStoreWitness(folder, place);
    witness.write(mark);
    const [name = ''] = readdirSync(join(folder, 'stores'));
    writeFileSync(join(folder, 'stores', name), text);
    expect(witness.read()).toBeUndefined();
    expect(witness.readAnywhere(mark.id)).toEqual([]);
  });

  test('does not hide the marks of the others', () => {
    const folder = tempFolder();
    const witness = createStoreWitness(folder, place);
    witness.write(mark);
    writeFileSync(join(folder, 'stores', '0.json'), '{');
    mkdirSync(join(folder, 'stores', '1.json'));
    expect(witness.readAnywhere(mark.id)).toEqual([mark]);
  });
});

test('only finished files count: not one that is being written, and not one of another kind', () => {
  const folder = tempFolder();
  const witness = createStoreWitness(folder, place);
  witness.write(mark);
  const text = JSON.stringify({ ...mark, seq: 99 });
  for (const name of ['.new.json', 'notes.txt', 'copy.json.old']) writeFileSync(join(folder, 'stores', name), text);
  expect(witness.readAnywhere(mark.id)).toEqual([mark]);
});

test('a folder that cannot be written is reported with the setting that names another one', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'stores'), '');
  expect(() => createStoreWitness(folder, place).write(mark)).toThrow(
    expect.objectContaining({
      code: 'store_unavailable',
      message: expect.stringContaining(`${join(folder, 'stores')} cannot be written (EEXIST)`),
      next: expect.stringContaining('BROKER_CONFIG_DIR'),
    }),
  );
});
