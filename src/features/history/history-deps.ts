import type { EndpointLimit } from '../../core/broker/rate-limit/limit-status.ts';
import type { Broker } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import type { Endpoint } from '../../core/endpoints/index.ts';
import type { InstrumentDirectory } from '../../core/instruments/instrument-directory.ts';
import type { Config } from '../../core/settings/config.ts';
import type { BenchmarkPoint, FundHolding } from '../../core/settings/market-files.ts';
import type { DailyValue } from './daily-value.ts';
import type { Mirror } from './mirror.ts';

/** How far an import of a long history is. */
export interface ImportState {
  readonly isRunning: boolean;
  /** `pages` where the service refuses reports. */
  readonly way: 'reports' | 'pages';
  readonly years: { readonly ready: number; readonly expected: number };
}

/** Data of the market that the owner keeps in files. Both throw `not_configured` for a file that cannot be used. */
export interface MarketFiles {
  /** Oldest first; undefined without a file. */
  benchmark(): Promise<readonly BenchmarkPoint[] | undefined>;
  /** What the funds with these ISINs hold; a fund without a file is left out. */
  funds(isins: readonly string[]): Promise<ReadonlyMap<string, readonly FundHolding[]>>;
}

/** What the tools over the history need. */
export interface HistoryDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly broker: Broker;
  readonly directory: InstrumentDirectory;
  readonly history: Mirror;
  /** Daily values of the account, for the days on which this store recorded one. */
  readonly dailyValues: () => Promise<readonly DailyValue[]>;
  /** Values of the days before the first start, which only the sandbox knows; empty elsewhere. */
  readonly pastValues: () => Promise<readonly DailyValue[]>;
  readonly marketFiles: MarketFiles;
  /** Returns the currently known rate limit of one endpoint. */
  readonly getLimit: (endpoint: Endpoint) => Promise<EndpointLimit>;
  readonly historyImport: { progress(): Promise<ImportState | undefined> };
}
