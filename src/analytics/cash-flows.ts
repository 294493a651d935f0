/** Transactions as cash that came in or went out, whatever signs the service writes. */
import Big from 'big.js';
import type { Transaction } from '../catalogue/index.ts';

export interface CashFlow {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** The service's own word. */
  readonly type: string;
  /** Positive came in, negative went out; in the currency of the row. */
  readonly amount: Big;
  readonly currency: string | undefined;
  /** Money that the owner moved in or out, as opposed to interest and fees that the account earned or cost. */
  readonly isExternal: boolean;
}

const outward = new Set(['WITHDRAW', 'FEE']);
const external = new Set(['DEPOSIT', 'WITHDRAW', 'TRANSFER']);

/**
 * Some services write withdrawals and fees without a minus. Where none of them is negative the signs mean
 * nothing and the type decides; where one is, the signs are meant, and a positive fee is a refund.
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
