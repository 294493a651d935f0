/** What the owner entered for tax, because the rows of the service do not have it. */
import type Big from 'big.js';

/**
 * The cost of shares that came without a purchase, by a transfer, a spin-off or a take-over; or the part of a cost that
 * belongs to the money of a take-over or of a payment of capital.
 */
export interface CostEntry {
  /** The fill that brought the shares; when undefined, `ticker` and `at` (ms) identify it. */
  readonly fillId: string | undefined;
  readonly ticker: string | undefined;
  readonly at: number | undefined;
  /** When the shares were acquired (ms); undefined: when they came. */
  readonly acquiredAt: number | undefined;
  /** For all shares of the row, with charges. */
  readonly cost: Big;
  readonly currency: string;
  /** The ticker that gives up this cost in a spin-off. */
  readonly parent: string | undefined;
}

/** Income that an offshore fund reported for a period and did not pay (Offshore Funds (Tax) Regulations 2009 reg 94). */
export interface ReportableIncome {
  readonly isin: string;
  /** The last day of the period, `YYYY-MM-DD`. */
  readonly periodEnd: string;
  readonly amountPerShare: Big;
  readonly currency: string;
}

export interface TaxRecords {
  readonly costs: readonly CostEntry[];
  readonly reportableIncome: readonly ReportableIncome[];
}

export const noTaxRecords: TaxRecords = { costs: [], reportableIncome: [] };
