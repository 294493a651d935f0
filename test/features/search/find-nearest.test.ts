import { expect, test } from 'vitest';
import { searchIn } from '../../../src/features/search/search.ts';
import { instrument } from './generated-instruments.ts';

test('a list has one search, and a new list another one', () => {
  const listed = [instrument({ ticker: 'QVLT_US_EQ' })];
  expect(searchIn(listed)).toBe(searchIn(listed));
  expect(searchIn([...listed])).not.toBe(searchIn(listed));
});
