/** Names rows that no figure can include, because they have no date, ticker or amount. */
import { getTicker } from '../catalogue/get-ticker.ts';
import type { Dividend, HistoricalOrder, Transaction } from '../catalogue/index.ts';
import { listNames } from './list-names.ts';

interface Rows {
  readonly orders?: readonly HistoricalOrder[];
  readonly dividends?: readonly Dividend[];
  readonly transactions?: readonly Transaction[];
}

/** One sentence per history with such rows; nothing when every row is used. */
export function describeSkippedRows({ orders = [], dividends = [], transactions = [] }: Rows): string[] {
  const hasDate = (text: string | undefined) => !Number.isNaN(Date.parse(text ?? ''));
  const fills = orders.filter(
    ({ order, fill }) => fill && !(hasDate(fill.filledAt ?? order?.createdAt) && getTicker(order) !== undefined),
  );
  const payments = dividends.filter(({ amount, paidOn }) => amount === undefined || !hasDate(paidOn));
  const bookings = transactions.filter(({ amount, dateTime }) => amount === undefined || !hasDate(dateTime));
  return [
    ...describe(
      'Fills without a ticker or a date',
      fills.map(({ order, fill }) => fill?.id ?? order?.id ?? 'no id'),
    ),
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
