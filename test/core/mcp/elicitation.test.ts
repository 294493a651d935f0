/** What a question leaves with the client identifies the order that is approved. */
import { expect, test } from 'vitest';
import { readState, writeState } from '../../../src/core/mcp/elicitation.ts';

const nonce = '0a'.repeat(16);

test.each([
  [{ nonce }, nonce],
  [{ nonce, isRepeat: false }, nonce],
  [{ nonce, isRepeat: true }, `${nonce}.repeat`],
])('the question %j is written as %s', (state, text) => {
  expect(writeState(state)).toBe(text);
});

test.each([
  [nonce, { nonce }],
  [`${nonce}.repeat`, { nonce, isRepeat: true }],
  [`.repeat${nonce}`, { nonce: `.repeat${nonce}` }],
])('%s is read as the question %j', (text, state) => {
  expect(readState(text)).toEqual(state);
});
