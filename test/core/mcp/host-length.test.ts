/** How long a text is for a host, and how many rows fit into a length. */
import { expect, test } from 'vitest';
import { countFitting, hostLength } from '../../../src/core/mcp/tool-result.ts';

test.each([
  // As it is: quoted, it is 102 of at most 7,750 characters, which is less of the limit than 100 of 6,800.
  ['a', 'result', 100],
  // Quoted, each character is two: 202 of 7,750 is 177.2 of 6,800.
  ['"', 'result', 178],
  // 202 of 7,500 is 183.1 of 6,800.
  ['"', 'page', 184],
] as const)(
  'a hundred characters %s of a %s have the length that is nearer to its limit',
  (character, of, expected) => {
    expect(hostLength(character.repeat(100), of)).toBe(expected);
  },
);

test.each([
  ['those that fit', 10, 35, 3],
  ['those that fit exactly', 10, 30, 3],
  ['all, and no more than there are', 3, 1_000, 3],
  ['one, although it is too long', 10, 5, 1],
])('of rows of ten characters a page has %s', (_, count, most, expected) => {
  expect(countFitting(count, most, (kept) => kept * 10)).toBe(expected);
});
