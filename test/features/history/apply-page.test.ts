/** What one page changes in what is known about a list, and when it is not written. */
import { describe, expect, test } from 'vitest';
import type { PageCursor } from '../../../src/core/broker/types.ts';
import { applyPage, type PageRead } from '../../../src/features/history/apply-page.ts';
import { type HistoryKind, kinds, rowKeys } from '../../../src/features/history/kinds.ts';
import { createMemoryHistory } from '../../../src/features/history/memory-store.ts';
import {
  emptyMirror,
  type MirrorState,
  type Recheck,
  type Segment,
} from '../../../src/features/history/mirror-state.ts';
import { dayMs, deposit, filled, iso, minuteMs, segmentOf, startAt } from '../../support/fake-history.ts';

const now = startAt;
const at = (cursor: string): PageCursor => ({ limit: '50', cursor, time: 'any' });

const segment = (change: Partial<Segment> = {}): Segment =>
  segmentOf({ askedAt: now - 20 * minuteMs, answeredAt: now - 20 * minuteMs, next: at('7'), ...change });

/** Rows of the days before, newest first. */
const rowsOf = (kind: HistoryKind, days: readonly number[]) =>
  days.map((day) => (kind === 'orders' ? filled(now - day * dayMs, day) : deposit(now - day * dayMs, day)));
const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const everything = {
  spans: [{ source: 'pages' as const, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }],
};

/** A store with this state, and for each segment the rows of these days. */
async function begin(
  known: Partial<MirrorState>,
  stored: Readonly<Record<number, readonly object[]>> = {},
  kind: HistoryKind = 'transactions',
) {
  const store = createMemoryHistory();
  const place = { account: 'account', kind };
  await store.change(place, async (tx) => {
    await tx.setState({ ...emptyMirror, nextId: 9, ...known });
    for (const [own, rows] of Object.entries(stored)) {
      const keys = rowKeys(kinds[kind] as never, rows);
      const facts = kinds[kind] as never as (typeof kinds)['orders'];
      await tx.put(
        'pages',
        rows.map((row, index) => ({
          key: keys[index] as string,
          at: Date.parse(facts.getDate(row as never) ?? ''),
          ticker: undefined,
          type: undefined,
          isFinal: facts.isFinal(row as never),
          segment: Number(own),
          data: JSON.stringify(row),
        })),
      );
    }
  });
  /** `read` without a place in the list is the newest page. */
  const apply = (rows: readonly object[], next: PageCursor | undefined, read: Partial<PageRead> = {}, asked = now) =>
    store.change(place, (tx) =>
      applyPage(
        tx,
        kind,
        {
          page: { items: rows, next, askedAt: asked, answeredAt: asked } as never,
          query: { limit: '50' },
          continues: undefined,
          epoch: 4,
          ...read,
        },
        now,
      ),
    );
  const look = () =>
    store.read(place, async (tx) => {
      const rows = await tx.rows(everything);
      const found = await tx.known(rows.map(({ key }) => key));
      return {
        state: (await tx.state()) as MirrorState,
        rows: rows.length,
        segments: [...new Set(found.map((row) => row.segment))].sort(),
        data: rows.map(({ data }) => JSON.parse(data)),
      };
    });
  return { apply, look };
}

const second = { query: at('7'), continues: 1 } as const;

test('the first page of all makes a segment', async () => {
  const { apply, look } = await begin({ nextId: 1 });
  expect(await apply(rowsOf('transactions', [1, 2]), at('8'))).toBe('written');
  const { state, rows, segments } = await look();
  expect([rows, segments]).toEqual([2, [1]]);
  expect(state).toEqual({
    ...emptyMirror,
    nextId: 2,
    stretches: [
      {
        ...segment({ askedAt: now, answeredAt: now, epoch: 4, next: at('8'), pages: 1 }),
        boundary: { cursor: 'unknown', doubt: undefined },
        lastAt: now - 2 * dayMs,
        reach: now - dayMs,
        deepest: now - 2 * dayMs,
      },
    ],
  });
});

test('a newer page becomes a segment above the others, which remembers what is known of the cursors', async () => {
  const { apply, look } = await begin({ stretches: [segment()], nextId: 5 }, { 1: rowsOf('transactions', [9]) });
  expect(await apply(rowsOf('transactions', [1, 2]), at('8'))).toBe('written');
  const { state, segments } = await look();
  expect(state.stretches.map(({ id, epoch, boundary }) => [id, epoch, boundary.cursor])).toEqual([
    [5, 4, 'exact'],
    [1, 3, 'exact'],
  ]);
  expect([state.nextId, segments]).toEqual([6, [1, 5]]);
});

test.each([
  ['older than', -1, 'late'],
  ['as old as', 0, 'late'],
  ['newer than', 1, 'written'],
])('a newest page %s the one that is known is %s', async (_, ms, expected) => {
  const { apply, look } = await begin({ stretches: [segment()] });
  expect(await apply(rowsOf('transactions', [1]), at('8'), {}, now - 20 * minuteMs + ms)).toBe(expected);
  expect((await look()).rows).toBe(expected === 'late' ? 0 : 1);
});

describe('a page that continues a segment', () => {
  test.each<[string, Partial<PageRead>, Partial<Segment>, string]>([
    ['is written where the segment ends', second, {}, 'written'],
    [
      'is the same with its fields in another order',
      { ...second, query: { time: 'any', cursor: '7', limit: '50' } },
      {},
      'written',
    ],
    ['is late after another process has read it', { ...second, query: at('6') }, {}, 'late'],
    ['is late after the segment was read to the end', second, { next: undefined }, 'late'],
    ['is late below another segment', { ...second, continues: 2 }, {}, 'late'],
  ])('%s', async (_, read, change, expected) => {
    const { apply, look } = await begin({ stretches: [segment(change)] });
    expect(await apply(rowsOf('transactions', [1]), at('8'), read)).toBe(expected);
    const { state, rows } = await look();
    expect([rows, state.stretches[0]?.pages, state.nextId]).toEqual(expected === 'late' ? [0, 2, 9] : [1, 3, 9]);
  });
});

describe('a walk that meets an older segment', () => {
  const top = segment({ id: 3, askedAt: now - minuteMs, answeredAt: now - minuteMs, epoch: 6, pages: 1 });
  const below = segment({ id: 2, next: at('below') });
  const oldest = segment({ id: 1, next: at('oldest') });
  const stretches = [top, below, oldest];
  const stored = { 2: rowsOf('transactions', days(11, 20)), 1: rowsOf('transactions', [40]) };
  const meeting = rowsOf('transactions', [9, 10, 11, 12, 13, 14, 15]);
  const read = { query: at('7'), continues: 3 } as const;

  test('is one segment with it, with the rows of both', async () => {
    const { apply, look } = await begin({ stretches }, stored);
    expect(await apply(meeting, at('8'), read)).toBe('written');
    const { state, rows, segments } = await look();
    expect(state.stretches.map(({ id, next, epoch, pages }) => [id, next, epoch, pages])).toEqual([
      [2, at('below'), 6, 4],
      [1, at('oldest'), 3, 2],
    ]);
    expect([rows, segments, state.nextId]).toEqual([13, [1, 2], 9]);
  });

  test('is not one with it before the last five rows of a page are known', async () => {
    const { apply, look } = await begin({ stretches }, stored);
    await apply(rowsOf('transactions', [8, 9, 10, 11, 12, 13, 14]), at('8'), read);
    expect((await look()).state.stretches.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test('covers all older segments where the list ends in it', async () => {
    const { apply, look } = await begin({ stretches }, stored);
    expect(await apply(meeting, undefined, read)).toBe('written');
    const { state } = await look();
    expect(state.stretches.map(({ id, next }) => [id, next])).toEqual([[2, undefined]]);
  });
});

test('a walk that reaches the end of the list covers all older segments, and has their rows', async () => {
  const stretches = [segment({ id: 3 }), segment({ id: 2 }), segment({ id: 1 })];
  const stored = { 2: rowsOf('transactions', [5]), 1: rowsOf('transactions', [6]) };
  const { apply, look } = await begin({ stretches }, stored);
  expect(await apply(rowsOf('transactions', [5, 6, 7]), undefined, { query: at('7'), continues: 3 })).toBe('written');
  const { state, segments, rows } = await look();
  expect(state.stretches.map(({ id, next }) => [id, next])).toEqual([[3, undefined]]);
  expect([segments, rows]).toEqual([[3], 3]);
});

test.each([
  ['a row before it', 31, undefined],
  ['a row at it', 30, now - 30 * dayMs],
  ['no row before it', 29, now - 30 * dayMs],
])('the assumed beginning of the history after %s', async (_, day, expected) => {
  const { apply, look } = await begin({ stretches: [segment()], beginsAt: now - 30 * dayMs });
  await apply(rowsOf('transactions', [1, day]), at('8'), second);
  expect((await look()).state.beginsAt).toBe(expected);
});

test('a row without a date does not change the assumed beginning', async () => {
  const { apply, look } = await begin({ stretches: [segment()], beginsAt: now - 30 * dayMs });
  await apply([deposit(now - dayMs, 1, { dateTime: undefined })], at('8'), second);
  expect((await look()).state.beginsAt).toBe(now - 30 * dayMs);
});

describe('the time of a newest page', () => {
  const timesOf = async (answeredAt: number, stored: Readonly<Record<number, readonly object[]>>) => {
    const { apply, look } = await begin({ stretches: [segment({ askedAt: now - 1, answeredAt })] }, stored);
    await apply(rowsOf('transactions', [5]), at('8'), second);
    const [top] = (await look()).state.stretches;
    return [top?.askedAt, top?.answeredAt];
  };
  test('of now is kept', async () => {
    expect(await timesOf(now, { 1: rowsOf('transactions', [4]) })).toEqual([now - 1, now]);
  });
  test('of the future is that of the newest known row, because a wrong clock proves nothing', async () => {
    const rows = [...rowsOf('transactions', [4, 6]), deposit(now + dayMs, 'future')];
    expect(await timesOf(now + 1, { 1: rows })).toEqual([now - 4 * dayMs, now - 4 * dayMs]);
  });
  test('of the future is none where no row is known', async () => {
    expect(await timesOf(now + 1, {})).toEqual([0, 0]);
  });
});

describe('a list that ends', () => {
  const stored = { 1: rowsOf('transactions', [5, 6, 7]) };
  const newest = async (shown: readonly number[]) => {
    const { apply, look } = await begin({ stretches: [segment()] }, stored);
    const result = await apply(rowsOf('transactions', shown), undefined);
    return [result, (await look()).state.stretches[0]?.id];
  };
  test.each<[string, readonly number[], string, number]>([
    ['on its newest page with all rows that were known is the complete list', [5, 6, 7], 'written', 1],
    ['before a row that was known ends early', [5, 6], 'ends_early', 1],
    ['without a row ends early', [], 'ends_early', 1],
    ['with a new row and all that were known is the complete list', [4, 5, 6, 7], 'written', 9],
  ])('%s', async (_, shown, result, id) => {
    expect(await newest(shown)).toEqual([result, id]);
  });

  test('may end within the second of its last row, because services cut at seconds', async () => {
    const last = deposit(now - 5 * dayMs + 900, 'last');
    const older = { 1: [last, deposit(now - 5 * dayMs, 'same second')] };
    const { apply } = await begin({ stretches: [segment()] }, older);
    expect(await apply([last], undefined)).toBe('written');
    const before = { 1: [last, deposit(now - 5 * dayMs - 1, 'second before')] };
    const other = await begin({ stretches: [segment()] }, before);
    expect(await other.apply([last], undefined)).toBe('ends_early');
  });

  test('has an order that was never filled among its own rows, although it is older', async () => {
    const cancelled = { ...filled(now - 30 * dayMs, 30, { status: 'CANCELLED' }), fill: null };
    const rows = [...rowsOf('orders', [5]), cancelled];
    const { apply } = await begin({ stretches: [segment()] }, { 1: rows }, 'orders');
    expect(await apply(rows, undefined)).toBe('written');
    const other = await begin({ stretches: [segment()] }, { 1: [...rows, ...rowsOf('orders', [20])] }, 'orders');
    expect(await other.apply(rows, undefined)).toBe('ends_early');
  });

  test.each<[string, Partial<Segment>, readonly number[], string]>([
    ['an empty page at first', { deepest: now - 5 * dayMs, lastAt: now - 5 * dayMs }, [], 'ends_early'],
    [
      'an empty page again, as far down as before',
      { deepest: now - 5 * dayMs, lastAt: now - 5 * dayMs, restarts: 1 },
      [],
      'written',
    ],
    [
      'an empty page again, further up than before',
      { deepest: now - 5 * dayMs, lastAt: now - 4 * dayMs, restarts: 1 },
      [],
      'ends_early',
    ],
    ['a page with rows at first', { deepest: now - 9 * dayMs }, [8], 'written'],
    ['a page with rows on a second walk that is as far', { deepest: now - 8 * dayMs, restarts: 1 }, [8], 'written'],
    ['a page with rows on a second walk that is not', { deepest: now - 9 * dayMs, restarts: 1 }, [8], 'ends_early'],
  ])('after %s', async (_, change, shown, result) => {
    const { apply } = await begin({ stretches: [segment(change)] });
    expect(await apply(rowsOf('transactions', shown), undefined, second)).toBe(result);
  });
});

test.each([
  [4, { reason: 'the pages returned by the service form a loop', failures: 1, retryAt: now + 3_600_000 }],
  [3, undefined],
])('after %d pages without a new row another one is tried in an hour or at once', async (idle, trouble) => {
  const { apply, look } = await begin({ stretches: [segment({ idle })] }, { 1: rowsOf('transactions', [5]) });
  await apply(rowsOf('transactions', [5]), at('8'), second);
  expect((await look()).state.stretches[0]?.trouble).toEqual(trouble);
});

test('a walk whose rows have no date starts no second read', async () => {
  const unfilled = days(11, 15).map((day) => ({
    ...filled(now - day * dayMs, day, { status: 'CANCELLED' }),
    fill: null,
  }));
  const open = { ...filled(now - 40 * dayMs, 40, { status: 'NEW' }), fill: null };
  const stretches = [segment({ id: 2 }), segment()];
  const { apply, look } = await begin({ stretches }, { 1: [...unfilled, open] }, 'orders');
  await apply(unfilled, at('8'), { query: at('7'), continues: 2 });
  const { state } = await look();
  expect([state.stretches.map(({ id }) => id), state.recheck]).toEqual([[1], undefined]);
});

test('a list whose rows were skipped is read again from its newest page, with overlapping pages', async () => {
  const trial = { step: 'look' as const, key: 'lost', place: now, resume: at('9') };
  const known = { stretches: [segment({ boundary: { cursor: 'unknown', trial } }), segment({ id: 0 })], beginsAt: 5 };
  const { apply, look } = await begin(known);
  expect(await apply(rowsOf('transactions', [1, 2]), at('8'), second)).toBe('written');
  const { state, rows } = await look();
  const fresh = { id: 9, askedAt: now, answeredAt: now, epoch: 4, next: { limit: '50' }, pages: 0 };
  expect(state).toEqual({
    ...emptyMirror,
    beginsAt: 5,
    nextId: 10,
    stretches: [segment({ ...fresh, boundary: { cursor: 'skips' } })],
  });
  expect(rows).toBe(2);
});

describe('orders that had not ended', () => {
  const open = (day: number) => ({
    order: { id: 1_000 + day, ticker: 'A_US_EQ', status: 'NEW', type: 'LIMIT', createdAt: iso(now - day * dayMs) },
  });
  const running: Recheck = { next: at('running'), openAt: now - 70 * dayMs, seenTo: now - 60 * dayMs, failures: 1 };
  const recheckAfter = async (older: readonly object[], recheck?: Recheck) => {
    const top = segment({ id: 2, askedAt: now - minuteMs, answeredAt: now - minuteMs });
    const stored = { 1: [...rowsOf('orders', days(11, 20)), ...older] };
    const { apply, look } = await begin({ stretches: [top, segment()], recheck }, stored, 'orders');
    await apply(rowsOf('orders', [10, 11, 12, 13, 14, 15]), at('8'), { query: at('7'), continues: 2 });
    return (await look()).state.recheck;
  };
  const started = (day: number) => ({
    next: at('8'),
    openAt: now - day * dayMs,
    seenTo: now - 15 * dayMs,
    failures: 0,
  });

  test.each<[string, readonly object[], Recheck | undefined]>([
    ['are read again from the page on where segments meet', [open(30)], started(30)],
    ['are read again down to the oldest', [open(30), open(40)], started(40)],
    ['are read again up to 92 days later', [open(92)], started(92)],
    ['are not read again after these', [open(93)], undefined],
    ['are not read again where the page has them', [open(15)], undefined],
    ['are not read again where there is none', [], undefined],
  ])('%s', async (_, older, expected) => {
    expect(await recheckAfter(older)).toEqual(expected);
  });

  test('are not read again from the beginning while that is done', async () => {
    expect(await recheckAfter([open(30)], running)).toEqual(running);
  });

  describe('are read again', () => {
    const read = { query: at('running'), continues: 'recheck' } as const;
    const page = async (shown: readonly number[], next: PageCursor | undefined, query: PageCursor = read.query) => {
      const { apply, look } = await begin({ stretches: [segment()], recheck: running }, {}, 'orders');
      const result = await apply(rowsOf('orders', shown), next, { ...read, query });
      const { state, rows, segments } = await look();
      return { result, recheck: state.recheck, rows, segments, stretches: state.stretches };
    };
    const stretches = [segment()];

    test('page by page, which says nothing about the list', async () => {
      expect(await page([65, 66], at('9'))).toEqual({
        result: 'written',
        recheck: { next: at('9'), openAt: now - 70 * dayMs, seenTo: now - 66 * dayMs, failures: 1 },
        rows: 2,
        segments: [1],
        stretches,
      });
    });
    test('also over an order without a fill, which has no place in the list', async () => {
      const unfilled = { ...filled(now - 90 * dayMs, 90, { status: 'CANCELLED' }), fill: null };
      const { apply, look } = await begin(
        { stretches: [segment({ id: 2 }), segment()], recheck: running },
        { 1: [unfilled] },
        'orders',
      );
      await apply([...rowsOf('orders', [65]), unfilled], at('9'), read);
      const { state, segments } = await look();
      expect([state.recheck?.seenTo, segments]).toEqual([now - 65 * dayMs, [1, 2]]);
    });
    test('without a way back where a row is newer', async () => {
      expect((await page([50], at('9'))).recheck?.seenTo).toBe(now - 60 * dayMs);
    });
    test.each<[string, readonly number[], PageCursor | undefined]>([
      ['the oldest', [65, 70], at('9')],
      ['the end of the list', [65], undefined],
      ['an empty page', [], at('9')],
    ])('up to %s', async (_, shown, next) => {
      expect((await page(shown, next)).recheck).toBeUndefined();
    });
    test('but not from a page that another process has read', async () => {
      expect(await page([65], at('9'), at('8'))).toMatchObject({ result: 'late', rows: 0, recheck: running });
    });
  });

  test('a page of them is late when nothing is read again', async () => {
    const { apply } = await begin({ stretches: [segment()] }, {}, 'orders');
    expect(await apply(rowsOf('orders', [65]), at('9'), { query: at('running'), continues: 'recheck' })).toBe('late');
  });
});

describe('the rows of a page', () => {
  test('stay with the segment that had them first, while there is one', async () => {
    const rows = rowsOf('transactions', [5]);
    const owned = async (stretches: readonly Segment[]) => {
      const { apply, look } = await begin({ stretches }, { 7: rows });
      await apply(rows, at('8'), { query: at('7'), continues: 2 });
      return (await look()).segments;
    };
    expect(await owned([segment({ id: 2 }), segment({ id: 7 })])).toEqual([7]);
    expect(await owned([segment({ id: 2 }), segment({ id: 1 })])).toEqual([2]);
  });

  test('take the place of what was known of them', async () => {
    const before = filled(now - dayMs, 5, { status: 'PARTIALLY_FILLED' });
    const { apply, look } = await begin({ stretches: [segment()] }, { 1: [before] }, 'orders');
    await apply([filled(now - dayMs, 5)], at('8'), second);
    expect((await look()).data.map(({ order }) => order.status)).toEqual(['FILLED']);
  });

  test.each([
    ['NEW', 1],
    ['FILLED', 1],
    ['CANCELLED', 2],
    ['REJECTED', 2],
  ])('of a fill take the place of its order without one, which was %s: %d', async (status, expected) => {
    const fill = filled(now - dayMs, 5);
    const before = { order: { ...fill.order, status }, fill: null };
    const { apply, look } = await begin({ stretches: [segment()] }, { 1: [before] }, 'orders');
    await apply([fill], at('8'), second);
    expect((await look()).rows).toBe(expected);
  });

  test('of a fill and of its order without one are both there when one page has both', async () => {
    const fill = filled(now - dayMs, 5);
    const { apply, look } = await begin({ stretches: [segment()] }, {}, 'orders');
    await apply([fill, { order: { ...fill.order, status: 'NEW' }, fill: null }], at('8'), second);
    expect((await look()).rows).toBe(2);
  });

  test('of an order leave those of other orders', async () => {
    const other = { order: { ...filled(now - dayMs, 6).order, status: 'NEW' }, fill: null };
    const { apply, look } = await begin({ stretches: [segment()] }, { 1: [other] }, 'orders');
    await apply([filled(now - dayMs, 5), { ...filled(now - dayMs, 7), fill: null }], at('8'), second);
    expect((await look()).rows).toBe(3);
  });
});
