/** The options and results of realised gains. */
import type Big from 'big.js';
import type { Check } from '../analytics/check.ts';
import type { Trade } from '../analytics/trades.ts';
import type { CostBasis } from './cost-entries.ts';

/** The supported methods, described at `GainsMethod`. */
export const gainsMethods = ['broker', 'fifo', 'average', 'uk_section_104'] as const;

/**
 * The cost basis of a sale. `broker`: implied by the broker's own result; `fifo`: the oldest shares; `average`: the
 * average of the holding; `uk_section_104`: the share identification rules for UK capital gains tax.
 */
export type GainsMethod = (typeof gainsMethods)[number];

export interface RealisedGainsOptions {
  readonly method: GainsMethod;
  /**
   * Which sales are returned and summed (ms; inclusive and exclusive). Their cost is always computed from all
   * trades.
   */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
  /** What the owner said about transferred shares; nothing by default. */
  readonly costBasis?: CostBasis | undefined;
  /** Names the company that gave the shares of a spin-off; nothing by default. */
  readonly findParent?: ((spinOff: Trade) => string | undefined) | undefined;
  /** When shares of a take-over came (ms), of all holdings; by default those of the trades. */
  readonly paperAt?: readonly number[] | undefined;
  /** Writes the day of a moment (ms) in a remark; in UTC by default. */
  readonly toDate?: ((at: number) => string) | undefined;
  /**
   * Whether the trades reach from the first one to now; default true. Without that, no check is made, because a part
   * explains nothing.
   */
  readonly isWhole?: boolean | undefined;
}

/** `entered`: the owner entered the cost of a payment of capital. */
export type MatchRule = 'same_day' | 'thirty_day' | 'section_104' | 'fifo' | 'average' | 'broker' | 'entered';

/** A part of a sale, and the rule that gives its cost. */
export interface Match {
  readonly rule: MatchRule;
  /** In shares as they were at the sale, independent of later splits. */
  readonly quantity: Big;
  readonly cost: Big;
  /** When these shares were acquired (ms); absent if the rule takes them from a pool. */
  readonly acquiredAt?: number;
}

/** Amounts are in the account's currency: proceeds after charges, cost including charges. */
export interface Disposal {
  /** Milliseconds since 1970, UTC; of the first sale, if the sales of a day are one disposal. */
  readonly at: number;
  /** Several listings of one share class that were sold on one day are joined as `A + B`. */
  readonly ticker: string;
  readonly quantity: Big;
  readonly proceeds: Big;
  readonly cost: Big;
  readonly gain: Big;
  /** The charges, which `proceeds` is after; undefined when one of them is in another currency. */
  readonly charges: Big | undefined;
  readonly matches: readonly Match[];
  /**
   * Section 104 only: the pool after the day's sales, in shares as they were then. Its cost is undefined while it has
   * shares of an unknown cost.
   */
  readonly poolAfter: { readonly quantity: Big; readonly cost: Big | undefined } | undefined;
  /** The currency of all amounts; undefined when the service reported none. */
  readonly currency: string | undefined;
  /** Where the trades of several accounts are matched together: that of the sales, or several as `A + B`. */
  readonly account?: string | undefined;
}

/** A trade, or a part of one, that no figure includes, and shares whose cost is unknown. */
export interface UnmatchedSale {
  readonly at: number;
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: Big;
  /** Undefined for a purchase, or if the service reported no value. */
  readonly proceeds: Big | undefined;
  readonly reason: UnmatchedReason;
  /** As of a disposal. */
  readonly account?: string | undefined;
  /** The command that completes the figures; undefined when there is none. */
  readonly next?: string;
}

/** Why a trade is in no figure. */
export type UnmatchedReason =
  | 'no_quantity'
  | 'no_value_of_sale'
  | 'no_value_of_purchase'
  /** More was sold than is known to have been held. */
  | 'not_held'
  /** Shares came by a transfer or a take-over, and their original cost was not entered. */
  | 'original_cost_unknown'
  /** Shares came in exchange for others, the rows do not show whose cost they have, and none was entered. */
  | 'exchanged_cost_unknown'
  /** Shares were exchanged for cash and other shares, and the cost has to be apportioned. */
  | 'apportionment_needed'
  /** A payment of capital that can be a part disposal, so that its part of the cost has to be entered. */
  | 'capital_distribution'
  /** More capital was returned than the shares held then had cost. */
  | 'capital_beyond_cost'
  /** More cost was entered for the shares of a spin-off than the company had that gave them. */
  | 'spin_off_beyond_cost'
  /** The broker's own result is missing. */
  | 'no_broker_result'
  /** The holding was traded in several currencies of the account. */
  | 'several_currencies';

export interface GainsSum {
  readonly disposals: number;
  readonly proceeds: Big;
  readonly cost: Big;
  readonly gain: Big;
}

/** `gain` is the sum of `gains` (all above zero) and `losses` (all below). */
export interface GainsTotals extends GainsSum {
  readonly gains: Big;
  readonly losses: Big;
}

/** The rest of a holding after all trades, by share class. */
export interface RemainingHolding {
  readonly tickers: readonly string[];
  readonly quantity: Big;
  /** Undefined while the cost of some of the shares is unknown. */
  readonly cost: Big | undefined;
  /** The cost of shares removed without a disposal: by a corporate action other than an exchange, or a sale without a value. */
  readonly removedCost: Big;
}

/** The result of `summarizeRealisedGains`. */
export interface RealisedGains {
  readonly method: GainsMethod;
  /** Oldest first. */
  readonly disposals: readonly Disposal[];
  /** Undefined when the disposals are in several currencies. */
  readonly totals: GainsTotals | undefined;
  /** One row for each currency of the disposals; `currency` is undefined when the service reported none. */
  readonly totalsByCurrency: readonly (GainsTotals & { readonly currency: string | undefined })[];
  /** Sorted by ticker. */
  readonly byTicker: readonly (GainsSum & { readonly ticker: string; readonly currency: string | undefined })[];
  readonly unmatched: readonly UnmatchedSale[];
  /** The assumptions, one sentence each. */
  readonly remarks: readonly string[];
  /** For the complete history, independent of the range. Empty for `broker`, which matches no shares. */
  readonly left: readonly RemainingHolding[];
  readonly checks: readonly Check[];
}
