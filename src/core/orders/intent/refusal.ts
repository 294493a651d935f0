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

/** What to do after a refusal of the broker whose code is known; sources: reports of clients of such services. */

/** The next step by the broker's code. A permanent refusal says so, because a model would otherwise try again. */
const fixes: Readonly<Record<string, string>> = {
  'instrument-invisible':
    'This account cannot trade this instrument, now or later. Choose another with search_instruments.',
  'i-s-a-ineligible-instrument':
    'This type of account may not hold this instrument, now or later. Choose another with search_instruments.',
  'instrument-close-only-mode': 'This instrument can only be sold. Choose another instrument to buy.',
  'instrument-disabled': 'This instrument cannot be traded now. Choose another, or ask the user.',
  'max-position-quantity-exceeded':
    'The broker bounds the position in this instrument, and the reason may name the bound. Lower the quantity.',
  'selling-equity-not-owned':
    'Shares in pies, in pending orders or not settled cannot be sold, and a stop above the price was refused like this. Compare with list_positions and list_orders.',
  'insufficient-free-for-stocks-buy': 'Lower the quantity, or ask the user to add money.',
  'min-quantity-exceeded': 'Raise the quantity to what the reason names.',
  'min-opened-position-exceeded': 'Sell the complete position, or leave more of it.',
  'quantity-precision-mismatch': 'Round the quantity to the decimals that the reason names.',
  'price-too-far': 'Choose a price closer to the last one.',
  'extended-hours-trading-not-allowed': 'Place the order without extendedHours.',
};

/** The code as the table has it: one of the error bodies writes `InstrumentInvisible`. */
const toKebabCase = (code: string): string => code.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** The next step after the broker rejected an order with this code; undefined for another code. */
export function getRefusalFix(brokerCode: string | undefined): string | undefined {
  if (brokerCode === undefined) return undefined;
  const name = toKebabCase(brokerCode);
  return Object.hasOwn(fixes, name) ? fixes[name] : undefined;
}
