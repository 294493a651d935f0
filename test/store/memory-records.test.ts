import { describe, expect, it } from 'vitest';
import type { Records } from '../../src/broker/ports.ts';
import { createMemoryRecords } from '../../src/store/memory-records.ts';

describe('records in memory', () => {
  const records = (): Records => createMemoryRecords();

  it('begin empty, and a state of undefined deletes one', async () => {
    const store = records();
    expect(await store.read('space', 'key')).toBeUndefined();
    await store.update('space', 'key', () => ({ state: { n: 1 }, result: undefined }));
    expect(await store.read('space', 'key')).toEqual({ n: 1 });
    await store.update('space', 'key', () => ({ state: undefined, result: undefined }));
    expect(await store.read('space', 'key')).toBeUndefined();
  });

  it('keep spaces and keys apart, whatever characters they hold', async () => {
    const store = records();
    await store.update('a', 'b c', () => ({ state: 1, result: undefined }));
    await store.update('a b', 'c', () => ({ state: 2, result: undefined }));
    expect(await store.read('a', 'b c')).toBe(1);
    expect(await store.read('a b', 'c')).toBe(2);
  });

  it('lose no change when many are made at once', async () => {
    const store = records();
    await Promise.all(
      Array.from({ length: 200 }, () =>
        store.update<number, void>('space', 'count', (n) => ({ state: (n ?? 0) + 1, result: undefined })),
      ),
    );
    expect(await store.read('space', 'count')).toBe(200);
  });

  it('cannot be changed behind their back', async () => {
    const store = records();
    const mine = { list: [1] };
    await store.update('space', 'key', () => ({ state: mine, result: undefined }));
    mine.list.push(2);
    const read = await store.read<typeof mine>('space', 'key');
    read?.list.push(3);
    expect(await store.read('space', 'key')).toEqual({ list: [1] });
  });

  it('stay as they are when the change throws', async () => {
    const store = records();
    await store.update('space', 'key', () => ({ state: 1, result: undefined }));
    const broken = store.update('space', 'key', () => {
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await store.read('space', 'key')).toBe(1);
  });
});
