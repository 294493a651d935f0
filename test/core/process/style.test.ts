/** Where text has colours. */
import { expect, test } from 'vitest';
import { createStyle, hasColor } from '../../../src/core/process/text-style.ts';

test.each<[string, Record<string, string>, boolean, boolean]>([
  ['a terminal', {}, true, true],
  ['a terminal that says its kind', { TERM: 'xterm-256color' }, true, true],
  ['a pipe', {}, false, false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR, which the convention ignores', { NO_COLOR: '' }, true, true],
  ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0 in a terminal', { FORCE_COLOR: '0' }, true, false],
  ['FORCE_COLOR and NO_COLOR, as in Node', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('%s: colours %j', (_title, env, isTerminal, expected) => {
  expect(hasColor(env, isTerminal)).toBe(expected);
});

test('a style writes the codes of ECMA-48, or the text as it is', () => {
  expect(createStyle({}, true)('bad', 'fault')).toBe('\u001b[31mfault\u001b[39m');
  expect(createStyle({}, true)('good', 'ok')).toBe('\u001b[32mok\u001b[39m');
  expect(createStyle({}, false)('bad', 'fault')).toBe('fault');
});
