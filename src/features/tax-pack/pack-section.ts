/** A table of the tax pack: the page shows it, and a CSV file of its own has the same rows. */

export interface PackSection {
  /** The name of its file, without `.csv`. */
  readonly name: string;
  readonly title: string;
  /** What a reader must know about the columns. */
  readonly note?: string;
  /** Totals: what, and the amount with its currency. */
  readonly figures?: readonly (readonly [string, string])[];
  readonly columns: readonly string[];
  /** Exact decimals and days as text; null where the value is unknown or belongs to another row. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns the day of a moment (ms) as text. */
export type ToDay = (at: number) => string;
