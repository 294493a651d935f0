/** A page at the end of a segment, and a segment that meets an older one. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page, PageCursor } from '../../../src/core/broker/types.ts';
import type { Transaction } from '../../../src/core/endpoints/index.ts';
import { kinds } from '../../../src/features/history/kinds.ts';
import type { Segment } from '../../../src/features/history/mirror-state.ts';
import type { Boundary } from '../../../src/features/history/page-boundary.ts';
import { appendPage, mergeSegments, overlaps } from '../../../src/features/history/segments.ts';
import { iso, segmentOf, startAt } from '../../support/fake-history.ts';

const next = (cursor: string): PageCursor => ({ limit: '50', cursor, time: 'any' });
const minuteMs = 60_000;

const segment = (change: Partial<Segment> = {}): Segment =>
  segmentOf({
    askedAt: 100,
    answeredAt: 110,
    next: next('7'),
    lastAt: startAt,
    reach: startAt + 5,
    deepest: startAt - 5,
    ...change,
  });

/** A page with rows of these times, `undefined` for a row without a date. Keys that `owners` names are known. */
function append(
  before: Segment,
  times: readonly (number | undefined)[],
  { query = next('7'), owners = {} }: { query?: PageCursor; owners?: Readonly<Record<string, number>> } = {},
) {
  const items = times.map((at) => (at === undefined ? {} : { dateTime: iso(at) }) as Transaction);
  const page = { items, next: next('8'), askedAt: 200, answeredAt: 210 } as Page<Transaction>;
  const keys = times.map((_, index) => `k${index}`);
  return appendPage(before, page, { query, keys, facts: kinds.transactions, findSegment: (key) => owners[key] });
}

test('a further page keeps when the newest was read, and moves how deep the walk is', () => {
  const trouble = { reason: 'It failed.', failures: 2, retryAt: 5 };
  const times = [startAt - 10, startAt - 20, undefined, startAt - 30];
  expect(append(segment({ trouble, lostAt: [4] }), times)).toEqual({
    ...segment(),
    next: next('8'),
    pages: 3,
    lastAt: startAt - 30,
    // The newest date of the deepest page, not the oldest.
    reach: startAt - 10,
    deepest: startAt - 30,
    lostAt: [4],
    boundary: { cursor: 'exact', doubt: undefined },
  });
});

test('the first page of a segment says when it was asked for and answered', () => {
  expect(append(segment({ pages: 0 }), [startAt])).toMatchObject({ askedAt: 200, answeredAt: 210, pages: 1 });
});

test('pages tell where a walk is, how deep it was, and whether dates decrease; a row without a date tells nothing', () => {
  const moment = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined, freq: 4 });
  const page = fc.array(moment, { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(page, { minLength: 1, maxLength: 5 }), (pages) => {
      let walk = segment({ pages: 0, lastAt: undefined, reach: undefined, deepest: undefined });
      for (const times of pages) walk = append(walk, times) as Segment;
      const dated = pages.map((times) => times.filter((at) => at !== undefined)).filter((times) => times.length > 0);
      const all = dated.flat();
      const lowest = (times: readonly number[]) => (times.length > 0 ? Math.min(...times) : undefined);
      expect({ ...walk }).toMatchObject({
        lastAt: all.at(-1),
        deepest: lowest(all),
        // The newest date of the deepest page, so that one misplaced row neither raises nor lowers it.
        reach: lowest(dated.map((times) => Math.max(...times))),
        inOrder: all.every((at, index) => index === 0 || at <= (all[index - 1] as number)),
      });
    }),
  );
});

describe('a list is in order', () => {
  const doubt = { second: startAt, lastKey: 'k', page: next('6'), shorter: 3 };
  const inDoubt = (step: 'next' | 'shorter' | 'again'): Boundary => ({ cursor: 'unknown', doubt: { ...doubt, step } });
  // The page begins with a row that is later than the last one.
  test.each<[string, Boundary, string, boolean]>([
    ['also where a page is read again with fewer rows', inDoubt('shorter'), '50', true],
    ['also where the page after it is read again', inDoubt('again'), '50', true],
    ['not where the page after a doubtful second is later', inDoubt('next'), '50', false],
    ['also where a page is cut at a row alone in its second', { cursor: 'skips' }, '7', true],
    ['not where a whole page of such a walk is later', { cursor: 'skips' }, '50', false],
    ['not where the service itself names smaller pages', { cursor: 'exact' }, '7', false],
  ])('%s', (_, boundary, limit, expected) => {
    const read = append(segment({ boundary }), [startAt + 1], { query: { limit, cursor: '7' }, owners: { k0: 1 } });
    expect(read).toMatchObject({ inOrder: expected });
  });

  test('never again after it was not', () => {
    expect(append(segment({ inOrder: false }), [startAt - 1])).toMatchObject({ inOrder: false });
  });
});

test.each([
  ['is new, so that it was skipped before', {}, 'again'],
  ['is known', { k0: 2 }, expect.objectContaining({ pages: 3 })],
])('the walk begins again exactly where a row of a doubtful second %s', (_, owners, expected) => {
  const doubt = { step: 'again', second: startAt, lastKey: 'k', page: next('6'), shorter: 3 } as const;
  const before = segment({ boundary: { cursor: 'unknown', doubt } });
  expect(append(before, [startAt], { owners })).toEqual(expected);
});

test('rows that are read for a test of the cursor say nothing about where the walk is', () => {
  const trial = { step: 'cut' as const, key: 'k9', place: startAt, resume: next('9') };
  expect(append(segment({ boundary: { cursor: 'unknown', trial } }), [startAt + 1])).toMatchObject({
    lastAt: startAt,
    inOrder: true,
  });
});

describe('a page without a new row', () => {
  const known = { k0: 1, k1: 1 };
  const times = [startAt - 1, startAt - 2];
  test.each<[string, Partial<Segment>, Readonly<Record<string, number>>, object]>([
    ['counts', { idle: 3 }, known, { idle: 4, through: 0 }],
    ['does not count while the walk passes through known rows', { through: 2 }, known, { idle: 0, through: 1 }],
    ['counts again after these', { through: 0, idle: 0 }, known, { idle: 1, through: 0 }],
    ['does not count on the first page', { pages: 0, idle: 0 }, known, { idle: 0 }],
    ['ends the count where one row is new', { idle: 3, through: 2 }, { k0: 1 }, { idle: 0, through: 2 }],
    ['ends the count where one row is of another segment', { idle: 3 }, { k0: 1, k1: 2 }, { idle: 0 }],
  ])('%s', (_, before, owners, expected) => {
    expect(append(segment(before), times, { owners })).toMatchObject(expected);
  });
});

test('a second of which rows may be lost is added to those before it', () => {
  const boundary = { cursor: 'skips' as const };
  const query = { limit: '50', cursor: '7' };
  // Every row of the page is of one second, so the page cannot be cut.
  expect(append(segment({ boundary, lostAt: [4] }), [startAt, startAt], { query })).toMatchObject({
    lostAt: [4, startAt],
  });
});

describe('a walk has met an older segment', () => {
  const meets = (owners: readonly (number | undefined)[]) =>
    overlaps(segment({ id: 1 }), {
      query: next('7'),
      keys: owners.map((_, index) => String(index)),
      facts: kinds.transactions,
      findSegment: (key) => owners[Number(key)],
    });
  test.each<[string, readonly (number | undefined)[], boolean]>([
    ['when the last five rows are of it', [undefined, undefined, 1, 1, 1, 1, 1], true],
    ['when all rows of a smaller page are', [1, 1], true],
    ['not when the fifth last is new', [1, 1, undefined, 1, 1, 1, 1], false],
    ['not when the last is new', [1, 1, 1, 1, 1, undefined], false],
    ['not when one is of the walk itself', [1, 1, 2, 1, 1], false],
    ['not when the page is empty', [], false],
  ])('%s', (_, owners, expected) => {
    expect(meets(owners)).toBe(expected);
  });
});

describe('two segments that meet', () => {
  const now = startAt;
  const top = segment({
    id: 2,
    askedAt: 500,
    answeredAt: 510,
    epoch: 8,
    next: next('top'),
    pages: 3,
    lastAt: 41,
    reach: 42,
    deepest: 40,
    boundary: { cursor: 'unknown' },
    lostAt: [9],
    idle: 2,
    restarts: 1,
  });
  const below = segment({
    lastAt: 21,
    reach: 22,
    deepest: 20,
    lostAt: [3],
    pages: 4,
    idle: 1,
    through: 2,
    restarts: 1,
  });
  const newest = { askedAt: 500, answeredAt: 510, epoch: 8, pages: 7, lostAt: [9, 3] };
  const trouble = (retryAt: number) => ({ reason: 'It failed.', failures: 1, retryAt });

  test('are as recent as the newer one and as deep as the older one', () => {
    expect(mergeSegments(top, below, now)).toEqual({ ...below, ...newest });
  });

  test.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('are in order if both are (%s, %s)', (one, other, expected) => {
    const both = mergeSegments({ ...top, inOrder: one }, { ...below, inOrder: other }, now);
    expect(both.inOrder).toBe(expected);
  });

  test('keep the failure of the older one, and the time of its next try', () => {
    const failing = { ...below, trouble: trouble(now - 1) };
    expect(mergeSegments(top, failing, now)).toEqual({ ...failing, ...newest });
  });

  test('are read to the end when the newer one is, whatever the older one waits for', () => {
    const failing = { ...below, deadEnd: true as const, trouble: trouble(now + 1) };
    expect(mergeSegments({ ...top, next: undefined }, failing, now)).toEqual({
      ...below,
      ...newest,
      next: undefined,
      restarts: 0,
    });
  });

  test.each([
    ['its next try is due', trouble(now)],
    ['no failure says when to try it again', undefined],
  ])('go on with the newer walk when the cursor of the older one is not accepted and %s', (_, due) => {
    const dead = { ...below, deadEnd: true as const, trouble: due };
    expect(mergeSegments(top, dead, now)).toEqual({
      ...below,
      ...newest,
      next: next('top'),
      boundary: { cursor: 'unknown' },
      lastAt: 41,
      restarts: 2,
      // As many pages of known rows as the older one has, and some that arrived since.
      through: 9,
      idle: 0,
    });
  });

  test('wait until the time of the next try before they do', () => {
    const dead = { ...below, deadEnd: true as const, trouble: trouble(now + minuteMs) };
    expect(mergeSegments(top, dead, now)).toEqual({ ...dead, ...newest });
  });
});
