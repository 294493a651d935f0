/** What each type of a fill means for a holding (docs/interface.md, Fields and shapes). */

/**
 * `transfer`: shares moved from or to another broker, which is neither a purchase nor a sale. `rights`: shares bought
 * in a rights issue, which belong to the shares held (TCGA 1992 ss 127 and 128). `free_shares`: shares received
 * without a payment. `takeover`: shares exchanged for cash, for other shares, or for both. `cost_change`: a row of this
 * program that changes the cost of the shares held.
 */
export type FillMeaning =
  | 'trade'
  | 'split'
  | 'transfer'
  | 'rights'
  | 'free_shares'
  | 'takeover'
  | 'spin_off'
  | 'cost_change'
  | 'other';

/** The types of the rows that this program adds (realized/cost-rows.ts); no service writes them. */
export type CostRowType = 'CAPITAL_RETURNED' | 'CAPITAL_DISTRIBUTED' | 'COST_TO_SPIN_OFF' | 'REPORTABLE_INCOME';

const meanings = new Map<string, FillMeaning>(
  Object.entries({
    TRADE: 'trade',
    STOCK_SPLIT: 'split',
    FOP: 'transfer',
    FOP_CORRECTION: 'transfer',
    EQUITY_RIGHTS: 'rights',
    STOCK_DISTRIBUTION: 'free_shares',
    CUSTOM_STOCK_DISTRIBUTION: 'free_shares',
    SCRIP_STOCK_DIVIDENDS: 'free_shares',
    STOCK_DIVIDENDS: 'free_shares',
    STOCK_ACQUISITION: 'takeover',
    CASH_AND_STOCK_ACQUISITION: 'takeover',
    SPIN_OFF: 'spin_off',
    ...({
      CAPITAL_RETURNED: 'cost_change',
      CAPITAL_DISTRIBUTED: 'cost_change',
      COST_TO_SPIN_OFF: 'cost_change',
      REPORTABLE_INCOME: 'cost_change',
    } satisfies Record<CostRowType, FillMeaning>),
  } satisfies Record<string, FillMeaning>),
);

/** The meaning of a fill type; `other` for a type that the interface does not name. */
export const getFillMeaning = (type: string): FillMeaning => meanings.get(type) ?? 'other';
