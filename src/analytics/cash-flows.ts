/** Converts transactions to cash flows with consistent signs, whatever signs the service uses. */
import Big from 'big.js';
import type { Transaction } from '../catalogue/index.ts';

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

const outward = new Set(['WITHDRAW', 'FEE', 'CARD_DEBIT']);
/** What the owner spends with a card leaves the account like a withdrawal; a refund or a credit comes back. */
const external = new Set(['DEPOSIT', 'WITHDRAW', 'TRANSFER', 'CARD_DEBIT', 'CARD_CREDIT', 'CARD_REFUND']);

/**
 * Converts transactions to cash flows, oldest first; rows without a date or an amount are left out. Some services
 * write withdrawals and fees without a minus: if none of them is negative, the type decides the sign; otherwise the
 * signs are used, and a positive fee is a refund. Rows of reports are judged by themselves, because their signs can
 * differ from those of pages.
 */
export function toCashFlows(rows: readonly Transaction[]): CashFlow[] {
  const hasSigns = (own: readonly Transaction[]) =>
    own.some(({ type, amount }) => outward.has(type ?? '') && new Big(amount ?? 0).lt(0));
  const arePagesSigned = hasSigns(rows.filter(({ fromReport }) => !fromReport));
  const areReportsSigned = hasSigns(rows.filter(({ fromReport }) => fromReport));
  return rows
    .flatMap((row): CashFlow | readonly never[] => {
      const at = Date.parse(row.dateTime ?? '');
      if (row.amount === undefined || Number.isNaN(at)) return [];
      const type = row.type ?? 'UNKNOWN';
      const amount = new Big(row.amount);
      const isSigned = row.fromReport ? areReportsSigned : arePagesSigned;
      return {
        at,
        type,
        amount: outward.has(type) && !isSigned ? amount.abs().neg() : amount,
        currency: row.currency,
        isExternal: external.has(type),
      };
    })
    .sort((a, b) => a.at - b.at);
}
