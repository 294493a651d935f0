/** The shape that is measured of a JSON text before it is parsed is that of the parsed value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin } from '../../../src/core/text/json.ts';

const unbounded = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY };

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Values and names. */
function valuesOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  const inside = Object.values(value).map(valuesOf);
  return 1 + inside.reduce((sum, one) => sum + one, 0) + (Array.isArray(value) ? 0 : inside.length);
}

test('any JSON is within its own depth, and not within one less', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const bytes = Buffer.from(text);
      const depth = depthOf(JSON.parse(text));
      expect(isWithin(bytes, { ...unbounded, maxDepth: depth })).toBe(true);
      if (depth > 0) expect(isWithin(bytes, { ...unbounded, maxDepth: depth - 1 })).toBe(false);
    }),
  );
});

test('a text of more values and names than the limit is outside of it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const count = valuesOf(JSON.parse(text));
      expect(isWithin(Buffer.from(text), { ...unbounded, maxValues: Math.ceil(count / 2) - 1 })).toBe(false);
      expect(isWithin(Buffer.from(text), { ...unbounded, maxValues: 2 * count })).toBe(true);
    }),
  );
});

test.each([
  ['brackets in a string', '"[[[[[[{{{{"', true],
  ['brackets behind an escaped quote', '"\\"[[[["', true],
  ['brackets behind a string that ends in a backslash', '["\\\\",[[[]]]]', false],
  ['a string without an end', '"[[[[', true],
  ['more depth after less', '[[]],[[[[]]]]', false],
])('%s', (_, text, expected) => {
  expect(isWithin(Buffer.from(text), { maxDepth: 3, maxValues: 100 })).toBe(expected);
});
