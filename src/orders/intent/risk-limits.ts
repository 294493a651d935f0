/** The limits that orders must keep, and which of two are the stricter. */
import Big from 'big.js';
import type { Environment } from '../../config.ts';

export interface RiskLimits {
  /** Account currency. */
  readonly maxOrderValue: string;
  /** Account currency, in 24 hours, sent and unknown. */
  readonly maxDayValue: string;
  readonly maxOrderQuantity: string;
  readonly ordersPerMinute: number;
  readonly ordersPerHour: number;
  readonly ordersPerDay: number;
  readonly maxPendingPerTicker: number;
  /** Percent between a limit or stop price and the last known price. */
  readonly maxPriceDistance: string;
  /** Undefined: every ticker. */
  readonly tickers?: readonly string[] | undefined;
  readonly instrumentTypes: readonly string[];
  /** Whether an order that another program made stops trading in live. */
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
 * The limits in force. In live, what was enrolled is the loosest there is: variables and files come
 * from where a model may reach, so they can only make it stricter.
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
