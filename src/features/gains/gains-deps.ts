import type { HistoryDeps } from '../history/history-deps.ts';
import type { TaxRecords } from './cost-entries.ts';

/** What the tools over realised gains need. */
export interface GainsDeps extends HistoryDeps {
  /**
   * Returns what the owner entered for tax. Throws a BrokerageError with the code `not_configured` for an invalid file.
   */
  readonly taxRecords: () => Promise<TaxRecords>;
  /** The other taxable accounts of the owner, where the UK rules match the shares of all of them together. */
  readonly pooledWith?: readonly GainsDeps[] | undefined;
}
