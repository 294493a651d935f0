/** What a process trades with, and what was set for it. */
import type { Environment } from '../../config.ts';
import type { ApprovalMethod } from '../intent/approval-port.ts';

/** What a process trades with, as far as it is known now. */
export interface Service {
  readonly origin?: string | undefined;
  /** The service's own id of the account. */
  readonly account?: string | undefined;
  readonly keyHash?: string | undefined;
}

export interface TradingSettings {
  readonly environment: Environment;
  /** Of the service; undefined in the sandbox. */
  readonly origin: string | undefined;
  /** What else is known of it now; it may become more with every call. */
  readonly service?: (() => Service) | undefined;
  readonly liveTrading: boolean;
  /** As configured; in live what was enrolled decides, and this can only make it stricter. */
  readonly approval: ApprovalMethod | 'none' | undefined;
  /** Whether the file `halt` is in the state folder. */
  readonly haltFile: () => boolean;
}
