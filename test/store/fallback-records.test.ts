import { expect, test } from 'vitest';
import { storeUnavailable } from '../../src/store/engine.ts';
import { createFallbackRecords } from '../../src/store/fallback-records.ts';
import { createMemoryRecords } from '../../src/store/memory-records.ts';

/** Records whose writes, or also whose reads, can be made to fail. */
function breakable() {
  const inner = createMemoryRecords();
  const state = { writes: true, reads: true };
  return {
    state,
    inner,
    records: {
      update: (async (...args: Parameters<typeof inner.update>) => {
        if (!state.writes) throw storeUnavailable('disk_full', 'the disk is full');
        return inner.update(...args);
      }) as typeof inner.update,
      read: (async (space: string, key: string) => {
        if (!state.reads) throw storeUnavailable('disk_trouble', 'the disk is gone');
        return inner.read(space, key);
      }) as typeof inner.read,
    },
  };
}

const add = (records: Pick<ReturnType<typeof createMemoryRecords>, 'update'>, space: string, by: string) =>
  records.update<string[], number>(space, 'key', (list) => {
    const state = [...(list ?? []), by];
    return { state, result: state.length };
  });

const union = (stored: unknown, own: unknown) => [...new Set([...((stored as string[]) ?? []), ...(own as string[])])];

test('when writes fail, records continue in memory from what can be read', async () => {
  const { state, records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  await add(steady, 'limit', 'a');
  expect(steady.failure()).toBeUndefined();
  state.writes = false;
  expect(await add(steady, 'limit', 'b')).toBe(2);
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b']);
  expect(steady.failure()).toContain('the disk is full');
});

test('records work without any access to the database', async () => {
  const { state, records } = breakable();
  state.writes = false;
  state.reads = false;
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  expect(await steady.read('limit', 'key')).toBeUndefined();
  expect(await add(steady, 'limit', 'a')).toBe(1);
});

test('when the database is back, the records in memory are merged with its own', async () => {
  const { state, records, inner } = breakable();
  let now = 0;
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: union } });
  await add(steady, 'limit', 'a');
  state.writes = false;
  await add(steady, 'limit', 'b');
  await add(steady, 'cache', 'mine');
  state.writes = true;
  await add(inner, 'limit', 'other');
  // The database rests for a while, so that a broken disk is not tried for every request.
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b']);
  now = 10_000;
  expect(await steady.read('limit', 'key')).toEqual(['a', 'other', 'b']);
  expect(steady.failure()).toBeUndefined();
  // Merging a cache gives no benefit.
  expect(await inner.read('cache', 'key')).toBeUndefined();
});

test('an exception in a change is not a failure of the database', async () => {
  const { records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  const failing = steady.update('limit', 'key', () => {
    throw new Error('a mistake');
  });
  await expect(failing).rejects.toThrow('a mistake');
  expect(steady.failure()).toBeUndefined();
});
