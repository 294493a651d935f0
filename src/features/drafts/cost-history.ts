/** What changes the cost of shares beside trades: the owner's entries, and capital that dividends returned. */

import { isFailure } from '../../core/errors.ts';
import type { InstrumentList } from '../../core/instruments/instrument-directory.ts';
import { createChargeEstimator, type EstimateCharges } from '../analytics/charge-rates.ts';
import { executions } from '../analytics/executions.ts';
import type { Trade } from '../analytics/trades.ts';
import { type AppliedRecords, applyTaxRecords } from '../gains/apply-records.ts';
import type { TaxRecords } from '../gains/cost-entries.ts';
import type { GainsMethod } from '../gains/gain-types.ts';
import { allDividends } from '../history/all-rows.ts';
import type { Coverage, History, ReadOptions } from '../history/history-port.ts';

export interface CostHistory {
  /** A text that is different when the entries or the dividends are. */
  readonly version: string;
  /** Whether all dividends were read. */
  readonly isComplete: boolean;
  /** The trades with the changes of their cost. */
  apply(trades: readonly Trade[], method: GainsMethod): Pick<AppliedRecords, 'trades' | 'options'>;
}

/** Throws `cancelled`, and the error of an invalid file of the owner. Dividends that cannot be read are left out. */
export async function readCostHistory(
  history: History,
  taxRecords: () => Promise<TaxRecords>,
  options: ReadOptions,
): Promise<CostHistory> {
  const [records, read] = await Promise.all([
    taxRecords(),
    history.derive({ kind: 'dividends' }, allDividends, options).catch((error: unknown) => {
      if (isFailure(error)) return undefined;
      throw error;
    }),
  ]);
  return {
    version: `${read?.version ?? 'none'} ${JSON.stringify(records)}`,
    isComplete: read?.coverage.complete ?? false,
    apply: (trades, method) => applyTaxRecords(trades, read?.value ?? [], records, method),
  };
}

// What the account's own fills show: prices, decimals, charges and costs. The interface has no other source.

export interface OwnHistory {
  /** A text that is different when the trades are. */
  readonly version: string;
  /** In the order of execution. */
  readonly trades: readonly Trade[];
  /** Undefined when nothing of the history could be read. */
  readonly coverage: Coverage | undefined;
  /** When the service returned the newest page (ms); undefined when nothing could be read. */
  readonly asOf: number | undefined;
  readonly estimateCharges: EstimateCharges;
  /**
   * The most decimals that the broker accepted in the quantity of an order for the ticker; undefined when there was none.
   */
  getTradedDecimals(ticker: string): number | undefined;
  /** The most decimals that the broker accepted in a price of an order for the ticker; undefined when there was none. */
  getPriceDecimals(ticker: string): number | undefined;
}

/**
 * Reads the order history. A history that cannot be read is empty, because prices and charges are estimates that an
 * order can do without; `coverage` is undefined then. Throws `cancelled`.
 */
export async function readOwnHistory(
  history: History,
  byTicker: InstrumentList['byTicker'],
  options: ReadOptions,
): Promise<OwnHistory> {
  const read = await history.derive({ kind: 'orders' }, executions, options).catch((error: unknown) => {
    if (isFailure(error)) return undefined;
    throw error;
  });
  const trades = read?.value.trades ?? [];
  return {
    version: read?.version ?? 'none',
    trades,
    coverage: read?.coverage,
    asOf: read?.asOf,
    estimateCharges: createChargeEstimator(trades, (ticker) => byTicker(ticker)?.type),
    getTradedDecimals: (ticker) => read?.value.quantityDecimals.get(ticker),
    getPriceDecimals: (ticker) => read?.value.priceDecimals.get(ticker),
  };
}
