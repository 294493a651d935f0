/** Why this server refuses an order: the name of the rule, and a sentence. */

/**
 * The rules that an order must satisfy. `max_open_quantity` is the instrument's own maximum, of what is held and pending
 * together; the other maxima are limits of the owner (risk-limits.ts).
 */
export const riskRules = [
  'cash',
  'instrument_type',
  'max_day_value',
  'max_open_quantity',
  'max_order_quantity',
  'max_order_value',
  'no_price',
  'orders_per_day',
  'orders_per_hour',
  'orders_per_minute',
  'pending_orders',
  'price_distance',
  'shares',
  'tickers',
  'value_unknown',
] as const;

export type RiskRule = (typeof riskRules)[number];

/** The name of everything in this server that can refuse an order. The names are public: clients may depend on them. */
export type RuleName =
  | RiskRule
  | 'account_unclear'
  | 'approval_invalid'
  | 'approval_missing'
  | 'approvals_used'
  | 'draft_stale'
  | 'duplicate_order'
  | 'halted'
  | 'internal'
  | 'live_not_enabled'
  | 'live_service'
  | 'market_closed'
  | 'market_unknown'
  | 'open_unknown'
  | 'repeated_submission'
  | 'store_changed'
  | 'store_unavailable'
  | 'submission_ended';

export interface Refusal {
  readonly rule: RuleName;
  readonly reason: string;
  /** How many shares of the same order would pass, if the quantity is the only problem. */
  readonly largestQuantity?: string | undefined;
  /** The nearest price that would pass, if the distance of a price is the problem. */
  readonly nearestPrice?: string | undefined;
}
