/** Page boundaries in the middle of a second, against a list that behaves like services of each kind. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageCursor } from '../../../src/core/broker/types.ts';
import { type Boundary, newestPageCursor, resolveNextPage } from '../../../src/features/history/page-boundary.ts';
import { runs } from '../../support/runs.ts';

type Service = 'exact' | 'repeat' | 'skip';

/** Newest first; the cursor names a second, and the service begins at one of its rows. */
function pageFrom(list: readonly number[], query: PageCursor, service: Service) {
  const limit = Number(query.limit);
  let start = 0;
  if (query.cursor !== undefined) {
    const [second, nth] = [Math.floor(Number(query.cursor) / 1000), Number(query.cursor) % 1000];
    const first = list.indexOf(second);
    const last = list.lastIndexOf(second);
    start = { exact: last - nth, repeat: first, skip: last }[service];
  }
  const rows = list
    .slice(start, start + limit)
    .map((second, index) => ({ key: String(start + index), at: second * 1000 }));
  const following = start + limit < list.length ? start + limit : undefined;
  if (following === undefined) return { rows, next: undefined };
  const second = list[following] as number;
  const nth = service === 'exact' ? list.lastIndexOf(second) - following : 0;
  return { rows, next: { limit: String(limit), cursor: String(second * 1000 + nth) } };
}

function readAll(list: readonly number[], service: Service) {
  const seen = new Set<string>();
  const lost: number[] = [];
  let requests = 0;
  let boundary: Boundary = { cursor: 'unknown' };
  let query: PageCursor | undefined = newestPageCursor;
  while (query) {
    expect(++requests).toBeLessThan(500);
    const { rows, next } = pageFrom(list, query, service);
    const known = new Set(seen);
    const way = resolveNextPage(boundary, {
      query,
      next,
      keys: rows.map(({ key }) => key),
      places: rows.map(({ at }) => at),
      isKnown: (key) => known.has(key),
    });
    for (const { key } of rows) seen.add(key);
    if (way.kind === 'again') {
      boundary = { cursor: 'skips' };
      query = newestPageCursor;
    } else {
      if (way.lostAt !== undefined) lost.push(way.lostAt);
      boundary = way.boundary;
      query = way.next;
    }
  }
  return { seen, lost, requests, boundary };
}

/** Seconds in descending order; `groups` is the number of rows that share each. */
const listOf = (groups: readonly number[]) =>
  groups.flatMap((count, index) => Array<number>(count).fill(1_700_000_000 - index * 7));

const mixed = listOf([...Array(47).fill(1), 6, ...Array(60).fill(1), 3, ...Array(80).fill(1)]);

test('a cursor finer than a second is trusted after one more request', () => {
  const { seen, requests } = readAll(mixed, 'exact');
  expect(seen.size).toBe(mixed.length);
  expect(requests).toBe(Math.ceil(mixed.length / 50) + 1);
});

test('a service that repeats the rows of the second loses none, and costs two more requests', () => {
  const { seen, requests } = readAll(mixed, 'repeat');
  expect(seen.size).toBe(mixed.length);
  expect(requests).toBeLessThanOrEqual(Math.ceil(mixed.length / 50) + 3);
});

test('a service that skips rows is detected and read in another way', () => {
  const plain = new Set<string>();
  for (let query: PageCursor | undefined = newestPageCursor; query; ) {
    const page = pageFrom(mixed, query, 'skip');
    for (const { key } of page.rows) plain.add(key);
    query = page.next;
  }
  expect(plain.size).toBeLessThan(mixed.length);
  const { seen, boundary } = readAll(mixed, 'skip');
  expect(seen.size).toBe(mixed.length);
  expect(boundary.cursor).toBe('skips');
});

test('a second with more rows than a page is reported as lost', () => {
  const { lost } = readAll(listOf([...Array(20).fill(1), 120, ...Array(20).fill(1)]), 'skip');
  expect(lost.length).toBeGreaterThan(0);
});

test('wherever a page ends inside a second, every row is read or its second is reported', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 9 })), {
        minLength: 30,
        maxLength: 200,
      }),
      fc.constantFrom<Service>('exact', 'repeat', 'skip'),
      (groups, service) => {
        // One second with several rows on the first page shows which kind the service is.
        const list = listOf([1, 1, 3, 1, ...groups]);
        const { seen, lost } = readAll(list, service);
        expect(lost.length > 0 || seen.size === list.length).toBe(true);
      },
    ),
    { numRuns: runs(300) },
  );
});
