/** Interest paid on the cash of the account and on lent shares. */

import { type TypeTotal, typeTotals } from '../history/totals-by-type.ts';
import { type CashFlow, isInterestType } from './cash-flows.ts';

/** The interest bookings of a range (ms; inclusive and exclusive), oldest first. */
export const listInterest = (
  flows: readonly CashFlow[],
  range: { readonly since?: number | undefined; readonly until?: number | undefined },
): CashFlow[] =>
  flows.filter(
    ({ type, at }) =>
      isInterestType(type) &&
      (range.since === undefined || at >= range.since) &&
      (range.until === undefined || at < range.until),
  );

/** The interest by type and currency; bookings without a currency are in the account's. */
export const sumInterest = (flows: readonly CashFlow[], accountCurrency: string | undefined): TypeTotal[] =>
  typeTotals(
    flows.map(({ type, amount, currency }) => ({
      type,
      amount: amount.toFixed(),
      currency: currency ?? accountCurrency,
    })),
  );
