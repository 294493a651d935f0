/** The file eri.csv: excess reportable income of offshore funds, from the reports of the funds. */
import Big from 'big.js';
import { toAmount } from '../endpoints/decimal.ts';
import { UsageError } from '../errors.ts';
import { readDate } from './cost-entries.ts';

const columns = ['isin', 'period_end', 'amount_per_share', 'currency'] as const;
type Column = (typeof columns)[number];

/** Characters of a cell that a message repeats. */
const maxCell = 40;

const shapes: Readonly<Record<Column, { readonly isValid: (text: string) => boolean; readonly example: string }>> = {
  isin: { isValid: (text) => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text), example: 'IE00B3XXRP09' },
  period_end: { isValid: (text) => !Number.isNaN(readDate(text)), example: '2024-06-30' },
  amount_per_share: { isValid: (text) => toAmount(text) !== undefined, example: '0.1234' },
  currency: { isValid: (text) => /^[A-Z]{3}$/.test(text), example: 'GBP' },
};

/**
 * Reads the text of the file: a line with the names of the columns in any order, and a line for each fund and period.
 * Empty lines and lines that begin with # are skipped. `file` is the path that a message names. Throws a UsageError of
 * one sentence with the line.
 */
export function parseReportableIncome(text: string, file: string) {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ cells: line.split(',').map((cell) => cell.trim()), line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const [header, ...rows] = lines;
  if (!header) return [];
  const names = header.cells.map((name) => name.toLowerCase());
  for (const column of columns)
    if (!names.includes(column))
      throw new UsageError(`${file}, line ${header.number}: the column ${column} is missing.`);
  const seen = new Set<string>();
  return rows.map(({ cells, number }) => {
    const read = (column: Column): string => {
      const cell = cells[names.indexOf(column)] ?? '';
      if (shapes[column].isValid(cell)) return cell;
      throw new UsageError(
        `${file}, line ${number}: ${column} is ${JSON.stringify(cell.slice(0, maxCell))} and should be written as in ${shapes[column].example}.`,
      );
    };
    const [isin, periodEnd] = [read('isin'), read('period_end')];
    if (seen.has(`${isin} ${periodEnd}`))
      throw new UsageError(`${file}, line ${number}: ${isin} has a line for the period to ${periodEnd} already.`);
    seen.add(`${isin} ${periodEnd}`);
    return { isin, periodEnd, amountPerShare: new Big(read('amount_per_share')), currency: read('currency') };
  });
}
