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

const outward = new Set(['WITHDRAW', 'FEE']);
const external = new Set(['DEPOSIT', 'WITHDRAW', 'TRANSFER']);

/**
 * Converts transactions to cash flows, oldest first; rows without a date or an amount are left out. Some services
 * write withdrawals and fees without a minus: if none of them is negative, the type decides the sign; otherwise the
 * signs are used, and a positive fee is a refund.
 */
export function toCashFlows(rows: readonly Transaction[]): CashFlow[] {
  const isSigned = rows.some(({ type, amount }) => outward.has(type ?? '') && new Big(amount ?? 0).lt(0));
  return rows
    .flatMap((row): CashFlow | readonly never[] => {
      const at = Date.parse(row.dateTime ?? '');
      if (row.amount === undefined || Number.isNaN(at)) return [];
      const type = row.type ?? 'UNKNOWN';
      const amount = new Big(row.amount);
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
