import { expect, test } from 'vitest';
import { isBeingRead } from '../../src/mcp/coverage-notes.ts';

test.each([
  ['one history', { coverage: { complete: false, reading: true } }, true],
  ['one of several', { coverage: { orders: { complete: true }, dividends: { complete: false, reading: true } } }, true],
  ['one that waits for the next question', { coverage: { complete: false, reading: false } }, false],
  ['whole ones', { coverage: { orders: { complete: true } } }, false],
  ['none', { positions: [] }, false],
  ['a row that has the words in it', { rows: ['"reading":true'], coverage: { complete: true } }, false],
])('a result of %s', (_, body, expected) => {
  expect(isBeingRead(body)).toBe(expected);
});
