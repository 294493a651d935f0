import { expect, test } from 'vitest';
import { compact, wordsOf } from '../../src/market/normalize-text.ts';

test('of a name only the first 500 characters are searched, however long it is', () => {
  expect(wordsOf('ab '.repeat(400_000))).toEqual([...Array(166).fill('ab'), 'ab']);
  expect(compact('x'.repeat(1_000_000))).toBe('x'.repeat(500));
});
