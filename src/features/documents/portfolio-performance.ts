/**
 * The CSV import "Account Transactions" of Portfolio Performance, by the fields of its manual: one row for each
 * booking, in which `Value` is the money that moved and so includes charges.
 */

import type { AccountRecord, ActionRecord, FileContext } from './account-records.ts';
import { formatCsv } from './csv-file.ts';

const columns = [
  'Date',
  'Time',
  'Type',
  'Value',
  'Transaction Currency',
  'Taxes',
  'Shares',
  'ISIN',
  'Ticker Symbol',
  'Security Name',
  'Note',
] as const;

/** Bookings that change shares without money are not in this import. */
type Booking = Exclude<AccountRecord, ActionRecord>;

export const isBooking = (record: AccountRecord): record is Booking => record.kind !== 'action';

/** The types of its import; money that the account pays has one of its own. */
function nameType({ kind, net }: Booking): string {
  const names = {
    buy: ['Buy', 'Buy'],
    sell: ['Sell', 'Sell'],
    dividend: ['Dividend', 'Dividend'],
    deposit: ['Deposit', 'Removal'],
    withdrawal: ['Deposit', 'Removal'],
    interest: ['Interest', 'Interest Charge'],
    fee: ['Fees Refund', 'Fees'],
    other: ['Deposit', 'Removal'],
  } as const satisfies Record<Booking['kind'], readonly [string, string]>;
  return names[kind][net.lt(0) ? 1 : 0];
}

export const writePortfolioPerformance = (records: readonly AccountRecord[], { toDate, toTime }: FileContext): string =>
  formatCsv(
    columns,
    records.filter(isBooking).map((record) => {
      const hasShares = 'security' in record;
      return [
        toDate(record.at),
        toTime(record.at),
        nameType(record),
        record.net.abs().toFixed(2),
        record.currency,
        record.kind === 'dividend' ? record.withheld?.toFixed(2) : undefined,
        hasShares ? record.quantity?.toFixed() : undefined,
        hasShares ? record.security.isin : undefined,
        hasShares ? record.security.ticker : undefined,
        hasShares ? record.security.name : undefined,
        hasShares ? record.id : record.type,
      ];
    }),
  );
