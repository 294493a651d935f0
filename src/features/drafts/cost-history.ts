/** What changes the cost of shares beside trades: the owner's entries, and capital that dividends returned. */

import { BrokerageError } from '../../core/errors.ts';
import type { Trade } from '../analytics/trades.ts';
import { type AppliedRecords, applyTaxRecords } from '../gains/apply-records.ts';
import type { GainsMethod } from '../gains/gain-types.ts';
import type { TaxRecords } from '../gains/tax-records.ts';
import { allDividends } from '../history/all-rows.ts';
import type { History, ReadOptions } from '../history/history-port.ts';

export interface CostHistory {
  /** A text that is different when the entries or the dividends are. */
  readonly version: string;
  /** Whether all dividends were read. */
  readonly isComplete: boolean;
  /** The trades with the changes of their cost. */
  apply(trades: readonly Trade[], method: GainsMethod): Pick<AppliedRecords, 'trades' | 'options'>;
}

export interface CostHistoryDeps {
  readonly history: History;
  readonly taxRecords: () => Promise<TaxRecords>;
}

/** Throws `cancelled`, and the error of an invalid file of the owner. Dividends that cannot be read are left out. */
export async function readCostHistory(
  { history, taxRecords }: CostHistoryDeps,
  options: ReadOptions,
): Promise<CostHistory> {
  const [records, read] = await Promise.all([
    taxRecords(),
    history.derive({ kind: 'dividends' }, allDividends, options).catch((error: unknown) => {
      if (error instanceof BrokerageError && error.code !== 'cancelled') return undefined;
      throw error;
    }),
  ]);
  return {
    version: `${read?.version ?? 'none'} ${JSON.stringify(records)}`,
    isComplete: read?.coverage.complete ?? false,
    apply: (trades, method) => applyTaxRecords(trades, read?.value ?? [], records, method),
  };
}
