/** The cells of the matrix that once ended or blocked the process; the others are in small-heap.test.ts. */
// @module-tag process
// @module-tag slow
import { beforeAll, expect, test } from 'vitest';
import { type Cell, nameCell, type Outcome, runCells } from './cells.ts';

const expected: readonly (readonly [Cell, string])[] = [
  [['a report', 'rows of one cell', 6_400_000], 'too_many_unread_rows'],
  [['a report', 'rows of a quoted line end', 6_400_000], 'too_many_unread_rows'],
  [['a compressed body', 'a bomb of short rows', 6_400_000], 'unexpected_answer'],
  [['eri.csv', 'one long amount', 400_000], 'StartError'],
  [['costBasis of config.json', 'digits', 400_000], 'StartError'],
  [['an amount of a person', 'digits', 400_000], 'refused'],
  [['a number of the service', 'digits', 400_000], 'refused'],
  [['a number of a report', 'digits', 400_000], 'refused'],
  [['an entry of costBasis', 'nothing but depth', 400_000], 'StartError'],
  [['an entry of costBasis', 'one long key', 400_000], 'StartError'],
  [['a setting of config.json', 'nothing but depth', 400_000], 'StartError'],
  [['a line of standard input', 'small objects', 400_000], 'refused'],
  [['the answer of listPositions', 'empty objects', 1_000_000], 'unexpected_answer'],
];

let outcomes: ReadonlyMap<string, Outcome> = new Map();
beforeAll(async () => {
  outcomes = await runCells([expected.map(([cell]) => cell)]);
});

test.each(expected.map(([cell, result]) => [nameCell(cell), result]))('%s is %s', (name, result) => {
  expect(outcomes.get(name)?.result).toBe(result);
});
