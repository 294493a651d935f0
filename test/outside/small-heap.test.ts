/**
 * Text from outside, of every size up to the largest that reaches its parser and of shapes that cost much more than
 * ordinary text, in a process with a heap of 256 MB: each is read or refused with a code, none ends the process, and a
 * long one leaves turns to other work.
 */
// @module-tag process
// @module-tag slow
import { beforeAll, expect, test } from 'vitest';
import { type Cell, nameCell, type Outcome, runCells } from './cells.ts';
import { parsers } from './parsers.ts';
import { jsonShapes, tableShapes } from './shapes.ts';

const [small, medium] = [1_000, 1_000_000];

/** Every parser on every shape: small, as large as can be, and for files between the two. */
const cellsOf = (names: readonly string[]): Cell[] =>
  names.flatMap((name) => {
    const { bytes, shapes, finish } = parsers[name] ?? { bytes: 0, shapes: {} };
    const sizes = finish ? [small, medium, bytes] : [small, bytes];
    return Object.keys(shapes).flatMap((shape) => sizes.map((size): Cell => [name, shape, size]));
  });

const names = Object.keys(parsers);
const isFile = (name: string) => parsers[name]?.finish !== undefined;
const groups = [cellsOf(names.filter(isFile)), cellsOf(names.filter((name) => !isFile(name)))];

let outcomes: ReadonlyMap<string, Outcome> = new Map();
beforeAll(async () => {
  outcomes = await runCells(groups);
}, 1_600_000);

const reportCodes = ['row_too_long', 'too_many_columns', 'too_many_rows', 'too_many_unread_rows', 'unexpected_answer'];
/** What each parser may make of a text, besides reading it. An error without a code is an error of this program. */
const refusals: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^the answer of /, ['unexpected_answer']],
  [/^an error of the service/, ['forbidden', 'unexpected_answer']],
  [/^an? (ordinary |compressed )?report$/, reportCodes],
  // The service is asked again after a body that was cut off.
  [/^a compressed body/, [...reportCodes, 'unreachable']],
  [/^a file in which secrets/, []],
  [/^the file of a host/, ['SyntaxError']],
  [/^config\.json|of config\.json|^eri\.csv/, ['StartError']],
  [/^an entry of costBasis/, ['StartError', 'SyntaxError']],
  [/^the next page/, ['unexpected_answer']],
  [/./, ['refused']],
];

test.each(names)('%s: every size and shape is read or refused with a code', (name) => {
  const allowed = ['read', ...(refusals.find(([pattern]) => pattern.test(name))?.[1] ?? [])];
  const others = cellsOf([name])
    .map((cell) => [nameCell(cell), outcomes.get(nameCell(cell))?.result])
    .filter(([, result]) => result === undefined || !allowed.includes(result));
  expect(others).toEqual([]);
});

test.each(names.filter((name) => parsers[name]?.bytesPerTurn !== undefined))(
  '%s: other work has a turn in each part that is read',
  (name) => {
    const { bytesPerTurn = 1 } = parsers[name] ?? {};
    const blocking = cellsOf([name]).filter((cell) => {
      const { result, turns } = outcomes.get(nameCell(cell)) ?? { turns: 0 };
      return result === 'read' && cell[2] > bytesPerTurn && turns < Math.floor(cell[2] / bytesPerTurn);
    });
    // Shapes without content have one size only.
    expect(blocking.filter(([, shape]) => !/nothing/.test(shape))).toEqual([]);
  },
);

const everyShape = (shapes: object, outcome: string, others: Readonly<Record<string, string>> = {}) =>
  Object.keys(shapes).map((shape) => [shape, others[shape] ?? outcome]);
const readable = (...shapes: readonly string[]) => Object.fromEntries(shapes.map((shape) => [shape, 'read']));

const refusedTables = {
  'rows of one cell': 'too_many_unread_rows',
  'rows that end with CR': 'too_many_unread_rows',
  'rows of a quoted line end': 'too_many_unread_rows',
  'rows of an unknown action': 'too_many_unread_rows',
  'more rows than are allowed': 'too_many_rows',
  nothing: 'unexpected_answer',
  ...readable('line ends of every kind', 'a byte order mark and nothing'),
};

test.each([
  // A list of one instrument, with an unreadable number or a long name, or an empty list. Bytes that are no text are
  // replaced by U+FFFD.
  [
    'the answer of listInstruments',
    everyShape(
      jsonShapes,
      'unexpected_answer',
      readable('one long number', 'one long text', 'one text of escapes', 'invalid UTF-8', 'blanks'),
    ),
  ],
  ['the answer of listPositions', everyShape(jsonShapes, 'unexpected_answer', readable('blanks'))],
  ['the answer of listHistoricalOrders', everyShape(jsonShapes, 'unexpected_answer', readable('blanks'))],
  ['the answer of getAccountSummary', everyShape(jsonShapes, 'unexpected_answer')],
  ['a report', everyShape(tableShapes, 'row_too_long', refusedTables)],
  ['an amount of a person', everyShape(parsers['an amount of a person']?.shapes ?? {}, 'refused')],
  ['costBasis of config.json', everyShape(parsers['costBasis of config.json']?.shapes ?? {}, 'StartError')],
  ['eri.csv', everyShape(parsers['eri.csv']?.shapes ?? {}, 'StartError', readable('nothing'))],
])('%s: of the largest size, what has no meaning is refused', (name, expected) => {
  const { bytes = 0, shapes = {} } = parsers[name] ?? {};
  const found = Object.keys(shapes).map((shape) => [shape, outcomes.get(nameCell([name, shape, bytes]))?.result]);
  expect(found).toEqual(expected);
});
