/** Why an order is refused here: the name of the rule, and a sentence. */

/** The names of the rules that an order must keep. */
export type RiskRule =
  | 'cash'
  | 'instrument_type'
  | 'max_day_value'
  | 'max_open_quantity'
  | 'max_order_quantity'
  | 'max_order_value'
  | 'no_price'
  | 'orders_per_day'
  | 'orders_per_hour'
  | 'orders_per_minute'
  | 'pending_orders'
  | 'price_distance'
  | 'shares'
  | 'tickers'
  | 'value_unknown';

/** The name of everything of ours that can refuse an order. It is public: clients may depend on it. */
export type RuleName =
  | RiskRule
  | 'account_unclear'
  | 'approval_invalid'
  | 'approval_missing'
  | 'halted'
  | 'internal'
  | 'live_not_enabled'
  | 'live_service'
  | 'open_unknown'
  | 'store_unavailable';

export interface Refusal {
  readonly rule: RuleName;
  readonly reason: string;
  /** How many shares of the same order would pass, where that is all that is wrong. */
  readonly largestQuantity?: string | undefined;
}
