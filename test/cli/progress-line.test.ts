/** A line of progress in a terminal and in a log. */
import { expect, test } from 'vitest';
import { createProgressLine } from '../../src/cli/import.ts';

/** What is written for lines with their steps. */
function write(
  isTerminal: boolean,
  columns: number,
  lines: readonly (readonly [string | readonly string[], number])[],
  env = {},
) {
  const written: string[] = [];
  const screen = { isTerminal, columns };
  const line = createProgressLine({
    warn: (text) => written.push(text),
    screens: { output: screen, errors: screen },
    env,
  });
  for (const [parts, step] of lines) line.show([parts].flat(), step);
  return written;
}

const lines = [
  ['1 %', 0],
  ['2 %', 0],
  ['2 %', 0],
  ['12 %', 1],
] as const;

test('a terminal has one line, which the next one replaces', () => {
  expect(write(true, 80, lines)).toEqual(['1 %', '\u001b[1A\u001b[2K2 %', '\u001b[1A\u001b[2K12 %']);
});

test('a part that does not fit in the line is left out, because a second line would stay', () => {
  // A terminal of 14 columns has 13 characters in a line; the last column stays free.
  const line = (columns: number) => write(true, columns, [[['12 %', '3 min left', '900 rows'], 0]]);
  expect(line(27)).toEqual(['12 %, 3 min left, 900 rows']);
  expect(line(26)).toEqual(['12 %, 3 min left']);
  expect(line(17)).toEqual(['12 %, 3 min left']);
  expect(line(16)).toEqual(['12 %, 900 rows']);
  expect(line(14)).toEqual(['12 %']);
});

test('a first part that is too long for the line is cut at a word', () => {
  expect(write(true, 12, [[['one two three'], 0]])).toEqual(['one two…']);
});

test.each([
  ['a pipe', false, {}],
  ['a terminal that cannot move its cursor', true, { TERM: 'dumb' }],
])('%s has a line for each step', (_, isTerminal, env) => {
  expect(write(isTerminal, 80, lines, env)).toEqual(['1 %', '12 %']);
});
