/** How long the rest of a history takes to read. */
import { expect, test } from 'vitest';
import { estimateReadingMs } from '../../../src/features/documents/read-progress.ts';

const day = 86_400_000;
const now = 100 * day;
const limit = { requests: 1, periodMs: 5_000, freeInMs: 2_000 };
const estimate = (rows: number, from: number, oldestAt: number, change: Partial<typeof limit> = {}) =>
  estimateReadingMs({ rows, from }, oldestAt, now, { ...limit, ...change });

test.each([
  // 100 rows of ten days are 200 rows of the twenty days before: four pages, three of them after the next one.
  ['four pages', 100, 90 * day, 70 * day, {}, 17_000],
  ['four pages, two at a time', 100, 90 * day, 70 * day, { requests: 2 }, 7_000],
  ['four pages, at once', 100, 90 * day, 70 * day, { requests: 6, freeInMs: 0 }, 0],
  ['a part of a page', 10, 90 * day, 85 * day, {}, 2_000],
  ['a page and a part of one', 100, 90 * day, 84 * day, {}, 7_000],
  ['the page that shows the end', 100, 90 * day, 90 * day, {}, 2_000],
  ['the page that shows the end, after the oldest row', 100, 90 * day, 95 * day, {}, 2_000],
])('%s', (_, rows, from, oldestAt, change, ms) => {
  expect(estimate(rows, from, oldestAt, change)).toBe(ms);
});

test('is unknown before a row was read, and where none of the time was', () => {
  expect(estimate(0, 90 * day, 70 * day)).toBeUndefined();
  expect(estimate(5, now, 70 * day)).toBeUndefined();
});
