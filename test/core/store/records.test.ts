/** What the broker requires of its records, in memory and in the database. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import type { KeyValueStore } from '../../../src/core/broker/types.ts';
import { createRecords } from '../../../src/core/store/engine.ts';
import { createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { runs } from '../../support/runs.ts';
import { databases } from './support.ts';

const kinds: [string, () => Promise<KeyValueStore>][] = [
  ['in memory', async () => createMemoryRecords()],
  ...databases.map(([name, make]): [string, () => Promise<KeyValueStore>] => [
    `in ${name}`,
    async () => createRecords((await make()).open()),
  ]),
];

describe.each(kinds)('records %s', (_, records) => {
  test('a record is the last value written', async () => {
    const kept = await records();
    expect(await kept.read('space', 'key')).toBeUndefined();
    await kept.update('space', 'key', () => ({ state: { n: 1, text: 'ä"\u2028' }, result: undefined }));
    expect(await kept.read('space', 'key')).toEqual({ n: 1, text: 'ä"\u2028' });
    expect(await kept.read('other', 'key')).toBeUndefined();
    expect(await kept.read('spacek', 'ey')).toBeUndefined();
  });

  test('a change sees the state before it, and returns its own result', async () => {
    const kept = await records();
    const add = (by: number) =>
      kept.update<number, string>('space', 'key', (state) => ({ state: (state ?? 0) + by, result: `was ${state}` }));
    expect(await add(2)).toBe('was undefined');
    expect(await add(3)).toBe('was 2');
    expect(await kept.read('space', 'key')).toBe(5);
  });

  test('a state of undefined deletes the record', async () => {
    const kept = await records();
    await kept.update('space', 'key', () => ({ state: 1, result: undefined }));
    await kept.update('space', 'key', () => ({ state: undefined, result: undefined }));
    expect(await kept.read('space', 'key')).toBeUndefined();
    await kept.update('space', 'key', (state) => ({ state, result: undefined }));
    expect(await kept.read('space', 'key')).toBeUndefined();
  });

  test('no caller can change a record through an object that it got or gave', async () => {
    const kept = await records();
    const own = { list: [1] };
    await kept.update('space', 'key', () => ({ state: own, result: undefined }));
    own.list.push(2);
    const read = (await kept.read<{ list: number[] }>('space', 'key'))?.list;
    read?.push(3);
    expect(await kept.read('space', 'key')).toEqual({ list: [1] });
  });

  test('concurrent changes are all kept', async () => {
    const kept = await records();
    const add = () => kept.update<number, void>('space', 'key', (n) => ({ state: (n ?? 0) + 1, result: undefined }));
    await Promise.all(Array.from({ length: runs(1_000) }, add));
    expect(await kept.read('space', 'key')).toBe(runs(1_000));
  });

  test('a change that throws changes nothing, and the next one succeeds', async () => {
    const kept = await records();
    await kept.update('space', 'key', () => ({ state: 1, result: undefined }));
    const failing = kept.update('space', 'key', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await kept.read('space', 'key')).toBe(1);
    await kept.update('space', 'key', () => ({ state: 2, result: undefined }));
    expect(await kept.read('space', 'key')).toBe(2);
  });
});
