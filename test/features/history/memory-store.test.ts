/** The history in memory, for a process whose database cannot be used: it selects rows as the database does. */
import { describe, expect, test } from 'vitest';
import { createFallbackHistory, createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import { emptyMirror } from '../../../src/features/history/mirror-state.ts';
import {
  type HistoryChange,
  type HistoryStore,
  type RowFilter,
  type StoredRow,
  undatedSortKey,
} from '../../../src/features/history/row-store.ts';
import { all, filteredRows, pages, historyRow as row, rowFilters } from '../../support/row-filters.ts';

const place = { account: 'a', kind: 'orders' } as const;
async function open(rows: readonly StoredRow[]) {
  const store = createMemoryHistory();
  const change = <Result>(work: (tx: HistoryChange) => Promise<Result>) => store.change(place, work);
  await change((tx) => tx.put('pages', rows));
  return { store, change };
}

test.each(rowFilters)('the rows %s are selected and counted', async (_, filter, expected) => {
  const { change } = await open(filteredRows);
  await change((tx) => tx.put('report:1', [row('r', 2)]));
  const [rows, first, count] = await change(async (tx) => [
    await tx.rows(filter),
    await tx.rows(filter, 1),
    await tx.count(filter),
  ]);
  expect(rows.map(({ key }) => key)).toEqual(expected);
  expect(first.map(({ key }) => key)).toEqual(expected.slice(0, 1));
  expect(count).toBe(expected.length);
});

test('types are named once in alphabetical order, and dates are those of rows with a date', async () => {
  const { change } = await open([row('u', undatedSortKey), ...filteredRows.toReversed()]);
  expect(await change((tx) => tx.types())).toEqual(['BUY', 'SELL']);
  expect(await change((tx) => tx.bounds(all))).toEqual({ oldest: 1, newest: 4 });
  expect(await change((tx) => tx.bounds({ spans: [{ ...pages, from: undatedSortKey }] }))).toBeUndefined();
});

test('the oldest row that is not final is found, down to a moment', async () => {
  const { change } = await open([row('a', 1, { isFinal: false }), row('b', 2), row('c', 3, { isFinal: false })]);
  expect(await change((tx) => tx.oldestOpen(1))).toBe(1);
  expect(await change((tx) => tx.oldestOpen(2))).toBe(3);
  expect(await change((tx) => tx.oldestOpen(3))).toBe(3);
  expect(await change((tx) => tx.oldestOpen(4))).toBeUndefined();
});

test('only page rows are known by their key, a row replaces its earlier form, and a source is removed alone', async () => {
  const { change } = await open(filteredRows);
  await change((tx) => tx.put('pages', [row('a', 9, { segment: 3 })]));
  await change((tx) => tx.put('report:1', [row('r', 2), row('a', 2)]));
  const known = (keys: readonly string[]) => change((tx) => tx.known(keys));
  expect(await known(['a', 'r', 'z'])).toMatchObject([{ key: 'a', at: 9, segment: 3 }]);
  await change((tx) => tx.moveSegment(1, 3));
  expect((await known(['b'])).map(({ segment }) => segment)).toEqual([3]);
  await change((tx) => tx.remove('pages', ['b', 'r']));
  expect(await change((tx) => tx.count(all))).toBe(4);
  const report: RowFilter = { spans: [{ ...pages, source: 'report:1' }] };
  expect(await change((tx) => tx.count(report))).toBe(2);
  await change((tx) => tx.remove('report:1'));
  expect([await change((tx) => tx.count(report)), await change((tx) => tx.count(all))]).toEqual([0, 4]);
});

test('the version changes with rows that are written or removed, and with nothing else', async () => {
  const { change } = await open(filteredRows);
  const versions: string[] = [];
  const note = async (work: (tx: HistoryChange) => Promise<unknown>) => {
    await change(work);
    versions.push(await change((tx) => tx.rowsVersion()));
  };
  await note((tx) => tx.setState(emptyMirror));
  await note((tx) => tx.put('pages', []));
  await note((tx) => tx.put('pages', [row('f', 5)]));
  await note((tx) => tx.remove('pages', ['f']));
  expect(versions).toEqual(['memory 1', 'memory 1', 'memory 2', 'memory 3']);
});

test('each account and kind has a history of its own', async () => {
  const { store, change } = await open(filteredRows);
  await change((tx) => tx.setState(emptyMirror));
  for (const other of [
    { ...place, account: 'b' },
    { ...place, kind: 'dividends' as const },
  ])
    expect(await store.read(other, async (tx) => [await tx.state(), await tx.count(all)])).toEqual([undefined, 0]);
});

test('a transaction that fails does not keep the next one from running', async () => {
  const { change } = await open(filteredRows);
  await expect(change(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await change((tx) => tx.count(all))).toBe(5);
});

describe('memory takes the place of the database', () => {
  const broken = new Error('the database is broken');
  function fallback(options: { hasFailed?: () => boolean } = {}) {
    let time = 1_000;
    let fails = true;
    const database = createMemoryHistory();
    const guard: HistoryStore = {
      change: (at, work) => (fails ? Promise.reject(broken) : database.change(at, work)),
      read: (at, work) => (fails ? Promise.reject(broken) : database.read(at, work)),
    };
    const store = createFallbackHistory(guard, {
      now: () => time,
      hasFailed: options.hasFailed ?? (() => false),
      isStoreError: (error) => error === broken,
    });
    return {
      store,
      database,
      pass: (ms: number) => {
        time += ms;
      },
      heal: () => {
        fails = false;
      },
    };
  }
  const count = (store: HistoryStore) => store.read(place, (tx) => tx.count(all));

  test('for five seconds after it failed', async () => {
    const { store, pass, heal } = fallback();
    await store.change(place, (tx) => tx.put('pages', filteredRows));
    heal();
    pass(4_999);
    expect(await count(store)).toBe(5);
    pass(1);
    expect(await count(store)).toBe(0);
  });

  test('while it is known to have failed', async () => {
    let hasFailed = true;
    const { store, heal } = fallback({ hasFailed: () => hasFailed });
    heal();
    await store.change(place, (tx) => tx.put('pages', filteredRows));
    expect(await count(store)).toBe(5);
    hasFailed = false;
    expect(await count(store)).toBe(0);
  });

  test('not for an error of the work itself', async () => {
    const { store, database, heal } = fallback();
    heal();
    await expect(store.read(place, () => Promise.reject(new TypeError('wrong')))).rejects.toThrow('wrong');
    await store.change(place, (tx) => tx.put('pages', filteredRows));
    expect(await count(database)).toBe(5);
  });
});
