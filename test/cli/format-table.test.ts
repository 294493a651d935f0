/** Tables in the width of a terminal. */
import { describe, expect, test } from 'vitest';
import { formatTable, wrap } from '../../src/cli/format-table.ts';
import { createStyle } from '../../src/core/process/text-style.ts';

const style = createStyle({}, false);
const headers = ['ticker', 'name', 'unrealized profit loss'];
const rows = [
  ['QA_EQ', 'A company with a long name', '1753.80'],
  ['QBCDE_EQ', 'B', '-9.5'],
];

test('a row is a line, text stands left and money right, and headers break at spaces', () => {
  expect(formatTable(headers, rows, { width: 80, style })).toEqual({
    lines: [
      '                                      unrealized',
      '                                          profit',
      'ticker    name                              loss',
      'QA_EQ     A company with a long name     1753.80',
      'QBCDE_EQ  B                                 -9.5',
    ],
    omitted: [],
  });
});

test('a text is cut before a column is left out, and an id or a number never is', () => {
  // 8 for the tickers, 10 for the header of the money and two gaps leave 14.
  const { lines } = formatTable(headers, rows, { width: 36, style });
  expect(lines.at(-2)).toBe('QA_EQ     A company wit…     1753.80');
  expect(lines.every((line) => line.length <= 36)).toBe(true);
});

test('a time is never cut', () => {
  const moments = [['21 Nov 14:20', 'A name of five words']];
  expect(formatTable(['paid on', 'name'], moments, { width: 30, style }).lines.at(-1)).toBe(
    '21 Nov 14:20  A name of five …',
  );
});

test('a list that goes on in the next line cuts nothing', () => {
  const { lines } = formatTable(headers, rows, { width: 36, style, wraps: true });
  expect(lines.slice(-3)).toEqual([
    'QA_EQ     A company with     1753.80',
    '          a long name',
    'QBCDE_EQ  B                     -9.5',
  ]);
});

describe('columns that do not fit are left out and named', () => {
  const wide = ['isin', 'ticker', 'quantity', 'remark', 'amount'];
  const row = [['GB0000000009', 'QA_EQ', '105.8174', 'one', '5605.07 GBP']];
  const omittedAt = (width: number) => formatTable(wide, row, { width, style }).omitted;

  test('first ids and technical facts, then facts of no known rank, and last what the row is about', () => {
    // 12 + 6 + 8 + 6 + 11 and four gaps of 2 are 51 characters; 37 without the ISIN; 29 without the remark.
    expect(omittedAt(51)).toEqual([]);
    expect(omittedAt(50)).toEqual(['isin']);
    expect(omittedAt(36)).toEqual(['isin', 'remark']);
    expect(omittedAt(28)).toEqual(['isin', 'quantity', 'remark']);
  });

  test('and two always stay', () => {
    const { lines, omitted } = formatTable(wide, row, { width: 1, style });
    expect(lines.at(-1)).toBe('QA_EQ   5605.07 GBP');
    expect(omitted).toEqual(['isin', 'quantity', 'remark']);
  });
});

test('money stands right with its currency', () => {
  const cells = [['698 GBX'], ['7189.40 GBP'], ['–']];
  expect(formatTable(['price'], cells, { width: 80, style }).lines).toEqual([
    '      price',
    '    698 GBX',
    '7189.40 GBP',
    '          –',
  ]);
});

test('a table without rows has its headers', () => {
  expect(formatTable(['a', 'b'], [], { width: 80, style }).lines).toEqual(['a  b']);
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['indivisible word', 4, ['indivisible', 'word']],
  ['', 10, ['']],
])('wraps %j at %i', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines);
});
