/** What the planner takes and returns. Every number is an exact decimal as text. */

export type PlanGoal = 'rebalance' | 'invest' | 'raise';
export type PlanSide = 'BUY' | 'SELL';
export type PlanOrderType = 'MARKET' | 'LIMIT';

/** The most legs of a plan. */
export const maxLegs = 30;

/** The intention of a person. Amounts are in the account currency. */
export interface PlanRequest {
  readonly goal: PlanGoal;
  /** Percent of the value of these tickers. The sum is at most 100; a remainder stays cash. */
  readonly targets?: readonly { readonly ticker: string; readonly weightPercent: string }[] | undefined;
  /** `rebalance`: cash that joins (default 0). `invest`: the most to spend. `raise`: the net proceeds wanted. */
  readonly amount?: string | undefined;
  /** `rebalance`: the deviation in percentage points that is left alone (default 1). */
  readonly band?: string | undefined;
  /** Default 5. */
  readonly minOrderValue?: string | undefined;
  /** Cash that stays (default 0). */
  readonly keepCash?: string | undefined;
  /** `rebalance` only; default true. */
  readonly allowSells?: boolean | undefined;
  /** Default MARKET. */
  readonly orderType?: PlanOrderType | undefined;
  /** LIMIT: percent between the known price and the limit price, positive is worse for us (default 0). */
  readonly limitOffsetPercent?: string | undefined;
  /** Whether an assumed price is good enough for a limit order only. */
  readonly limitsAssumedPrices?: boolean | undefined;
  /** `raise`: sell what gains least for its proceeds first, by the lots of the assets. */
  readonly leastGain?: boolean | undefined;
}

/** A price that the caller gave, in the currency of the instrument's prices. */
export interface AssumedPrice {
  readonly ticker: string;
  readonly price: string;
  readonly currency: string | undefined;
}

/** Amounts in the account currency. */
export interface PlanAccount {
  /** What can be spent now. */
  readonly cash: string;
  /** Where weights are over several accounts: the cash of all of them, which counts in the weights. */
  readonly cashOfAll?: string | undefined;
}

/** A charge of one kind as a fraction of the order's value, and the number of own fills that it was estimated from. */
export interface ChargeRate {
  readonly kind: string;
  readonly rate: string;
  readonly fills: number;
}

/** Shares and what they cost, in the account currency. */
export interface PlanLot {
  readonly quantity: string;
  readonly cost: string;
}

/** One ticker as the account has it. */
export interface PlanAsset {
  readonly ticker: string;
  /** Shares held, with pending orders counted as executed and shares in pies included. */
  readonly held: string;
  /** Shares that can be sold now. */
  readonly sellable: string;
  /** Where weights are over several accounts: the shares of the others, which count in the weights and are never sold. */
  readonly elsewhere?: string | undefined;
  /** Per share, in the instrument's currency. Undefined when no price is known. */
  readonly price: string | undefined;
  readonly priceFrom: 'position' | 'fill' | 'assumed' | undefined;
  /** The number of decimals of a limit price. */
  readonly priceDecimals: number;
  /** Account currency for one unit of the instrument's currency. Undefined when no rate is known. */
  readonly rate: string | undefined;
  /** The number of decimals of a quantity. */
  readonly quantityDecimals: number;
  /** Estimated charges by side; undefined when no own fill shows any. */
  readonly charges: { readonly [Side in PlanSide]: readonly ChargeRate[] | undefined };
  /** In the order in which a sale takes them, for `leastGain`; undefined when the cost of a share is unknown. */
  readonly lots?: readonly PlanLot[] | undefined;
}

/** Why a ticker is not brought to what the goal asks for. The names are public. */
export type PlanReason =
  /** Its deviation before the plan is within the band, so it is left alone. */
  | 'within_band'
  /** The amount, the proceeds of the sells, or the cash with its margin and charges does not suffice. */
  | 'cash'
  /** The order, or what a sell would leave, is worth less than `minOrderValue`. */
  | 'below_minimum'
  /** The rest is less than one step of the quantity. */
  | 'rounding'
  /** The shares are in pies or in pending orders. */
  | 'not_sellable'
  /** The shares are in another account, which only counts in the weights. */
  | 'in_other_account'
  /** `allowSells` is false. */
  | 'sells_not_allowed'
  /** It is worth more than its target, and the goal `invest` only buys. */
  | 'above_target'
  /** The ticker is held, and neither its price nor a price to assume is known, or its exchange rate is not. */
  | 'no_price'
  /** `leastGain` cannot rank shares without a known cost. */
  | 'cost_unknown'
  /** More tickers are held than a plan has legs, and this is one of the smallest. */
  | 'leg_limit';

/** Why a ticker is not at its target. The names are public. */
export type WeightReason =
  | PlanReason
  /** The charges of the plan leave less than the targets were of. */
  | 'charges'
  /** The limit prices differ from the known prices, which value the tickers. */
  | 'limit_price';

export interface ChargeEstimate {
  readonly kind: string;
  readonly amount: string;
  readonly fills: number;
}

export interface PlanLeg {
  readonly ticker: string;
  readonly side: PlanSide;
  readonly type: PlanOrderType;
  readonly quantity: string;
  readonly limitPrice?: string;
  /** In the account currency, before charges, at the limit price or else the known price. */
  readonly value: string;
  readonly charges: readonly ChargeEstimate[];
  readonly chargesKnown: boolean;
  /** The most that a buy is expected to take from the cash; the least that a sell is counted on to bring. */
  readonly bound: string;
  /** A buy that present cash does not cover: it needs the proceeds of the sells. */
  readonly dependsOnSells: boolean;
  readonly priceFrom: 'position' | 'fill' | 'assumed';
  readonly quantityDecimals: number;
}

/**
 * One ticker before and after the plan. Percentages have at most four decimals; the target and the percentage after the
 * plan are of `base`.
 */
export interface PlanWeight {
  readonly ticker: string;
  readonly valueBefore: string;
  readonly percentBefore: string;
  readonly percentTarget: string | undefined;
  readonly valueAfter: string;
  readonly percentAfter: string;
  /** Why `percentAfter` is not `percentTarget`; undefined when it is, to 0.01 percentage points. */
  readonly because: WeightReason | undefined;
}

export interface PlanCash {
  readonly before: string;
  readonly after: string;
  readonly keep: string;
  /** The cash if every buy costs its bound and every sell brings its bound. */
  readonly afterAtWorst: string;
}

/** Why money of the plan is not spent. The names are public. */
export type LeftReason = Extract<PlanReason, 'cash' | 'below_minimum' | 'rounding'> | 'targets_reached';

/** What buys leave of `amount` and of the proceeds of sells, and why, the largest part first. */
export interface PlanLeft {
  readonly amount: string;
  readonly because: readonly LeftReason[];
}

export interface Plan {
  /** Sells first, then buys, each by falling value. */
  readonly legs: readonly PlanLeg[];
  /** The value that percentages after the plan are of: the tickers after it, and what buys leave. */
  readonly base: string;
  readonly weights: readonly PlanWeight[];
  readonly cash: PlanCash;
  /** Undefined when nothing is left, and for `raise`. */
  readonly left: PlanLeft | undefined;
  /** Sums of the legs as they are shown. `netProceeds` is sells after charges. */
  readonly totals: { readonly buys: string; readonly sells: string; readonly charges: string };
  /**
   * Orders that the goal asks for and the plan does not have. The value, in the account currency, is what the goal asks
   * for; of an order below the minimum it is what the cash and rounding left of it.
   */
  readonly dropped: readonly {
    readonly ticker: string;
    readonly side: PlanSide;
    readonly value: string | undefined;
    readonly reason: PlanReason;
  }[];
  /** What the goal would sell and another account holds: the value by ticker, in the account currency. */
  readonly heldElsewhere: readonly { readonly ticker: string; readonly value: string }[];
  /** False when a leg has charges that no own fill shows; they count as 0. */
  readonly chargesKnown: boolean;
}

/** Why there is no plan. The codes are public. */
export type PlanProblem =
  | { readonly code: 'targets_missing' | 'amount_missing' | 'goal_needs_sells'; readonly goal: PlanGoal }
  | { readonly code: 'nothing_held' }
  | { readonly code: 'too_many_targets'; readonly most: number }
  | { readonly code: 'duplicate_target'; readonly ticker: string }
  | { readonly code: 'weights_over_100'; readonly total: string }
  | { readonly code: 'limit_offset_too_large'; readonly ticker?: string }
  | { readonly code: 'unknown_asset' | 'assumed_price_needs_limit'; readonly ticker: string }
  | { readonly code: 'no_price'; readonly ticker: string }
  | { readonly code: 'no_rate'; readonly ticker: string }
  | { readonly code: 'amount_over_cash'; readonly most: string }
  | { readonly code: 'amount_over_holdings'; readonly most: string };

export type PlanResult =
  | { readonly plan: Plan; readonly problem?: undefined }
  | { readonly plan?: undefined; readonly problem: PlanProblem };
