/** The service that a process trades with, and its trading settings. */

import type { ApprovalMethod } from '../../orders/intent/approval-port.ts';
import type { StoreWitness } from '../../orders/intent/ports.ts';
import type { Environment } from '../../settings/config.ts';

/** The service that a process trades with, as far as it is known now. */
export interface Service {
  readonly origin?: string | undefined;
  /** The service's own id of the account. */
  readonly account?: string | undefined;
  readonly keyHash?: string | undefined;
}

/** What decides whether and how orders may be placed by this process. */
export interface TradingSettings {
  readonly environment: Environment;
  /** The origin of the service; undefined in the sandbox. */
  readonly origin: string | undefined;
  /** What else is known of the service now; every call may add to it. */
  readonly service?: (() => Service) | undefined;
  readonly liveTrading: boolean;
  /** As configured. In live the enrollment decides, and this can only make it stricter. */
  readonly approval: ApprovalMethod | 'none' | undefined;
  /** Whether the file `halt` exists in the state folder. */
  readonly haltFile: () => boolean;
  /** What is known of the store outside of it; undefined in the sandbox, whose orders are not real. */
  readonly witness?: StoreWitness | undefined;
}
