/** A count with its noun. */
import { expect, test } from 'vitest';
import { countOf } from '../../../src/core/text/count-of.ts';

test.each([
  [0, '0 shares'],
  [1, '1 share'],
  [2, '2 shares'],
  ['1', '1 share'],
  ['0.5', '0.5 shares'],
  ['10', '10 shares'],
])('%j', (count, text) => {
  expect(countOf(count, 'share')).toBe(text);
});
