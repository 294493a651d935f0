import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRowSlices } from '../../../../src/features/history/reports/row-slices.ts';
import { runs } from '../../../support/runs.ts';
import { csv } from './support.ts';

const rowsOf = (text: string) => [...readRowSlices(text)].flat();
const cellsOf = (text: string) => rowsOf(text).map(({ cells }) => cells);

const snippets = fc.constantFrom('a', 'B', '1', ',', '"', '""', '\n', '\r\n', '\r', ' ', '', 'é', '＝', '\uFEFF', '\t');
const anyText = fc.array(snippets, { maxLength: 40 }).map((parts) => parts.join(''));

describe('the cells of a text', () => {
  test.each([
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\n,b\n,',
      [
        ['a', ''],
        ['', 'b'],
        ['', ''],
      ],
    ],
    ['"a,b","say ""no""","x\ny"\n', [['a,b', 'say "no"', 'x\ny']]],
    ['""\n', [['']]],
    ['"""",""""""', [['"', '""']]],
    ['5" pipe, "x"', [['5" pipe', ' "x"']]],
    ['"a"b,c', [['ab', 'c']]],
    ['a,"b,c\nd', [['a', 'b,c\nd']]],
    ['a,"b""', [['a', 'b"']]],
    ['a,"', [['a', '']]],
    ['\n\n\r\n', []],
    ['\uFEFF"a",b', [['a', 'b']]],
  ])('of %j', (text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });

  test('agree with another parser on every text that it reads', { tags: ['slow'] }, () => {
    let read = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        let expected: string[][];
        try {
          expected = parse(text, {
            bom: true,
            skip_empty_lines: true,
            relax_column_count: true,
            record_delimiter: ['\r\n', '\n', '\r'],
          });
        } catch {
          return;
        }
        read++;
        expect(rowsOf(text).every(({ flaw }) => flaw === undefined)).toBe(true);
        expect(cellsOf(text)).toEqual(expected);
      }),
      { numRuns: runs(5000) },
    );
    expect(read).toBeGreaterThan(runs(500));
  });

  test('are marked as flawed where the other parser finds the quotes of a cell wrong', () => {
    for (const text of ['a,"b\nc', '"a"b\n', 'x\n"y" ,z\n', '"']) {
      expect(() => parse(text, { relax_column_count: true })).toThrow();
      expect(rowsOf(text).some(({ flaw }) => flaw !== undefined)).toBe(true);
    }
  });

  test('are those that were written', () => {
    const cell = fc.array(snippets, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), (rows) => {
        // A first cell that begins with a byte order mark cannot be distinguished from a file that does.
        fc.pre(!rows[0]?.[0]?.startsWith('\uFEFF'));
        expect(cellsOf(csv(...rows))).toEqual(rows);
      }),
      { numRuns: runs(2000) },
    );
  });
});
