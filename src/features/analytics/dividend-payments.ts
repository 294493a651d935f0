/** Converts rows of the dividend history to payments. */
import { getTicker } from '../../core/endpoints/get-ticker.ts';
import type { Dividend, Position } from '../../core/endpoints/index.ts';
import type { Period } from './periods.ts';

export interface Payment {
  /** Milliseconds since 1970, UTC; undefined when the row has no date. */
  readonly at: number | undefined;
  readonly ticker: string;
  /** The type as the service wrote it; payments that replace a lent share's dividend end in `_MANUFACTURED_PAYMENT`. */
  readonly type: string;
  /** Exact decimals as text, because most are only added. */
  readonly amount: string | undefined;
  readonly currency: string | undefined;
  /** The number of shares that the payment is for. */
  readonly quantity: string | undefined;
  readonly row: Dividend;
}

/**
 * Returns the payments and the currency of their sums: the account's, or if that is unknown the most frequent one.
 * A row without a currency is in the account's (docs/interface.md).
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
      row,
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
  readonly groupBy: Period | 'ticker' | 'type' | 'country' | 'treatment';
  /** Inclusive and exclusive bounds (ms). */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  readonly now: number;
  /** The time zone (IANA) of months, quarters and years; UTC by default. */
  readonly zone?: string | undefined;
  /** The account's currency; by default the most frequent one of the payments. */
  readonly currency?: string | undefined;
  /**
   * The range (ms) whose rows have all been read; only within it can a month be shown without a payment. By default
   * everything.
   */
  readonly covered?: { readonly from: number; readonly to: number } | undefined;
  /** Needed for the yield on cost and the projection, which are unknown without them. */
  readonly positions?: readonly Position[] | undefined;
  readonly project?: boolean | undefined;
}
