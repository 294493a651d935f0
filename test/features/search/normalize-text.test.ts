import { expect, test } from 'vitest';
import { alphanumeric, splitWords } from '../../../src/features/search/normalize-text.ts';

test('only the first 500 characters of a name are searched', () => {
  expect(splitWords('ab '.repeat(400_000))).toEqual([...Array(166).fill('ab'), 'ab']);
  expect(alphanumeric('x'.repeat(1_000_000))).toBe('x'.repeat(500));
});
