import { expect, test } from 'vitest';
import { formatCsv } from '../../../src/features/documents/csv-file.ts';

test('cells with commas, quotes and line ends are quoted, and unknown values are empty', () => {
  expect(
    formatCsv(
      ['a', 'b'],
      [
        ['x, "y"', null],
        [undefined, 'line\nend'],
      ],
    ),
  ).toBe('a,b\n"x, ""y""",\n,"line\nend"\n');
});

test('a cell that a spreadsheet would run is marked, and a negative number is not', () => {
  expect(formatCsv(['a'], [['=1+1'], ['@SUM(A1)'], ['-12.50'], ['=A,B'], ['+cmd']])).toBe(
    "a\n'=1+1\n'@SUM(A1)\n-12.50\n\"'=A,B\"\n'+cmd\n",
  );
});
