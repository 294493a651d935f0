/** What realised gains are asked by, and what the answer is made of. */
import type Big from 'big.js';
import type { Check } from '../check.ts';

export const gainsMethods = ['broker', 'fifo', 'average', 'uk_section_104'] as const;

/**
 * Which cost a sale has. `broker`: what the broker's own result implies; `fifo`: that of the oldest shares;
 * `average`: that of the holding on average; `uk_section_104`: the share identification rules for UK
 * capital gains tax.
 */
export type GainsMethod = (typeof gainsMethods)[number];

export interface RealisedGainsOptions {
  readonly method: GainsMethod;
  /** Which sales are shown and summed, ms; inclusive and exclusive. Their cost comes from all trades whatever this says. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly ticker?: string | undefined;
}

export type MatchRule = 'same_day' | 'thirty_day' | 'section_104' | 'fifo' | 'average' | 'broker';

/** A part of a sale, and where its cost comes from. */
export interface Match {
  readonly rule: MatchRule;
  /** In shares as they were at the sale, whatever splits lie between. */
  readonly quantity: Big;
  readonly cost: Big;
  /** When these shares were acquired; absent where the rule takes them from a pool. */
  readonly acquiredAt?: number;
}

/** Amounts are in the account's currency: proceeds after charges, cost with charges. */
export interface Disposal {
  /** Milliseconds since 1970, UTC; of the first sale, where the sales of a day are one disposal. */
  readonly at: number;
  /** Several listings of one share class that were sold on one day are joined: `A + B`. */
  readonly ticker: string;
  readonly quantity: Big;
  readonly proceeds: Big;
  readonly cost: Big;
  readonly gain: Big;
  readonly matches: readonly Match[];
}

/** A trade, or the part of one, that is in no figure. */
export interface UnmatchedSale {
  readonly at: number;
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: Big;
  /** Undefined when the service gave no value. Of a purchase there are none. */
  readonly proceeds: Big | undefined;
  readonly reason: string;
}

export interface GainsSum {
  readonly disposals: number;
  readonly proceeds: Big;
  readonly cost: Big;
  readonly gain: Big;
}

/** What is left of a holding after all trades, by share class for `uk_section_104` and by ticker otherwise. */
export interface RemainingHolding {
  readonly tickers: readonly string[];
  readonly quantity: Big;
  readonly cost: Big;
  /** Cost of shares that left without a disposal: by a corporate action, or by a sale without a value. */
  readonly removedCost: Big;
}

export interface RealisedGains {
  readonly method: GainsMethod;
  /** Oldest first. */
  readonly disposals: readonly Disposal[];
  /** `gain` is `gains`, the sum of those above zero, plus `losses`, the sum of those below. */
  readonly totals: GainsSum & { readonly gains: Big; readonly losses: Big };
  /** In the order of the tickers' names. */
  readonly byTicker: readonly (GainsSum & { readonly ticker: string })[];
  readonly unmatched: readonly UnmatchedSale[];
  /** What was assumed, one sentence each. */
  readonly remarks: readonly string[];
  /** Of the whole history, not of the range. Empty for `broker`, which matches no shares. */
  readonly left: readonly RemainingHolding[];
  readonly checks: readonly Check[];
}
