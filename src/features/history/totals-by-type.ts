/** Exact sums of dividends or transactions, one per type and currency. */
import type Big from 'big.js';
import { createSum, type ExactSum } from '../../core/endpoints/exact-sum.ts';

export interface TypeTotal {
  readonly type: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: Big;
}

interface Booking {
  readonly type?: string | undefined;
  readonly currency?: string | undefined;
  readonly amount?: string | undefined;
}

/** Sums in the order in which the types first occur, with the service's signs. Rows without an amount are left out. */
export function typeTotals(rows: readonly Booking[]): TypeTotal[] {
  const sums = new Map<string, { type: string; currency: string; sum: ExactSum }>();
  for (const { type = 'unknown', currency = 'unknown', amount } of rows) {
    if (amount === undefined) continue;
    const name = `${currency} ${type}`;
    const entry = sums.get(name) ?? { type, currency, sum: createSum() };
    entry.sum.add(amount);
    sums.set(name, entry);
  }
  return [...sums.values()].map(({ type, currency, sum }) => ({
    type,
    currency,
    count: sum.count,
    amount: sum.total(),
  }));
}
