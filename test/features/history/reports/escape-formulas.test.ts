import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeFormulas } from '../../../../src/features/history/reports/escape-formulas.ts';
import { runs } from '../../../support/runs.ts';
import { csv } from './support.ts';

/** The rule in another form: character by character, without a pattern for the complete text. */
function isDangerous(cell: string): boolean {
  if (isNumber(cell)) return false;
  const behindSpaces = cell.replace(/^ */, '');
  if (behindSpaces.startsWith('\t') || behindSpaces.startsWith('\r')) return true;
  const [first = ''] = [...cell].filter((_, index, all) => !all.slice(0, index + 1).every(isSkipped));
  return '=+-@＝＋－＠'.includes(first) && first !== '';
}
const isSkipped = (char: string) => char.trim() === '' || char === '"' || /[\p{Cc}\p{Cf}]/u.test(char);
const isNumber = (cell: string) => {
  const bare = cell.replace(/^ +| +$/g, '');
  return bare !== '' && !/[^\d.eE+-]/.test(bare) && Number.isFinite(Number(bare));
};

describe('an escaped cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+44 20 7946', "'+44 20 7946"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
    ['－1', "'－1"],
    ['\t1', "'\t1"],
    ['-', "'-"],
    ['-1,5', '"\'-1,5"', '"-1,5"'],
    ['=a"b', '"\'=a""b"', '"=a""b"'],
    ['=HYPERLINK("x";A1)', '"\'=HYPERLINK(""x"";A1)"', '"=HYPERLINK(""x"";A1)"'],
    ['line\nbreak', undefined, '"\n=1"', '"\'\n=1"'],
  ])('is %j', (cell, marked, written = cell, expected = marked) => {
    expect(escapeFormulas(`a,${written},z\n`)).toEqual({ text: `a,${expected},z\n`, marked: 1 });
  });

  test.each([
    '-12.50',
    '+3',
    '1e-5',
    '-1.5E+10',
    '-.5',
    ' -7 ',
    'a=b',
    'x-1',
    "'=1",
    '',
    '0',
    '"-3"',
    '"a,b"',
    '"say ""="""',
  ])('is not %j', (cell) => {
    expect(escapeFormulas(`${cell},${cell}\n`)).toEqual({ text: `${cell},${cell}\n`, marked: 0 });
  });

  test('can be the first, after a byte order mark, and the last, before no line end', () => {
    expect(escapeFormulas('\uFEFF=1,b\r\nc,=2')).toEqual({ text: "\uFEFF'=1,b\nc,'=2", marked: 2 });
    expect(escapeFormulas('a\r=1\r\n\r\n=2\n')).toEqual({ text: "a\n'=1\n\n'=2\n", marked: 2 });
    expect(escapeFormulas('')).toEqual({ text: '', marked: 0 });
  });

  test('can hide in quotes that do not match', () => {
    expect(escapeFormulas('""=1,"a"b\n')).toEqual({ text: '"\'=1","ab"\n', marked: 1 });
    expect(escapeFormulas(' "=1",5" pipe\n')).toEqual({ text: '"\' ""=1""","5"" pipe"\n', marked: 1 });
    expect(escapeFormulas('a,"=1\n=2')).toEqual({ text: 'a,"\'=1\n=2"', marked: 1 });
  });
});

const snippets = fc.constantFrom(
  ...[
    '=',
    '+',
    '-',
    '@',
    '＝',
    '＋',
    '－',
    '＠',
    '\t',
    '\r',
    '\n',
    '\r\n',
    ' ',
    ',',
    '"',
    "'",
    '1',
    '.5',
    'e',
    'A',
    '\u200b',
    '\u00a0',
    '\uFEFF',
  ],
);
const cell = fc.oneof(
  fc.array(snippets, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const parsed = (text: string): string[][] =>
  parse(text, { bom: true, relax_column_count: true, record_delimiter: ['\n'] });

describe('whatever the cells are', () => {
  test('they differ only by the apostrophe, and none of them runs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
        fc.boolean(),
        (rows, hasMark) => {
          fc.pre(!rows[0]?.[0]?.startsWith('\uFEFF'));
          const { text, marked } = escapeFormulas(`${hasMark ? '\uFEFF' : ''}${csv(...rows)}`);
          expect(text.startsWith('\uFEFF')).toBe(hasMark);
          const expected = rows.map((cells) => cells.map((one) => (isDangerous(one) ? `'${one}` : one)));
          expect(parsed(text)).toEqual(expected);
          expect(marked).toBe(rows.flat().filter(isDangerous).length);
          expect(
            parsed(text)
              .flat()
              .filter((one) => /^[=+\-@\t\r]/.test(one) && !isNumber(one)),
          ).toEqual([]);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('escaping again changes nothing, whatever the text is', () => {
    fc.assert(
      fc.property(fc.array(snippets, { maxLength: 40 }), (parts) => {
        const { text } = escapeFormulas(parts.join(''));
        expect(escapeFormulas(text)).toEqual({ text, marked: 0 });
        expect(text.replace(/"(?:[^"]|"")*"/g, '')).not.toContain('\r');
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a large file', () => {
  test.each([
    ['of ordinary rows', 'Market buy,2025-06-01 09:30:15,US0000000001,"Example, Inc",-12.50,GBP\r\n', 0],
    ['of nothing but formulas', '=,'.repeat(30), 30],
    ['of one cell that is nearly a number', '-1'.padEnd(60, '1'), 0],
  ])('%s has each of its formulas escaped', (_, piece, marks) => {
    const count = Math.ceil(1e6 / piece.length);
    const { marked } = escapeFormulas(`${piece.repeat(count)}x`);
    // The x follows the last formula, and the long number ends in one.
    expect(marked).toBe(piece.startsWith('-') ? 1 : marks * count);
  });

  test('of 64 MB needs no more memory than a few copies of it', { tags: ['slow'] }, () => {
    const row = 'Market buy,2025-06-01 09:30:15,US0000000001,"=Example, Inc",-12.50,@GBP,EOF123456789\r\n';
    const count = Math.ceil(64e6 / row.length);
    const text = row.repeat(count);
    const before = process.memoryUsage.rss();
    const { marked } = escapeFormulas(text);
    expect(marked).toBe(2 * count);
    expect(process.memoryUsage.rss() - before).toBeLessThan(8 * 64e6);
  });
});
