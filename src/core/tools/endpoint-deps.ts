import type { EndpointLimit, RateLimitStatus } from '../broker/rate-limit/limit-status.ts';
import type { Broker, CallContext } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { Endpoint, TradableInstrument } from '../endpoints/index.ts';
import type { InstrumentDirectory } from '../instruments/instrument-directory.ts';
import type { SaleMethod } from '../mcp/order-arguments.ts';
import type { Approvals } from '../orders/intent/approval-port.ts';
import type { OrderRequest } from '../orders/intent/order-request.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import type { WriteJournal } from '../orders/write-journal.ts';
import type { Config } from '../settings/config.ts';
import type { MarketFile } from '../settings/market-files.ts';
import type { AuditTrail } from '../store/audit-table.ts';

/** What the tools of the endpoints need. */
export interface EndpointDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly broker: Broker;
  readonly directory: InstrumentDirectory;
  readonly orderManager: OrderManager;
  readonly approvals: Approvals;
  readonly writes: WriteJournal;
  readonly audit: AuditTrail;
  /** Returns why the store is unavailable; undefined when it is available. */
  readonly getStoreError: () => string | undefined;
  /** Returns the remaining requests of each endpoint's rate limit, as far as this store knows. */
  readonly allowance: () => Promise<readonly RateLimitStatus[]>;
  /** Returns the currently known rate limit of one endpoint. */
  readonly getLimit: (endpoint: Endpoint) => Promise<EndpointLimit>;
  readonly describeOutlook: DescribeOutlook;
  /** Returns which data of the market the owner keeps. */
  readonly listMarketFiles: () => Promise<readonly MarketFile[]>;
}

/** An order whose preview is shown. */
export interface OutlookQuestion {
  readonly order: OrderRequest;
  readonly instrument: TradableInstrument;
  /** The estimated value of the order in the account's currency; undefined when it is unknown. */
  readonly value: string | undefined;
  /** When the account of the preview was requested (ms). */
  readonly askedAt: number;
  /** Shares that the account would hold after the order. */
  readonly left: string;
  readonly method: SaleMethod;
}

/** Estimated charges of an order, in the account's currency. */
export interface OrderCharges {
  /** Whether an own fill shows what such an order is charged. */
  readonly known: boolean;
  /** Undefined when the charges or the value of the order are unknown. */
  readonly total?: string | undefined;
  readonly kinds?: readonly { readonly kind: string; readonly amount: string | undefined; readonly fills: number }[];
}

/** What the account's own history adds to the preview of an order. */
export interface OrderOutlook {
  readonly charges: OrderCharges;
  /** What a sale would realise. */
  readonly whatIf?: object;
  /** What the history says against the order. It refuses nothing. */
  readonly warnings: readonly string[];
}

/**
 * Describes an order from the account's history. `options` bound the wait for the newest page of it, and how old that
 * page may be. Throws `cancelled`.
 */
export type DescribeOutlook = (
  question: OutlookQuestion,
  context: CallContext,
  options: { readonly context: CallContext; readonly newestOnly: true },
) => Promise<OrderOutlook>;
