/** Names rows that no figure can include, because they have no date, ticker or amount. */
import { getTicker } from '../../core/endpoints/get-ticker.ts';
import type { Dividend, Transaction } from '../../core/endpoints/index.ts';
import { listNames } from './list-names.ts';

interface Rows {
  /** The names of fills without a ticker or a date. */
  readonly fills?: readonly string[];
  readonly dividends?: readonly Dividend[];
  readonly transactions?: readonly Transaction[];
}

/** One sentence per history with such rows; nothing when every row is used. */
export function describeSkippedRows({ fills = [], dividends = [], transactions = [] }: Rows): string[] {
  const hasDate = (text: string | undefined) => !Number.isNaN(Date.parse(text ?? ''));
  const payments = dividends.filter(({ amount, paidOn }) => amount === undefined || !hasDate(paidOn));
  const bookings = transactions.filter(({ amount, dateTime }) => amount === undefined || !hasDate(dateTime));
  return [
    ...describe('Fills without a ticker or a date', fills),
    ...describe('Dividends without an amount or a date', payments.map(nameDividend)),
    ...describe(
      'Transactions without an amount or a date',
      bookings.map(({ type, reference }) => [type ?? 'no type', reference].filter(Boolean).join(' ')),
    ),
  ];
}

/** Names a dividend by its ticker and its day. */
export const nameDividend = (row: Dividend): string =>
  [getTicker(row) ?? 'no ticker', row.paidOn?.slice(0, 10)].filter(Boolean).join(' on ');

const describe = (what: string, names: readonly string[]): string[] =>
  names.length > 0 ? [`${what} are in no figure: ${listNames(names)}.`] : [];
