/** Which page follows a page, case by case: page-boundary.test.ts reads whole lists. */
import { describe, expect, test } from 'vitest';
import type { PageCursor } from '../../../src/core/broker/types.ts';
import {
  type Boundary,
  type FetchedPage,
  type NextPage,
  resolveNextPage,
} from '../../../src/features/history/page-boundary.ts';

const second = 1_700_000_000_000;
const at = (seconds: number, ms = 0) => second - seconds * 1000 + ms;
const cursor = (named: number, limit = '50'): PageCursor => ({ limit, cursor: String(named) });
const newest: PageCursor = { limit: '50' };

/** A page of rows at these moments, with keys `k0`, `k1` and so on. */
const page = (places: readonly (number | undefined)[], change: Partial<FetchedPage> = {}): FetchedPage => ({
  query: newest,
  next: cursor(at(99)),
  keys: places.map((_, index) => `k${index}`),
  places,
  isKnown: () => false,
  ...change,
});
const unknown: Boundary = { cursor: 'unknown' };
const on = (next: PageCursor | undefined, boundary: Boundary, more: object = {}): NextPage => ({
  kind: 'on',
  next,
  boundary,
  ...more,
});

describe('the first second that several rows share', () => {
  const shared = [at(0), at(1), at(1, -5), at(2)];
  const trial = { step: 'cut' as const, key: 'k2', place: at(2), resume: cursor(at(99)) };
  test('is the test of the cursor: the page is read again up to it', () => {
    expect(resolveNextPage(unknown, page([at(0), at(1), at(2), at(2, 400), at(3)]))).toEqual(
      on({ limit: '2' }, { cursor: 'unknown', trial: { ...trial, place: at(2) } }),
    );
  });
  test.each<[string, FetchedPage]>([
    ['is at the beginning of the page', page([at(0), at(0), at(1)])],
    ['follows a row without a date', page([at(0), undefined, at(1), at(1), at(2)])],
    ['is not there', page([at(0), at(1), at(2)])],
    ['is that of rows without a date', page([at(0), undefined, undefined])],
    ['is on the last page', page([at(0), at(1), at(1)], { next: undefined })],
    ['is on a page whose cursor has a time', page([at(0), at(1), at(1)], { next: { ...cursor(at(99)), time: 'x' } })],
    ['is on a page with another kind of cursor', page([at(0), at(1), at(1)], { next: { limit: '50', cursor: '77' } })],
    ['is on a page that was cut', page(shared, { query: cursor(at(0), '7') })],
  ])('is no test where it %s', (_, read) => {
    expect(resolveNextPage(unknown, read)).toMatchObject({ kind: 'on', next: read.next });
  });

  const cut = (next: PageCursor | undefined) =>
    resolveNextPage({ cursor: 'unknown', trial }, page([at(0), at(1)], { query: { limit: '2' }, next }));
  const look = (named: number): NextPage => on(cursor(named), { cursor: 'unknown', trial: { ...trial, step: 'look' } });
  test.each<[string, PageCursor | undefined, NextPage]>([
    [
      'names another moment than the row, which is exact',
      cursor(at(2) + 1, '2'),
      on(trial.resume, { cursor: 'exact' }),
    ],
    ['names the moment of the row, which has to be looked at', cursor(at(2), '2'), look(at(2))],
    ['is none, which proves nothing', undefined, on(trial.resume, { cursor: 'unknown' })],
  ])('is read up to, and the cursor %s', (_, next, expected) => {
    expect(cut(next)).toEqual(expected);
  });
  test('may be named without its milliseconds', () => {
    const late = { ...trial, place: at(2, 400) };
    const read = page([at(0), at(1)], { query: { limit: '2' }, next: cursor(at(2), '2') });
    expect(resolveNextPage({ cursor: 'unknown', trial: late }, read)).toMatchObject({
      boundary: { trial: { step: 'look' } },
    });
  });
  test.each([
    ['begins with it, which is exact', ['k2', 'k3'], on(trial.resume, { cursor: 'exact' })],
    ['does not, so the list is read again', ['k3'], { kind: 'again' }],
  ])('is looked for on the next page, which %s', (_, keys, expected) => {
    const looking: Boundary = { cursor: 'unknown', trial: { ...trial, step: 'look' } };
    expect(
      resolveNextPage(
        looking,
        page(
          keys.map(() => at(2)),
          { keys },
        ),
      ),
    ).toEqual(expected);
  });
});

describe('a cursor', () => {
  const read = (named: number, places: readonly (number | undefined)[]) =>
    resolveNextPage(unknown, page(places, { query: cursor(named), next: cursor(at(99)) }));
  const cursorOf = (way: NextPage) => way.kind === 'on' && way.boundary.cursor;
  test.each<[string, number, readonly (number | undefined)[], string]>([
    ['that is not the time of its row names the row', at(0, 7), [at(0), at(1)], 'exact'],
    ['that is the time of its row may name the second', at(0), [at(0), at(1)], 'unknown'],
    ['that is the second of its row does', at(0), [at(0, 400), at(1)], 'unknown'],
    ['of a row without a date may name the second', at(0, 7), [undefined, at(1)], 'unknown'],
  ])('%s', (_, named, places, expected) => {
    expect(cursorOf(read(named, places))).toBe(expected);
  });
  test('with a time tells nothing of others', () => {
    const query = { ...cursor(at(0, 7)), time: 'x' };
    expect(cursorOf(resolveNextPage(unknown, page([at(0), at(1)], { query })))).toBe('unknown');
  });
  test('that is exact stays exact, without a doubt', () => {
    const read = page([at(0), at(5)], { next: cursor(at(5)) });
    expect(resolveNextPage({ cursor: 'exact' }, read)).toEqual(
      on(cursor(at(5)), { cursor: 'exact', doubt: undefined }),
    );
  });
});

describe('a page that ends within a second', () => {
  const places = [at(0), at(1), at(2), at(3)];
  const doubt = { step: 'next' as const, second: at(3), lastKey: 'k3', page: newest, shorter: 2 };
  test.each<[string, FetchedPage, Boundary['doubt']]>([
    ['whose last row is at the moment of the cursor', page(places, { next: cursor(at(3)) }), doubt],
    [
      'whose last row is in the second of the cursor',
      page([at(0), at(1), at(2), at(3, 400)], { next: cursor(at(3)) }),
      doubt,
    ],
    [
      'whose last row has no date',
      page([at(0), at(1), at(2), undefined], { next: cursor(at(3)) }),
      { ...doubt, shorter: 1 },
    ],
    [
      'without a row alone in its second',
      page([at(3)], { next: cursor(at(3)) }),
      { ...doubt, lastKey: 'k0', shorter: undefined },
    ],
    ['but whose cursor names another moment', page(places, { next: cursor(at(4)) }), undefined],
    ['but whose cursor has a time', page(places, { next: { ...cursor(at(3)), time: 'x' } }), undefined],
    ['but whose cursor is no moment', page(places, { next: { limit: '50', cursor: '17' } }), undefined],
    ['and is the last', page(places, { next: undefined }), undefined],
    ['and has no row', page([], { next: cursor(at(3)) }), undefined],
  ])('%s', (_, read, expected) => {
    expect(resolveNextPage(unknown, read)).toEqual(on(read.next, { cursor: 'unknown', doubt: expected }));
  });

  const step = (step: 'next' | 'shorter' | 'again', read: FetchedPage, change: object = {}) =>
    resolveNextPage({ cursor: 'unknown', doubt: { ...doubt, step, ...change } }, read);

  test('loses nothing where its last row comes again', () => {
    const read = page([at(3), at(9)], { query: cursor(at(3)), keys: ['k3', 'k4'] });
    expect(step('next', read)).toEqual(on(read.next, { cursor: 'exact', doubt: undefined }));
  });
  test('is read again up to a row alone in its second where it does not', () => {
    const read = page([at(3), at(9)], { query: cursor(at(3)), keys: ['k8', 'k9'] });
    expect(step('next', read)).toEqual(on({ limit: '2' }, { cursor: 'unknown', doubt: { ...doubt, step: 'shorter' } }));
  });
  test('may have lost rows of that second where no row is alone', () => {
    const read = page([at(3), at(9)], { query: cursor(at(3)), keys: ['k8', 'k9'] });
    expect(step('next', read, { shorter: undefined })).toEqual(
      on(read.next, { cursor: 'unknown', doubt: undefined }, { lostAt: at(3) }),
    );
  });
  test.each([
    [cursor(at(2), '2'), cursor(at(2))],
    [undefined, undefined],
  ])('is followed by a whole page after it was read again', (next, expected) => {
    const read = page([at(0), at(1)], { query: cursor(at(0), '2'), next });
    expect(step('shorter', { ...read, places: [at(0), at(1)] })).toEqual(
      expect.objectContaining({ kind: 'on', next: expected }),
    );
  });

  const again = (seconds: readonly (number | undefined)[], known: readonly string[]) => {
    const read = page(seconds, {
      query: cursor(at(2)),
      keys: ['k2', 'k3', 'k4', 'k5'],
      isKnown: (key) => known.includes(key),
    });
    const way = step('again', read);
    return way.kind === 'again' ? 'again' : way.boundary.cursor;
  };
  const all = ['k2', 'k3', 'k4', 'k5'];
  test.each<[string, readonly (number | undefined)[], readonly string[], string]>([
    ['has lost rows where a new one of its second comes', [at(2), at(3), at(3), at(4)], ['k2', 'k3', 'k5'], 'again'],
    [
      'has lost rows where a new one without a date comes',
      [at(2), at(3), undefined, at(4)],
      ['k2', 'k3', 'k5'],
      'again',
    ],
    ['has lost none where a new one of another second comes', [at(2), at(3), at(4), at(5)], ['k2', 'k3'], 'unknown'],
    ['is proof where two more rows of its second were known', [at(2), at(3), at(3), at(3, 9)], all, 'exact'],
    ['is no proof where one more was', [at(2), at(3), at(3), at(4)], all, 'unknown'],
  ])('%s', (_, seconds, known, expected) => {
    expect(again(seconds, known)).toBe(expected);
  });
});

describe('a list whose cursor skips rows', () => {
  const skips: Boundary = { cursor: 'skips' };
  const read = (places: readonly (number | undefined)[], change: Partial<FetchedPage> = {}) =>
    resolveNextPage(skips, page(places, { query: cursor(at(0)), next: cursor(at(99)), ...change }));
  test.each<[string, NextPage, NextPage]>([
    [
      'is read again up to the last row alone in its second',
      read([at(0), at(1), at(2), at(3), at(3)]),
      on(cursor(at(0), '2'), skips),
    ],
    [
      'goes on with a whole page after that',
      read([at(0), at(1)], { query: cursor(at(0), '2'), next: cursor(at(2), '2') }),
      on(cursor(at(2)), skips),
    ],
    ['ends where it ends', read([at(0), at(1), at(2)], { next: undefined }), on(undefined, skips)],
    [
      'may lose rows of the last second where none is alone',
      read([at(0), at(1), at(1), at(1), undefined]),
      on(cursor(at(99)), skips, { lostAt: at(1) }),
    ],
    ['cannot say which second where no row has a date', read([undefined, undefined]), on(cursor(at(99)), skips)],
    ['is not cut at its first row', read([at(0), at(1), at(1)]), on(cursor(at(99)), skips, { lostAt: at(1) })],
    [
      'is not cut beside a row without a date',
      read([at(0), at(1), undefined, at(3)]),
      on(cursor(at(99)), skips, { lostAt: at(3) }),
    ],
  ])('%s', (_, way, expected) => {
    expect(way).toEqual(expected);
  });
});
