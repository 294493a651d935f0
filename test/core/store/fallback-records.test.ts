import { expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { log } from '../../../src/core/log.ts';
import { storeUnavailable } from '../../../src/core/store/engine.ts';
import { createFallbackRecords, createMemoryRecords } from '../../../src/core/store/fallback-records.ts';
import { takeLog } from '../../support/faults.ts';

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

test('changes that begin together all count, and continue from the stored state', async () => {
  const { state, records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  await add(steady, 'limit', 'a');
  state.writes = false;
  await steady.update('other', 'key', () => ({ state: 1, result: undefined }));
  expect(await Promise.all([add(steady, 'limit', 'b'), add(steady, 'limit', 'c')])).toEqual([2, 3]);
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b', 'c']);
});

test('each record of a namespace continues from its own state', async () => {
  const { state, records, inner } = breakable();
  let now = 0;
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: union } });
  const append = (key: string, by: string) =>
    steady.update<string[], number>('limit', key, (list) => {
      const all = [...(list ?? []), by];
      return { state: all, result: all.length };
    });
  await append('one', 'a');
  await append('two', 'b');
  state.writes = false;
  expect([await append('one', 'c'), await append('two', 'd')]).toEqual([2, 2]);
  state.writes = true;
  now = 10_000;
  await steady.read('limit', 'one');
  expect([await inner.read('limit', 'one'), await inner.read('limit', 'two')]).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
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

/** Records whose database fails with an error from the first use on, and counts its uses. */
function failingWith(error: unknown) {
  const uses = { count: 0 };
  const fail = async () => {
    uses.count += 1;
    throw error;
  };
  let now = 0;
  const steady = createFallbackRecords({ update: fail, read: fail }, { now: () => now, merge: { limit: union } });
  return {
    steady,
    uses,
    at: (time: number) => {
      now = time;
    },
  };
}

test.each([
  ['an error of another kind with the same code', Object.assign(new Error('x'), { code: 'store_unavailable' })],
  ['an error of the program with another code', new BrokerageError('timeout', 'x', 'y')],
])('%s is thrown on, and is not a failure of the database', async (_, error) => {
  const { steady } = failingWith(error);
  await expect(add(steady, 'limit', 'a')).rejects.toBe(error);
  await expect(steady.read('limit', 'key')).rejects.toBe(error);
  expect(steady.failure()).toBeUndefined();
});

test('a failed read is a failure of the database too, and its reason is what failed last', async () => {
  const { state, records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  state.reads = false;
  expect(await steady.read('limit', 'key')).toBeUndefined();
  expect(steady.failure()).toContain('the disk is gone');
});

test('while the database rests, it is used by nothing but the first look at each record', async () => {
  const { steady, uses, at } = failingWith(storeUnavailable('held', 'x'));
  await add(steady, 'limit', 'a');
  // The failed change, and the look at what is stored.
  expect(uses.count).toBe(2);
  at(1_999);
  await add(steady, 'limit', 'b');
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b']);
  expect(uses.count).toBe(2);
  at(2_000);
  expect(await add(steady, 'limit', 'c')).toBe(3);
  expect(uses.count).toBe(3);
});

test('a rest that was noted under a clock far ahead does not last', async () => {
  const { state, records, inner } = breakable();
  let now = 1_000_000;
  const steady = createFallbackRecords(records, { now: () => now, merge: {} });
  state.writes = false;
  await add(steady, 'limit', 'a');
  state.writes = true;
  now = 0;
  await add(steady, 'other', 'b');
  expect(await inner.read('other', 'key')).toEqual(['b']);
});

test('the log says once per failure that the database cannot be used, and why', async () => {
  log.setLevel('warn');
  const { state, records } = breakable();
  let now = 0;
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: union } });
  const warnings = () => takeLog().map(({ level, event, fault }) => ({ level, event, fault }));
  state.writes = false;
  await add(steady, 'limit', 'a');
  const warned = [{ level: 'warn', event: 'store_unavailable', fault: 'disk_full' }];
  expect(warnings()).toEqual(warned);
  now = 5_000;
  await add(steady, 'limit', 'b');
  expect(warnings()).toEqual([]);
  state.writes = true;
  now = 10_000;
  await add(steady, 'limit', 'c');
  expect(warnings()).toEqual([]);
  expect(steady.failure()).toBeUndefined();
  state.writes = false;
  await add(steady, 'limit', 'd');
  expect(warnings()).toEqual(warned);
});

test('a failure without a cause is a failure', async () => {
  const { steady } = failingWith(new BrokerageError('store_unavailable', 'no reason', 'y'));
  expect(await add(steady, 'limit', 'a')).toBe(1);
  expect(steady.failure()).toBe('no reason');
});

test('every record that was changed in memory is merged, and one that was only read is not', async () => {
  const { state, records, inner } = breakable();
  let now = 0;
  const merged: unknown[] = [];
  const merge = (stored: unknown, own: unknown) => {
    merged.push(own);
    return union(stored, own);
  };
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: merge, more: merge } });
  state.writes = false;
  state.reads = false;
  await add(steady, 'limit', 'a');
  await add(steady, 'more', 'b');
  expect(await steady.read('limit', 'unknown')).toBeUndefined();
  state.writes = true;
  state.reads = true;
  now = 2_000;
  expect(await steady.read('limit', 'key')).toEqual(['a']);
  expect(merged).toEqual([['a'], ['b']]);
  expect(await inner.read('more', 'key')).toEqual(['b']);
  expect(await inner.read('limit', 'unknown')).toBeUndefined();
});

test('after the merge the database is used again, from the first change on', async () => {
  const { state, records, inner } = breakable();
  let now = 0;
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: union } });
  state.writes = false;
  await add(steady, 'limit', 'a');
  state.writes = true;
  now = 2_000;
  expect(await add(steady, 'limit', 'b')).toBe(2);
  expect(await inner.read('limit', 'key')).toEqual(['a', 'b']);
  // What another process writes is seen at once.
  await add(inner, 'limit', 'c');
  expect(await steady.read('limit', 'key')).toEqual(['a', 'b', 'c']);
  // The next failure begins with what is stored then.
  state.writes = false;
  expect(await add(steady, 'limit', 'd')).toBe(4);
});

test('a merge that fails is tried again after the next rest, and until then memory has the records', async () => {
  const { state, records, inner } = breakable();
  let now = 0;
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: union } });
  state.writes = false;
  await add(steady, 'limit', 'a');
  now = 2_000;
  expect(await steady.read('limit', 'key')).toEqual(['a']);
  state.writes = true;
  // The failed merge began another rest.
  now = 3_999;
  expect(await add(steady, 'limit', 'b')).toBe(2);
  expect(await inner.read('limit', 'key')).toBeUndefined();
  now = 4_000;
  expect(await add(steady, 'limit', 'c')).toBe(3);
  expect(await inner.read('limit', 'key')).toEqual(['a', 'b', 'c']);
});

test('calls that come while the records are merged wait for the one merge', async () => {
  const { state, records } = breakable();
  let now = 0;
  let merges = 0;
  const merge = (stored: unknown, own: unknown) => {
    merges += 1;
    return union(stored, own);
  };
  const steady = createFallbackRecords(records, { now: () => now, merge: { limit: merge } });
  state.writes = false;
  await add(steady, 'limit', 'a');
  state.writes = true;
  now = 2_000;
  const found = await Promise.all([1, 2, 3].map(() => steady.read('limit', 'key')));
  expect(found).toEqual([['a'], ['a'], ['a']]);
  expect(merges).toBe(1);
});

test('a record that was deleted in memory stays deleted there', async () => {
  const { state, records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  await add(steady, 'limit', 'a');
  state.writes = false;
  await steady.update('limit', 'key', () => ({ state: undefined, result: undefined }));
  expect(await steady.read('limit', 'key')).toBeUndefined();
});

test('records with the same key in two namespaces, or two keys in one, are different records in memory', async () => {
  const { state, records } = breakable();
  const steady = createFallbackRecords(records, { now: () => 0, merge: {} });
  await add(steady, 'limit', 'stored');
  await add(steady, 'other', 'stored too');
  state.writes = false;
  expect(await add(steady, 'limit', 'b')).toBe(2);
  expect(await steady.read('other', 'key')).toEqual(['stored too']);
});
