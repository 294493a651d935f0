/** Converts transactions to cash flows with consistent signs, whatever signs the service uses. */

import Big from 'big.js';
import type { Transaction } from '../../core/endpoints/index.ts';
import { type TypeTotal, typeTotals } from '../history/fetch-history.ts';

export interface CashFlow {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** The type as the service wrote it. */
  readonly type: string;
  /** Positive for money received, negative for money paid; in the currency of the row. */
  readonly amount: Big;
  readonly currency: string | undefined;
  /** True for money that the owner moved in or out; false for interest and fees of the account. */
  readonly isExternal: boolean;
}

const external = new Set(['DEPOSIT', 'WITHDRAW', 'TRANSFER']);

/** Whether a transaction type is a fee of the account. */
export const isFeeType = (type: string): boolean => type === 'FEE' || type.endsWith('_FEE');

/** Whether a transaction type is interest, on cash or on lent shares. */
export const isInterestType = (type: string): boolean => type.includes('INTEREST');

/** Payments with the broker's card and their refunds: money that the owner spends, not a cost of the account. */
const isCardPayment = (type: string): boolean => type.startsWith('CARD_') && !isFeeType(type);

const isOutward = (type: string): boolean => type === 'WITHDRAW' || type === 'CARD_DEBIT' || isFeeType(type);

/**
 * Converts transactions to cash flows, oldest first; rows without a date or an amount are left out. Some services
 * write withdrawals or fees without a minus. Each type decides for itself: if none of its rows is negative, all of
 * them are payments; otherwise the signs are used, and a positive fee is a refund. Rows of reports are judged by
 * themselves, because their signs can differ from those of pages.
 */
export function toCashFlows(rows: readonly Transaction[]): CashFlow[] {
  const toName = ({ type, fromReport }: Transaction) => `${type} ${fromReport === true}`;
  const signed = new Set(rows.filter(({ amount }) => amount?.startsWith('-')).map(toName));
  return rows
    .flatMap((row): CashFlow | readonly never[] => {
      const at = Date.parse(row.dateTime ?? '');
      if (row.amount === undefined || Number.isNaN(at)) return [];
      const type = row.type ?? 'UNKNOWN';
      const amount = new Big(row.amount);
      return {
        at,
        type,
        amount: isOutward(type) && !signed.has(toName(row)) ? amount.neg() : amount,
        currency: row.currency,
        isExternal: external.has(type) || isCardPayment(type),
      };
    })
    .sort((a, b) => a.at - b.at);
}

// Interest paid on the cash of the account and on lent shares.

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
