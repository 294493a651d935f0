/** A line of progress in a terminal and in a log. */
import { expect, test } from 'vitest';
import { createProgressLine } from '../../src/cli/progress-line.ts';

/** What is written for lines with their steps. */
function write(isTerminal: boolean, columns: number, lines: readonly (readonly [string, number])[], env = {}) {
  const written: string[] = [];
  const screen = { isTerminal, columns };
  const line = createProgressLine({
    warn: (text) => written.push(text),
    screens: { output: screen, errors: screen },
    env,
  });
  for (const [text, step] of lines) line.show(text, step);
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

test('a line that is too long is cut, because a second one would stay', () => {
  expect(write(true, 5, [['123456789', 0]])).toEqual(['1234']);
});

test.each([
  ['a pipe', false, {}],
  ['a terminal that cannot move its cursor', true, { TERM: 'dumb' }],
])('%s has a line for each step', (_, isTerminal, env) => {
  expect(write(isTerminal, 80, lines, env)).toEqual(['1 %', '12 %']);
});
