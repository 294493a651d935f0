/** What a report covers once it is imported, and what of its rows is stored. */
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../../src/core/endpoints/index.ts';
import { type HistoryKind, historyKinds } from '../../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../../src/features/history/memory-store.ts';
import { emptyMirror, type MirrorState } from '../../../../src/features/history/mirror-state.ts';
import type { ReportRowOfAnyKind } from '../../../../src/features/history/reports/build-rows.ts';
import { importReport } from '../../../../src/features/history/reports/import-report.ts';
import type { ReportFile, UnreadRow } from '../../../../src/features/history/reports/read-report.ts';
import { deposit, dividend, filled, iso } from '../../../support/fake-history.ts';
import { everything, fileOf } from './support.ts';

const from = Date.parse('2025-01-01T00:00:00Z');
const to = Date.parse('2026-01-01T00:00:00Z');
const later = to + 86_400_000;

const report = (change: object = {}) =>
  ({ reportId: '8', timeFrom: iso(from), timeTo: iso(to), dataIncluded: everything, ...change }) as Report;

const rowAt = (kind: HistoryKind, at: number, change: object = {}): ReportRowOfAnyKind =>
  ({
    kind,
    row: { orders: filled(at, 1), dividends: dividend(at, 1), transactions: deposit(at, 1) }[kind],
    at,
    line: 2,
    id: '1',
    tickerIsShort: false,
    ...change,
  }) as never;

async function importInto(file: ReportFile, made: Report = report(), requestedAt: number | undefined = later) {
  const store = createMemoryHistory();
  const known: MirrorState = {
    ...emptyMirror,
    nextId: 4,
    reports: [
      { reportId: '7', from: 1, to: 2, shortTickers: 0 },
      { reportId: '8', from: 3, to: 4, shortTickers: 9 },
    ],
  };
  for (const kind of historyKinds)
    await store.change({ account: 'account', kind }, async (tx) => {
      await tx.setState(known);
      const old = { at: 3, ticker: undefined, type: undefined, isFinal: true, segment: 0, data: '{"old":true}' };
      await tx.put('report:8', [{ ...old, key: '0000099' }]);
      await tx.put('report:7', [{ ...old, key: '0000000' }]);
    });
  const result = await importReport(store, 'account', made, file, requestedAt);
  const look = (kind: HistoryKind, source: 'report:8' | 'report:7' = 'report:8') =>
    store.read({ account: 'account', kind }, async (tx) => {
      const part = (await tx.state())?.reports.find(({ reportId }) => reportId === '8');
      const spans = [{ source, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
      return { part, rows: await tx.rows({ spans }), find: await tx.count({ spans, ticker: 'A_US_EQ' }) };
    });
  return { result, look, store };
}

describe('a report covers', () => {
  const partOf = async (made: Report, requestedAt: number) => {
    const { look } = await importInto(fileOf([]), made, requestedAt);
    const { part } = await look('dividends');
    return part && [part.from, part.to];
  };
  test.each<[string, object, number | undefined, number | undefined, readonly number[]]>([
    ['its range', {}, later, undefined, [from, to]],
    ['full seconds of it', { timeFrom: iso(from + 1), timeTo: iso(to + 999) }, later, undefined, [from + 1000, to]],
    ['no more than until it was requested', {}, to - 500, undefined, [from, to - 1000]],
    ['no more than until its newest row where no request is known', {}, undefined, from + 7_200, [from, from + 7_000]],
  ])('%s', async (_, change, requestedAt, newest, expected) => {
    const store = createMemoryHistory();
    const rows = newest === undefined ? [] : [rowAt('dividends', newest)];
    await importReport(store, 'account', report(change), fileOf(rows), requestedAt);
    const state = await store.read({ account: 'account', kind: 'dividends' }, (tx) => tx.state());
    expect(state?.reports).toEqual([{ reportId: '8', from: expected[0], to: expected[1], shortTickers: 0 }]);
  });

  const unchanged = [3, 4];
  test.each<[string, object, number, string]>([
    [
      'does not name itself',
      { reportId: undefined },
      later,
      'the service does not state which range the report covers',
    ],
    ['has no beginning', { timeFrom: undefined }, later, 'the service does not state which range the report covers'],
    ['has no end', { timeTo: undefined }, later, 'the service does not state which range the report covers'],
    ['was requested in its first second', {}, from + 999, 'it covers no time before the moment it was generated'],
  ])('nothing where it %s, and an earlier import stays', async (_, change, requestedAt, reason) => {
    const { result } = await importInto(fileOf([rowAt('dividends', from)]), report(change), requestedAt);
    expect(result).toEqual({ rows: {}, reason });
    expect(await partOf(report(change), requestedAt)).toEqual(unchanged);
  });

  test('a second where it was requested after one', async () => {
    expect(await partOf(report(), from + 1000)).toEqual([from, from + 1000]);
  });

  test.each([
    [{ reason: 'line 7 is cut off' }, 'line 7 is cut off'],
    [{}, 'the file is incomplete'],
  ])('nothing where its file is incomplete', async (change, reason) => {
    const file = { ...fileOf([]), isComplete: false, ...change };
    expect((await importInto(file)).result).toEqual({ rows: {}, reason });
  });

  test.each<[object | undefined, readonly HistoryKind[]]>([
    [everything, ['orders', 'dividends', 'transactions']],
    [{ ...everything, includeOrders: false }, ['dividends', 'transactions']],
    [{ ...everything, includeDividends: false }, ['orders', 'transactions']],
    [{ ...everything, includeTransactions: false }, ['orders', 'dividends']],
    [{ ...everything, includeInterest: false }, ['orders', 'dividends']],
    [{}, []],
    [undefined, []],
  ])('the kinds that it includes completely: %j', async (dataIncluded, kinds) => {
    const { result } = await importInto(fileOf([]), report({ dataIncluded }));
    expect(result).toEqual({ rows: Object.fromEntries(kinds.map((kind) => [kind, 0])) });
  });
});

test('the rows of an earlier import of the same report are replaced, those of another stay', async () => {
  const rows = [rowAt('dividends', from + 5_000), rowAt('transactions', from), rowAt('dividends', from + 9_000)];
  const { result, look, store } = await importInto(fileOf(rows));
  expect(result).toEqual({ rows: { orders: 0, dividends: 2, transactions: 1 } });
  const found = await look('dividends');
  expect(found.rows.map(({ key, at, data }) => [key, at, JSON.parse(data).fromReport])).toEqual([
    ['0000001', from + 9_000, true],
    ['0000000', from + 5_000, true],
  ]);
  expect(found.part).toEqual({ reportId: '8', from, to, shortTickers: 0 });
  expect((await look('orders')).rows).toEqual([]);
  expect((await look('dividends', 'report:7')).rows.length).toBe(1);
  const state = await store.read({ account: 'account', kind: 'dividends' }, (tx) => tx.state());
  expect([state?.nextId, state?.reports.map(({ reportId }) => reportId)]).toEqual([4, ['8', '7']]);
});

test('more rows than one transaction writes are all stored', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => rowAt('transactions', from + index * 1000));
  const { result, look } = await importInto(fileOf(rows));
  expect(result.rows.transactions).toBe(2_500);
  expect((await look('transactions')).rows.length).toBe(2_500);
});

test('a row with a short name is found by no ticker, and the oldest of them is remembered', async () => {
  const short = { tickerIsShort: true };
  const rows = [
    rowAt('dividends', from + 9_000, short),
    rowAt('dividends', from + 5_000, short),
    rowAt('dividends', from),
  ];
  const { look } = await importInto(fileOf(rows));
  const { part, find } = await look('dividends');
  expect(part).toEqual({ reportId: '8', from, to, shortTickers: 2, oldestShortAt: from + 5_000 });
  expect(find).toBe(1);
  expect((await look('orders')).part).toEqual({ reportId: '8', from, to, shortTickers: 0 });
});

describe('rows that could not be read', () => {
  const unread = (at: number | undefined, kinds: readonly HistoryKind[] = ['dividends'], code = 'unknown_action') =>
    ({ line: 2, action: 'x', code, reason: '', at, kinds }) as UnreadRow;
  const holesOf = async (rows: readonly UnreadRow[], kind: HistoryKind = 'dividends') =>
    (await (await importInto(fileOf([], rows))).look(kind)).part?.holes;
  const second = (at: number) => ({ from: at, to: at + 1000 });

  test('leave out their second, for the kinds that they may be of', async () => {
    expect(await holesOf([unread(from + 5_999)])).toEqual([second(from + 5_000)]);
    expect(await holesOf([unread(from + 5_999)], 'orders')).toBeUndefined();
  });
  test('that share a second or are of seconds in a row leave out one part', async () => {
    expect(await holesOf([unread(from + 6_000), unread(from + 5_000), unread(from + 5_500)])).toEqual([
      { from: from + 5_000, to: from + 7_000 },
    ]);
  });
  test('outside of what the report covers leave out nothing', async () => {
    expect(await holesOf([unread(to)])).toBeUndefined();
    expect(await holesOf([unread(from - 1)])).toBeUndefined();
    expect(await holesOf([unread(from)])).toEqual([second(from)]);
  });
  test('without a time leave out all of it', async () => {
    expect(await holesOf([unread(from + 5_000), unread(undefined)])).toEqual([{ from, to }]);
  });
  test('are counted by their code', async () => {
    const { result } = await importInto(fileOf([], [unread(from), unread(from), unread(from, [], 'unreadable_time')]));
    expect(result.unread).toEqual({ unknown_action: 2, unreadable_time: 1 });
  });
});
