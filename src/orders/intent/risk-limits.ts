/** The limits that orders must satisfy, and which of two is stricter. */
import Big from 'big.js';
import type { Environment } from '../../config.ts';

/** The limits of orders. Amounts are decimal strings. */
export interface RiskLimits {
  /** In the account currency. */
  readonly maxOrderValue: string;
  /** In the account currency: the value of sent and unknown orders in 24 hours. */
  readonly maxDayValue: string;
  readonly maxOrderQuantity: string;
  readonly ordersPerMinute: number;
  readonly ordersPerHour: number;
  readonly ordersPerDay: number;
  readonly maxPendingPerTicker: number;
  /** Percent between a limit or stop price and the last known price. */
  readonly maxPriceDistance: string;
  /** The tickers that may be traded; undefined allows every ticker. */
  readonly tickers?: readonly string[] | undefined;
  readonly instrumentTypes: readonly string[];
  /** Whether an order of another program stops trading in live. */
  readonly haltOnForeignOrders: boolean;
}

export type ConfiguredLimits = Partial<RiskLimits>;

const paper: RiskLimits = {
  maxOrderValue: '10000',
  maxDayValue: '100000',
  maxOrderQuantity: '10000',
  ordersPerMinute: 30,
  ordersPerHour: 300,
  ordersPerDay: 1_000,
  maxPendingPerTicker: 50,
  maxPriceDistance: '20',
  instrumentTypes: ['STOCK', 'ETF'],
  haltOnForeignOrders: false,
};

const live: RiskLimits = {
  ...paper,
  maxOrderValue: '1000',
  maxDayValue: '5000',
  maxOrderQuantity: '1000',
  ordersPerMinute: 5,
  ordersPerHour: 20,
  ordersPerDay: 50,
  maxPendingPerTicker: 10,
  maxPriceDistance: '10',
  haltOnForeignOrders: true,
};

/**
 * The limits in force. In live, the enrolled limits are the loosest: a model may be able to change variables and
 * files, so these can only make the limits stricter.
 */
export function effectiveLimits(
  environment: Environment,
  configured: ConfiguredLimits,
  enrolled: ConfiguredLimits | undefined,
): RiskLimits {
  if (environment !== 'live') return { ...paper, ...configured };
  const ceiling: RiskLimits = { ...live, ...enrolled };
  return stricterLimits(ceiling, { ...ceiling, ...configured });
}

/** Returns the stricter of two values for each limit; tickers and instrument types must be in both lists. */
export function stricterLimits(a: RiskLimits, b: RiskLimits): RiskLimits {
  const amount = (name: 'maxOrderValue' | 'maxDayValue' | 'maxOrderQuantity' | 'maxPriceDistance') =>
    new Big(a[name]).lt(b[name]) ? a[name] : b[name];
  return {
    maxOrderValue: amount('maxOrderValue'),
    maxDayValue: amount('maxDayValue'),
    maxOrderQuantity: amount('maxOrderQuantity'),
    ordersPerMinute: Math.min(a.ordersPerMinute, b.ordersPerMinute),
    ordersPerHour: Math.min(a.ordersPerHour, b.ordersPerHour),
    ordersPerDay: Math.min(a.ordersPerDay, b.ordersPerDay),
    maxPendingPerTicker: Math.min(a.maxPendingPerTicker, b.maxPendingPerTicker),
    maxPriceDistance: amount('maxPriceDistance'),
    tickers: a.tickers && b.tickers ? a.tickers.filter((name) => b.tickers?.includes(name)) : (a.tickers ?? b.tickers),
    instrumentTypes: a.instrumentTypes.filter((type) => b.instrumentTypes.includes(type)),
    haltOnForeignOrders: a.haltOnForeignOrders || b.haltOnForeignOrders,
  };
}
