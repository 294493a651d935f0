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

test('what can still be read is gone on from when nothing can be written', async () => {
  const { state, records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  await add(steady, 'limit', 'a');
  expect(steady.failure()).toBeUndefined();
  state.writes = false;
  expect(await add(steady, 'limit', 'b')).toBe(2);
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b']);
  expect(steady.failure()).toContain('the disk is full');
});

test('nothing at all of the database is needed', async () => {
  const { state, records } = breakable();
  state.writes = false;
  state.reads = false;
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  expect(await steady.read('limit', 'key')).toBeUndefined();
  expect(await add(steady, 'limit', 'a')).toBe(1);
});

test('when the database is back, what was held meanwhile is joined with what is there', async () => {
  const { state, records, inner } = breakable();
  let now = 0;
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: union } });
  await add(steady, 'limit', 'a');
  state.writes = false;
  await add(steady, 'limit', 'b');
  await add(steady, 'cache', 'mine');
  state.writes = true;
  await add(inner, 'limit', 'other');
  // It is left alone for a while, so that a broken disk is not asked for every request.
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b']);
  now = 10_000;
  expect(await steady.read('limit', 'key')).toEqual(['a', 'other', 'b']);
  expect(steady.failure()).toBeUndefined();
  // A cache is not worth joining.
  expect(await inner.read('cache', 'key')).toBeUndefined();
});

test('a mistake in a change is no trouble of the database', async () => {
  const { records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  const failing = steady.update('limit', 'key', () => {
    throw new Error('a mistake');
  });
  await expect(failing).rejects.toThrow('a mistake');
  expect(steady.failure()).toBeUndefined();
});
