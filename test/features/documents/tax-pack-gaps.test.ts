/** What the files of a tax year lack, which the owner reads, and which decides the exit code. */
import { expect, test } from 'vitest';
import { describeGaps, describeIncomplete, listNotes } from '../../../src/features/documents/tax-pack-files.ts';

type Sections = Parameters<typeof describeGaps>[1];
const section = (name: string, rows: number, note?: string) =>
  ({
    name,
    columns: ['a'],
    rows: Array.from({ length: rows }, () => ['x']),
    ...(note ? { note } : {}),
  }) as unknown as Sections[number];
const taxes = (dividends: number, unknown: number, inReports: number) => ({
  unknownTaxes: { dividends, unknown, inReports },
});
const readReports = 'Import the broker’s reports for 2 of them (brokerage-mcp import), and make the pack again.';

test.each<[string, object, Sections, readonly string[]]>([
  ['nothing is lacking', taxes(9, 0, 0), [section('disposals', 3)], []],
  ['no trade is unmatched', taxes(0, 0, 0), [section('unmatched', 0)], []],
  [
    'one trade is unmatched',
    taxes(0, 0, 0),
    [section('unmatched', 1)],
    ['In no figure: 1 trade, listed in unmatched.csv.'],
  ],
  [
    'taxes are unknown that reports name',
    taxes(9, 3, 2),
    [section('unmatched', 2)],
    [
      `The tax withheld from 3 of 9 dividends is unknown. ${readReports}`,
      'In no figure: 2 trades, listed in unmatched.csv.',
    ],
  ],
  [
    'a tax is unknown that no report names',
    taxes(1, 1, 0),
    [],
    [`The tax withheld from 1 of 1 dividend is unknown. No report that was read names it.`],
  ],
])('%s', (_, answer, sections, gaps) => {
  expect(describeGaps(answer as never, sections)).toEqual(gaps);
});

const coverage = { orders: { missing: ['Rows before 2024 are missing.'] }, dividends: {} };
const passed = { name: 'SUMS', holds: true };
const failed = { name: 'POOLS', holds: false };

test.each<[string, object, readonly string[], readonly string[]]>([
  ['whole', { complete: true, checks: [passed] }, [], []],
  ['whole but for a gap', { complete: true, checks: [passed] }, ['GAP'], ['GAP']],
  ['whole, with a note', { complete: true, checks: [], note: 'NOTE' }, [], ['NOTE']],
  ['of a check that failed', { complete: true, checks: [passed, failed] }, ['GAP'], ['GAP', 'A check failed: POOLS.']],
  [
    'not whole',
    { complete: false, checks: [failed], coverage, note: 'Not complete.' },
    ['GAP'],
    [
      'GAP',
      'Incomplete: not every row has been read, so figures will change. Run the command again; brokerage-mcp import reads a long history faster.',
      '  orders: Rows before 2024 are missing.',
      'A check failed: POOLS.',
    ],
  ],
])('the files of a pack that is %s', (_, answer, gaps, lacks) => {
  expect(describeIncomplete(answer as never, [...gaps])).toEqual(lacks);
});

test('the notes have what is lacking, what failed and what was remarked of all, and the note of each file', () => {
  const answer = { checks: [passed, failed], remarks: ['REMARK'] };
  const sections = [section('disposals', 1, 'OF DISPOSALS'), section('costs', 1)];
  expect(listNotes(answer as never, sections, ['INCOMPLETE'])).toEqual([
    ['all', 'INCOMPLETE'],
    ['all', 'A check failed: POOLS.'],
    ['all', 'A person must check these figures; they are not tax advice.'],
    ['all', 'REMARK'],
    ['disposals.csv', 'OF DISPOSALS'],
  ]);
});
