/** Rows of the dividend history as payments. */

import { getTicker } from '../catalogue/get-ticker.ts';
import type { Dividend, Position } from '../catalogue/index.ts';
import type { Period } from './periods.ts';

export interface Payment {
  /** Milliseconds since 1970, UTC; undefined when the row has no date. */
  readonly at: number | undefined;
  readonly ticker: string;
  /** The service's own word; those in the place of a lent share’s dividend end in `_MANUFACTURED_PAYMENT`. */
  readonly type: string;
  /** Exact decimals, as text: most are only added up. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** Shares that it was paid for. */
  readonly quantity: string | undefined;
}

/**
 * The payments, and the currency that they are summed up in: the account's, and where that is not known,
 * the one of most rows. A row that names none is in the account's (docs/interface.md).
 */
export function toPayments(
  dividends: readonly Dividend[],
  accountCurrency: string | undefined,
): { readonly payments: readonly Payment[]; readonly currency: string | undefined } {
  const currency = accountCurrency ?? commonest(dividends);
  const payments = dividends.map((row): Payment => {
    const at = Date.parse(row.paidOn ?? '');
    return {
      at: Number.isNaN(at) ? undefined : at,
      ticker: getTicker(row) ?? 'unknown',
      type: row.type ?? 'unknown',
      amount: row.amount,
      currency: row.currency ?? currency,
      quantity: row.quantity,
    };
  });
  return { payments, currency };
}

function commonest(dividends: readonly Dividend[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { currency } of dividends) if (currency) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

export interface DividendQuestion {
  readonly groupBy: Period | 'ticker' | 'type';
  /** Inclusive and exclusive (ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  readonly now: number;
  /** The account's; left out: the one that most payments have. */
  readonly currency?: string | undefined;
  /** All rows of this range (ms) have been read; only in it can a month be told to be without a payment. Left out: always. */
  readonly covered?: { readonly from: number; readonly to: number } | undefined;
  /** For the yield on cost and the projection, which without them are unknown. */
  readonly positions?: readonly Position[] | undefined;
  readonly project?: boolean | undefined;
}
