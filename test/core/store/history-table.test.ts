/** The rows of a history as the mirror keeps them. */
import { expect, test } from 'vitest';
import { createHistoryTable } from '../../../src/core/store/history-table.ts';
import { type StoredRow, undatedSortKey } from '../../../src/features/history/row-store.ts';
import { loadAnew } from '../../support/load-anew.ts';
import { all, filteredRows, pages, historyRow as row, rowFilters } from '../../support/row-filters.ts';
import { openMemory } from './support.ts';

const place = { account: 'a', kind: 'orders' };
async function open(rows: readonly StoredRow[] = []) {
  const table = createHistoryTable<{ n: number }>(await openMemory());
  await table.change(place, (tx) => tx.put('pages', rows));
  type View = Parameters<Parameters<typeof table.read>[1]>[0];
  return {
    ...table,
    look: <Result>(work: (tx: View) => Promise<Result>, where = place) => table.read(where, work),
  };
}

const keysOf = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key);

test('rows are read as they were written, the newest first, and those of one moment by descending key', async () => {
  const { look } = await open([row('b', 2), row('c', 2), row('a', 3), row('d', 1)]);
  expect(await look((tx) => tx.rows(all))).toEqual([
    { key: 'a', at: 3, data: '{"key":"a"}' },
    { key: 'c', at: 2, data: '{"key":"c"}' },
    { key: 'b', at: 2, data: '{"key":"b"}' },
    { key: 'd', at: 1, data: '{"key":"d"}' },
  ]);
  expect(keysOf(await look((tx) => tx.rows(all, 2)))).toEqual(['a', 'c']);
  expect(await look((tx) => tx.rows(all, 0))).toEqual([]);
  expect(await look((tx) => tx.count(all))).toBe(4);
});

test.each(rowFilters)('the rows %s are selected and counted', async (_, filter, expected) => {
  const { look, change } = await open(filteredRows);
  await change(place, (tx) => tx.put('report:1', [row('r', 2)]));
  expect(keysOf(await look((tx) => tx.rows(filter)))).toEqual(expected);
  expect(await look((tx) => tx.count(filter))).toBe(expected.length);
});

test('the rows, the state and the version of one account and kind are not those of another', async () => {
  const { look, change } = await open([row('a', 1, { type: 'BUY', isFinal: false })]);
  await change(place, (tx) => tx.setState({ n: 1 }));
  for (const other of [
    { ...place, account: 'b' },
    { ...place, kind: 'dividends' },
  ]) {
    expect(await look((tx) => tx.rows(all), other)).toEqual([]);
    expect(await look((tx) => tx.count(all), other)).toBe(0);
    expect(await look((tx) => tx.bounds(all), other)).toBeUndefined();
    expect(await look((tx) => tx.types(), other)).toEqual([]);
    expect(await look((tx) => tx.known(['a']), other)).toEqual([]);
    expect(await look((tx) => tx.oldestOpen(0), other)).toBeUndefined();
    expect(await look((tx) => tx.state(), other)).toBeUndefined();
    expect(await look((tx) => tx.rowsVersion(), other)).toBe('0');
    await change(other, async (tx) => {
      await tx.moveSegment(1, 9);
      await tx.remove('pages');
      await tx.setState({ n: 2 });
    });
  }
  expect(await look((tx) => tx.known(['a']))).toMatchObject([{ key: 'a', segment: 1 }]);
  expect(await look((tx) => tx.state())).toEqual({ n: 1 });
});

test('a row that is written again is replaced in every part; the same key of another source is another row', async () => {
  const { look, change } = await open([row('a', 1, { ticker: 'X', type: 'BUY', isFinal: false })]);
  await change(place, (tx) => tx.put('pages', [row('a', 2, { ticker: 'Y', type: 'SELL', segment: 3, data: '{}' })]));
  await change(place, (tx) => tx.put('report:1', [row('a', 5, { segment: 0 })]));
  expect(await look((tx) => tx.rows({ ...all, ticker: 'Y', types: ['SELL'] }))).toEqual([
    { key: 'a', at: 2, data: '{}' },
  ]);
  expect(await look((tx) => tx.known(['a', 'b']))).toEqual([{ key: 'a', segment: 3, data: '{}', isFinal: true }]);
  expect(await look((tx) => tx.oldestOpen(0))).toBeUndefined();
});

test('the page rows of some keys are found, with whether each is final', async () => {
  const { look } = await open([row('a', 1, { isFinal: false }), row('b', 2, { segment: 4 }), row('c', 3)]);
  const found = await look((tx) => tx.known(['b', 'a', 'z']));
  expect([...found].sort((x, y) => x.key.localeCompare(y.key))).toEqual([
    { key: 'a', segment: 1, data: '{"key":"a"}', isFinal: false },
    { key: 'b', segment: 4, data: '{"key":"b"}', isFinal: true },
  ]);
  expect(await look((tx) => tx.known([]))).toEqual([]);
});

test('the oldest row that can still change is found from a time on', async () => {
  const open2 = { isFinal: false };
  const { look } = await open([row('a', 1, open2), row('b', 2), row('c', 3, open2), row('d', 5, open2)]);
  expect(await look((tx) => tx.oldestOpen(0))).toBe(1);
  expect(await look((tx) => tx.oldestOpen(1))).toBe(1);
  expect(await look((tx) => tx.oldestOpen(2))).toBe(3);
  expect(await look((tx) => tx.oldestOpen(6))).toBeUndefined();
});

test('the first and the last date are those of rows with a date', async () => {
  const { look } = await open([row('a', 3), row('b', 8), row('c', undatedSortKey), row('d', undatedSortKey + 1)]);
  expect(await look((tx) => tx.bounds(all))).toEqual({ oldest: 3, newest: 8 });
  expect(await look((tx) => tx.bounds({ spans: [{ ...pages, from: 4 }] }))).toEqual({ oldest: 8, newest: 8 });
  expect(await look((tx) => tx.bounds({ spans: [{ ...pages, from: 9 }] }))).toBeUndefined();
  expect(keysOf(await look((tx) => tx.rows(all)))).toEqual(['d', 'c', 'b', 'a']);
});

test('a date of 1970 is a date', async () => {
  const { look } = await open([row('a', 0)]);
  expect(await look((tx) => tx.bounds(all))).toEqual({ oldest: 0, newest: 0 });
});

test('the types of the rows are listed once each, by alphabet, without rows that have none', async () => {
  const { look } = await open([
    row('a', 1, { type: 'SELL' }),
    row('b', 2, { type: 'BUY' }),
    row('c', 3, { type: 'SELL' }),
    row('d', 4),
  ]);
  expect(await look((tx) => tx.types())).toEqual(['BUY', 'SELL']);
});

test('rows are removed by key or all at once, and those of another source stay', async () => {
  const { look, change } = await open([row('a', 1), row('b', 2), row('c', 3)]);
  await change(place, (tx) => tx.put('report:1', [row('a', 1), row('r', 2)]));
  const report = { spans: [{ ...pages, source: 'report:1' }] };
  await change(place, (tx) => tx.remove('pages', ['a', 'c', 'z']));
  expect(keysOf(await look((tx) => tx.rows(all)))).toEqual(['b']);
  await change(place, (tx) => tx.remove('pages'));
  expect(await look((tx) => tx.rows(all))).toEqual([]);
  expect(keysOf(await look((tx) => tx.rows(report)))).toEqual(['r', 'a']);
});

test('the rows of a segment move to another segment', async () => {
  const { look, change } = await open([row('a', 1), row('b', 2, { segment: 2 }), row('c', 3, { segment: 3 })]);
  await change(place, (tx) => tx.moveSegment(2, 3));
  const segments = await look((tx) => tx.known(['a', 'b', 'c']));
  expect(Object.fromEntries(segments.map(({ key, segment }) => [key, segment]))).toEqual({ a: 1, b: 3, c: 3 });
});

test('the name of the rows as they are changes with each write and removal, and with nothing else', async () => {
  const { look, change } = await open();
  const version = () => look((tx) => tx.rowsVersion());
  expect(await version()).toBe('0');
  const seen = new Set<string>();
  const changes = [
    (tx: Parameters<Parameters<typeof change>[1]>[0]) => tx.put('pages', [row('a', 1), row('b', 2), row('c', 3)]),
    (tx: Parameters<Parameters<typeof change>[1]>[0]) => tx.put('pages', [row('a', 1)]),
    (tx: Parameters<Parameters<typeof change>[1]>[0]) => tx.remove('pages', ['a']),
    (tx: Parameters<Parameters<typeof change>[1]>[0]) => tx.remove('pages', ['z', 'b', 'y']),
    (tx: Parameters<Parameters<typeof change>[1]>[0]) => tx.remove('pages'),
  ];
  for (const work of changes) {
    await change(place, work);
    const now = await version();
    expect(now).toMatch(/^"[0-9a-f-]{36}"$/);
    seen.add(now);
    await change(place, async (tx) => {
      await tx.put('pages', []);
      await tx.remove('pages', []);
      await tx.remove('pages', ['z']);
      await tx.remove('report:1');
      await tx.moveSegment(1, 2);
      await tx.setState({ n: seen.size });
    });
    expect(await version()).toBe(now);
  }
  expect(seen.size).toBe(changes.length);
});

test('the state is the last one written, and a change that fails leaves everything as it was', async () => {
  const { look, change } = await open([row('a', 1)]);
  expect(await look((tx) => tx.state())).toBeUndefined();
  await change(place, (tx) => tx.setState({ n: 1 }));
  await change(place, (tx) => tx.setState({ n: 2 }));
  const before = await look((tx) => tx.rowsVersion());
  const failing = change(place, async (tx) => {
    await tx.put('pages', [row('b', 2)]);
    await tx.setState({ n: 3 });
    throw new Error('in the middle');
  });
  await expect(failing).rejects.toThrow('in the middle');
  expect(await look((tx) => tx.state())).toEqual({ n: 2 });
  expect(keysOf(await look((tx) => tx.rows(all)))).toEqual(['a']);
  expect(await look((tx) => tx.rowsVersion())).toBe(before);
});

test('each kind of record of the mirror has a namespace of its own', async () => {
  const anew = await loadAnew<typeof import('../../../src/core/store/history-table.ts')>(
    'src/core/store/history-table.ts',
  );
  const engine = await openMemory();
  await anew.createHistoryTable<object>(engine).change(place, async (tx) => {
    await tx.put('pages', [row('a', Number.MAX_SAFE_INTEGER)]);
    await tx.setState({ n: 1 });
    expect(await tx.bounds(all)).toBeUndefined();
    // The largest time that a column can hold is the end of every span.
    expect(await tx.rows({ spans: [{ ...pages, to: Number.MAX_SAFE_INTEGER }] })).toEqual([]);
    expect(await tx.rows({ spans: [{ ...pages, from: Number.MAX_SAFE_INTEGER - 1 }] })).toEqual([]);
  });
  const names = await engine.read((db) => db.all('SELECT space, name FROM records ORDER BY space'));
  expect(names).toEqual([
    { space: 'mirror', name: 'a orders' },
    { space: 'mirror-rows', name: 'a orders' },
  ]);
});
