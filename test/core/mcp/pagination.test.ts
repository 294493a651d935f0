/** Pages of a list in memory: where each begins, and the cursor of the next. */
import { expect, test } from 'vitest';
import { paginate } from '../../../src/core/mcp/pagination.ts';

const items = ['a', 'b', 'c', 'd', 'e'];
const columns = { letter: (item: string) => item, none: () => undefined };

const letters = (page: ReturnType<typeof paginate>) => page.rows.map((row) => (row as unknown[])[0]);

test('a list has all of its rows, how many there are, and no cursor after the last', () => {
  const page = paginate(items, columns, {});
  expect(page).toMatchObject({ columns: ['letter', 'none'], count: 5, isContinued: false });
  expect(page.rows[0]).toEqual(['a', null]);
  expect(letters(page)).toEqual(items);
  expect(page.cursorAfter(5)).toBeUndefined();
});

test('the next page begins after the rows that were kept, of which a result can have fewer than asked for', () => {
  const first = paginate(items, columns, { limit: 3 });
  expect(letters(first)).toEqual(['a', 'b', 'c']);
  const second = paginate(items, columns, { limit: 3, cursor: first.cursorAfter(1) });
  expect(letters(second)).toEqual(['b', 'c', 'd']);
  expect(second).toMatchObject({ count: 5, isContinued: true });
  const third = paginate(items, columns, { limit: 3, cursor: second.cursorAfter(3) });
  expect(letters(third)).toEqual(['e']);
  expect([second.cursorAfter(4), third.cursorAfter(1)]).toEqual([undefined, undefined]);
});

test('a detailed page has the items themselves', () => {
  const page = paginate(items, columns, { limit: 2, responseFormat: 'detailed' });
  expect([page.columns, page.rows]).toEqual([undefined, ['a', 'b']]);
});

test('a text that is no cursor is refused', () => {
  expect(() => paginate(items, columns, { cursor: 'row:1' })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});
