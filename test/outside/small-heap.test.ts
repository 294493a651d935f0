/**
 * Text from outside, of the largest size that reaches its parser and of shapes that cost much more than ordinary text,
 * in a process with a heap of 256 MB: each is read or refused with a code, and none ends the process.
 */
// @module-tag process
// @module-tag slow
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { bundleScript } from '../../scripts/bundle-script.mjs';
import { jsonShapes, tableShapes } from './shapes.ts';

let outcomes: readonly (readonly [parser: string, shape: string, outcome: string])[] = [];

beforeAll(async () => {
  const { outfile, remove } = await bundleScript('test/outside/parsers.ts');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=256', outfile], {
      timeout: 300_000,
    });
    outcomes = JSON.parse(stdout);
  } finally {
    remove();
  }
}, 330_000);

const everyShape = (shapes: object, outcome: string, others: Readonly<Record<string, string>> = {}) =>
  Object.keys(shapes).map((shape) => [shape, others[shape] ?? outcome]);
const readable = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'read']));

const refusedTables = {
  'rows of one cell': 'too_many_unread_rows',
  'rows that end with CR': 'too_many_unread_rows',
  'rows of a quoted line end': 'too_many_unread_rows',
  'rows of an unknown action': 'too_many_unread_rows',
  'more rows than are allowed': 'too_many_rows',
};

test.each([
  // A list of one instrument, with an unreadable number or a long name.
  [
    'the list of instruments',
    everyShape(jsonShapes, 'unexpected_answer', readable('one long number', 'one long text', 'one text of escapes')),
  ],
  ['the list of positions', everyShape(jsonShapes, 'unexpected_answer')],
  ['a page of orders', everyShape(jsonShapes, 'unexpected_answer')],
  ['the account summary', everyShape(jsonShapes, 'unexpected_answer')],
  ['a report', everyShape(tableShapes, 'row_too_long', refusedTables)],
  // Refused before it is decompressed.
  ['a compressed report', everyShape(tableShapes, 'unexpected_answer')],
  [
    'the file of a host in JSON',
    everyShape(jsonShapes, 'read', { 'nothing but depth': 'SyntaxError', 'a text that does not end': 'SyntaxError' }),
  ],
  ['the file of a host in TOML', [['depth', 'SyntaxError']]],
  [
    'costBasis of config.json',
    everyShape({ 'one long cost': 0, 'a cost of zeros': 0, 'many decimals': 0 }, 'StartError'),
  ],
  ['eri.csv', everyShape({ 'one long amount': 0, 'empty cells': 0, 'line ends and an x': 0 }, 'StartError')],
])('%s', (parser, expected) => {
  const found = outcomes.filter(([name]) => name === parser).map(([, shape, outcome]) => [shape, outcome]);
  expect(found).toEqual(expected);
});
