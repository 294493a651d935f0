/** Reports that are large or of no use: they are refused with a code, and reading them leaves turns to other work. */
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../../src/core/endpoints/index.ts';
import { createMemoryHistory } from '../../../../src/features/history/memory-store.ts';
import { importReport } from '../../../../src/features/history/reports/import-report.ts';
import { openReport } from '../../../../src/features/history/reports/read-report.ts';
import { maxReportRows, maxRowLength, maxUnreadRows } from '../../../../src/features/history/reports/row-slices.ts';
import { countTurns } from '../../../support/count-turns.ts';
import { errorOf } from '../../../support/error-of.ts';
import { everything, readReport, untold } from './support.ts';

const header = 'Action,Time,Total,Currency (Total)\n';
const deposit = 'Deposit,2025-06-01 08:00:00,5,GBP\n';
const megabytes = (count: number, piece: string) => piece.repeat(Math.ceil((count * 1e6) / piece.length));

const shortRows = { reportFault: 'too_many_unread_rows', line: 2, unreadRows: { unreadable_row: maxUnreadRows + 1 } };

describe('a report is refused', () => {
  test.each([
    ['of rows of one cell', header + megabytes(6, 'a\n'), shortRows],
    ['of rows of a quoted line end', header + megabytes(6, '",\n'), shortRows],
    ['of rows of a quote', header + megabytes(6, '"a"b\n'), shortRows],
    [
      'of unknown actions',
      header + megabytes(6, 'Coffee,2025-06-01 08:00:00,5,GBP\n'),
      { reportFault: 'too_many_unread_rows', line: 2, unreadRows: { unknown_action: maxUnreadRows + 1 } },
    ],
    ['of one row without end', header + megabytes(6, 'a'), { reportFault: 'row_too_long', line: 2 }],
    [
      'with a quote that is never closed',
      `${header}"${megabytes(6, deposit)}`,
      { reportFault: 'row_too_long', line: 2 },
    ],
    ['with a header without end', megabytes(6, 'Fee (GBP),'), { reportFault: 'row_too_long', line: 1 }],
    ['with a thousand columns', `${header.trim()}${',a'.repeat(1_000)}\n`, { reportFault: 'too_many_columns' }],
    ['with a long name of a column', `${header.trim()},${'a'.repeat(201)}\n`, { reportFault: 'too_many_columns' }],
  ])('%s', async (_, text, facts) => {
    const { code, facts: found } = await errorOf(openReport(text, untold));
    expect({ code, ...found }).toEqual({ code: 'unexpected_answer', ...facts });
  });

  test('of more rows than a year has', { tags: ['slow'] }, async () => {
    const { facts } = await errorOf(openReport(header + deposit.repeat(maxReportRows + 1), untold));
    expect(facts).toEqual({ reportFault: 'too_many_rows', line: maxReportRows + 2 });
  });
});

describe('a report is read', () => {
  test('of nothing but line ends after its rows', { tags: ['slow'] }, async () => {
    const { totalRows, isComplete } = await openReport(header + deposit + megabytes(6, '\r\n'), untold);
    expect([totalRows, isComplete]).toEqual([1, true]);
  });

  test('with as many unreadable rows as are allowed', async () => {
    const { unread, totalRows } = await openReport(header + deposit + 'a,b\n'.repeat(maxUnreadRows), untold);
    expect([unread.length, totalRows]).toEqual([maxUnreadRows, maxUnreadRows + 1]);
  });

  test('with a row as long as is allowed, and says that a row of 201 cells is not readable', async () => {
    const long = `Deposit,2025-06-01 08:00:00,5,GBP${','.repeat(197)}`;
    const cell = 'x'.repeat(maxRowLength - 20);
    const { unread } = await openReport(`${header}${cell}\n${long}\n`, untold);
    expect(unread.map(({ line, action, reason }) => [line, action, reason])).toEqual([
      [2, 'x'.repeat(80), 'it has 1 cell and the header has 4'],
      [3, 'Deposit', 'it has more than 200 cells'],
    ]);
  });

  test('with a hundred columns that are no numbers, of which five are named', async () => {
    const fees = Array.from({ length: 100 }, (_, n) => `Fee ${n} (GBP)`);
    const sale = `Action,Time,Ticker,No. of shares,${fees.join(',')}\nMarket sell,2025-06-01 08:00:00,AAA,1`;
    const { unread } = await openReport(`${sale},${fees.map(() => 'x').join(',')}\n`, untold);
    expect(unread.map(({ reason }) => reason.split(', ').filter((one) => one.endsWith('is not a number')))).toEqual([
      [0, 1, 2, 3, 4].map((n) => `FEE_${n} is not a number`),
    ]);
  });
});

describe('between its slices', () => {
  const rows = 5_000;
  const text = header + deposit.repeat(rows);

  test('reading leaves a turn to other work for every thousand rows', async () => {
    const { turns, result } = await countTurns(() => openReport(text, untold));
    expect(result.totalRows).toBe(rows);
    expect(turns).toBeGreaterThanOrEqual(rows / 1_000);
  });

  test('importing leaves a turn for every thousand rows', { tags: ['slow'] }, async () => {
    const file = await openReport(text, untold);
    const report = { reportId: '7', timeFrom: '2025-01-01T00:00:00Z', timeTo: '2026-01-01T00:00:00Z' };
    const store = createMemoryHistory();
    const { turns, result } = await countTurns(() =>
      importReport(store, 'account', { ...report, dataIncluded: everything } as Report, file, Date.UTC(2026, 5, 1)),
    );
    expect(result).toEqual({ rows: { orders: 0, dividends: 0, transactions: rows } });
    expect(turns).toBeGreaterThanOrEqual(rows / 1_000);
  });

  test('a caller that has gone ends the reading', async () => {
    const signal = AbortSignal.abort();
    expect((await errorOf(openReport(text, { ...untold, signal }))).code).toBe('cancelled');
  });

  test('no more rows are held than those of a slice', { tags: ['slow'] }, async () => {
    const { slices } = await openReport(text, untold);
    for await (const slice of slices()) expect(slice.length).toBeLessThanOrEqual(1_000);
    expect((await readReport(text, untold)).transactions).toHaveLength(rows);
  });
});
