/** The options and results of realised gains. */
import type Big from 'big.js';
import type { Check } from '../check.ts';

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
}

export type MatchRule = 'same_day' | 'thirty_day' | 'section_104' | 'fifo' | 'average' | 'broker';

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
  readonly matches: readonly Match[];
}

/** A trade, or a part of one, that no figure includes. */
export interface UnmatchedSale {
  readonly at: number;
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: Big;
  /** Undefined for a purchase, or if the service reported no value. */
  readonly proceeds: Big | undefined;
  readonly reason: string;
}

export interface GainsSum {
  readonly disposals: number;
  readonly proceeds: Big;
  readonly cost: Big;
  readonly gain: Big;
}

/** The rest of a holding after all trades, by share class for `uk_section_104` and by ticker otherwise. */
export interface RemainingHolding {
  readonly tickers: readonly string[];
  readonly quantity: Big;
  readonly cost: Big;
  /** The cost of shares removed without a disposal: by a corporate action, or a sale without a value. */
  readonly removedCost: Big;
}

/** The result of `summarizeRealisedGains`; amounts are in the account's currency. */
export interface RealisedGains {
  readonly method: GainsMethod;
  /** Oldest first. */
  readonly disposals: readonly Disposal[];
  /** `gain` is the sum of `gains` (all above zero) and `losses` (all below). */
  readonly totals: GainsSum & { readonly gains: Big; readonly losses: Big };
  /** Sorted by ticker. */
  readonly byTicker: readonly (GainsSum & { readonly ticker: string })[];
  readonly unmatched: readonly UnmatchedSale[];
  /** The assumptions, one sentence each. */
  readonly remarks: readonly string[];
  /** For the complete history, independent of the range. Empty for `broker`, which matches no shares. */
  readonly left: readonly RemainingHolding[];
  readonly checks: readonly Check[];
}
