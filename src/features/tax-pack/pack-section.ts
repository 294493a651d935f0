/** A table of the tax pack: the page shows it, and a CSV file of its own has the same rows. */
import type Big from 'big.js';
import { groupBy } from '../../core/text/group-by.ts';
import { sumIfComplete } from '../analytics/sums.ts';

export interface PackSection {
  /** The name of its file, without `.csv`. */
  readonly name: string;
  readonly title: string;
  /** What a reader must know about the columns. */
  readonly note?: string;
  /** Totals: what, and the amount with its currency. */
  readonly figures?: readonly (readonly [string, string])[];
  /** The last rows of the page's table, one for each currency: sums by column. The file has none. */
  readonly totals?: readonly PackTotals[];
  /** Of dividends: what was paid by origin, treatment and currency, which the boxes of a form ask for. */
  readonly paidSums?: readonly PaidSum[];
  readonly columns: readonly string[];
  /** Exact decimals and days as text; null where the value is unknown or belongs to another row. */
  readonly rows: readonly (readonly unknown[])[];
}

/** A sum with an unknown amount is undefined. */
export interface PackTotals {
  readonly currency: string | undefined;
  /** How many rows it adds up. */
  readonly count: number;
  readonly sums: Readonly<Record<string, string | undefined>>;
}

/** What a reader must know of every figure of a pack, before all else. */
export const notAdvice = 'A person must check these figures; they are not tax advice.';

/** Payments of one treatment from the United Kingdom, or from other countries. */
export interface PaidSum {
  /** Undefined where the country is unknown. */
  readonly isUk: boolean | undefined;
  readonly treatment: string;
  readonly currency: string | undefined;
  /** The exact amounts added up, and rounded once. Undefined where one is unknown. */
  readonly paid: string | undefined;
}

/** Adds up the exact amounts of each currency, in the order in which the currencies first occur. */
export const computeTotals = <Row>(
  rows: readonly Row[],
  getCurrency: (row: Row) => string | undefined,
  amounts: Readonly<Record<string, (row: Row) => Big | undefined>>,
  format: (sum: Big | undefined) => string | undefined,
): PackTotals[] =>
  [...groupBy(rows, getCurrency)].map(([currency, own]) => ({
    currency,
    count: own.length,
    sums: Object.fromEntries(
      Object.entries(amounts).map(([column, pick]) => [column, format(sumIfComplete(own.map(pick)))]),
    ),
  }));

/** Returns the day of a moment (ms) as text. */
export type ToDay = (at: number) => string;
