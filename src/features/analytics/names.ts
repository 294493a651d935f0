import type { Dividend, Transaction } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';

/** Names the rows that a remark is about. */

/** A remark with more names would take the place of the figures. */
const maxNames = 5;

/** The names, separated by commas; only the first five and the number of the others. */
export function listNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The country in which an instrument is registered, which its ISIN begins with. */
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Returns the code of the country, such as `IE`; `unknown` without an ISIN. */
export const findCountry = (isin: string | undefined): string => isin?.slice(0, 2).toUpperCase() || 'unknown';

/** Undefined for a code that is no country, such as `XS`, the prefix of international securities. */
export const nameCountry = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined);

// Names rows that no figure can include, because they have no date, ticker or amount.

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
