/** How the results of several accounts for one question become one. A question without a rule is about one account. */

/** The order of the rows of all accounts. */
export interface RowOrder {
  readonly column: string;
  readonly descending: boolean;
}

export interface MergeRule {
  /** Fields with amounts in the currency of the account, which are added up. `cash.inPies` is a field of an object. */
  readonly amounts?: readonly string[];
  readonly counts?: readonly string[];
  /** The field with the currency of the amounts. */
  readonly currency?: string;
  /** The column of each row's order; undefined keeps the accounts one after the other. */
  readonly order?: (args: Arguments) => RowOrder | undefined;
  /** The argument `limit`: its default, and the most rows that one call of the tool returns. */
  readonly limit?: { readonly standard: number; readonly most: number };
  /**
   * What is asked for belongs to one account, and the result is that of the account that has it: always, or where this
   * argument names it.
   */
  readonly finds?: true | string;
  /** What the rows of several accounts need to be understood, as a sentence. */
  readonly note?: string;
  /** An argument that has a meaning for one account only. */
  readonly onlyForOne?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

const newest = (column: string) => (): RowOrder => ({ column, descending: true });
const cashFields = ['cash.availableToTrade', 'cash.inPies', 'cash.reservedForOrders'];
const investmentFields = ['currentValue', 'realizedProfitLoss', 'totalCost', 'unrealizedProfitLoss'].map(
  (name) => `investments.${name}`,
);

export const mergeRules: Readonly<Record<string, MergeRule>> = {
  get_account_summary: { currency: 'currency', amounts: ['totalValue', ...cashFields, ...investmentFields] },
  list_positions: {
    currency: 'accountCurrency',
    amounts: ['currentValue', 'unrealizedProfitLoss'],
    counts: ['positions'],
    order: orderOfPositions,
    limit: { standard: 500, most: 500 },
  },
  list_orders: { counts: ['pending'] },
  get_order: { finds: true },
  list_drafts: { counts: ['drafts'], finds: 'draftId' },
  fetch_history: { order: orderOfHistory, limit: { standard: 50, most: 500 } },
  list_exports: {},
  list_pies: {},
  get_pie: { finds: true },
  analyze_portfolio: {
    currency: 'currency',
    amounts: ['cash', 'totalValue', 'holdingsValue', 'cost', 'profitLoss', 'fxImpact'],
    note: 'Each weight is of its own account.',
    order: newest('value'),
  },
  summarize_dividends: { currency: 'currency', amounts: ['total', 'trailingTwelveMonths'], counts: ['count'] },
  summarize_costs: { currency: 'currency', amounts: ['total', 'turnover'], counts: ['count'] },
  summarize_realised_gains: {
    currency: 'currency',
    amounts: ['proceeds', 'cost', 'gain', 'gains', 'losses'].map((name) => `totals.${name}`),
    counts: ['totals.disposals'],
    order: newest('soldOn'),
  },
  calculate_returns: {
    currency: 'currency',
    amounts: ['moneyIn', 'moneyOut', 'netDeposits', 'dividends', 'interest', 'accountFees', 'realised', 'value'],
    onlyForOne: 'valueAtStart',
  },
  get_changes: {
    currency: 'currency',
    amounts: ['valueNow'],
    counts: ['changes', 'drafts', 'approvals'],
    order: newest('at'),
  },
  get_server_status: {},
};

function orderOfPositions({ sort, order }: Arguments): RowOrder {
  if (sort === 'ticker') return { column: 'ticker', descending: order === 'desc' };
  const column = { profitLoss: 'unrealizedProfitLoss', profitLossPercent: 'profitLossPercent' }[String(sort)];
  return { column: column ?? 'currentValue', descending: order !== 'asc' };
}

const historyTimes: Readonly<Record<string, string>> = {
  orders: 'filledAt',
  dividends: 'paidOn',
  transactions: 'dateTime',
};

function orderOfHistory({ kind }: Arguments): RowOrder {
  return { column: historyTimes[String(kind)] ?? 'filledAt', descending: true };
}

/** Fields that are the same for all accounts, so that the result has them once. None of them is a figure. */
export const sharedFields: readonly string[] = [
  ...['currency', 'accountCurrency', 'timeZone', 'taxYear', 'since', 'until', 'kind', 'method', 'period', 'ticker'],
  ...['weightsOf', 'grossOf', 'countryOf', 'readOnly', 'toolsets', 'configured', 'store', 'cannot', 'riskLimits'],
  ...['limitColumns', 'name'],
];
