/** Adds to the trades what the owner entered for tax, and what dividends say about cost. */

import Big from 'big.js';
import type { Dividend } from '../../core/endpoints/index.ts';
import { getTicker } from '../../core/endpoints/instruments.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { getTreatment, isManufacturedCapital } from '../analytics/dividend-payments.ts';
import { type CostRowType, getFillMeaning } from '../analytics/executions.ts';
import { computeSum } from '../analytics/sums.ts';
import { compareExecution, type Trade } from '../analytics/trades.ts';
import {
  type CostEntry,
  type MatchedEntries,
  matchCostEntries,
  type TaxRecords,
  type UnusedReason,
} from './cost-entries.ts';
import type { GainsMethod, RealisedGainsOptions } from './gain-types.ts';
import { addMonths, computeFundIncome, type FundIncome, type FundIncomes, toNoon } from './reportable-income.ts';

export interface AppliedRecords {
  /** The trades and the changes of cost, in the order of execution. */
  readonly trades: readonly Trade[];
  readonly options: Pick<RealisedGainsOptions, 'costBasis' | 'findParent'>;
  /** Of all time; empty for methods other than section 104. */
  readonly income: readonly FundIncome[];
  /** What was entered and is in no figure, one sentence each. */
  readonly remarks: readonly string[];
}

/**
 * Prepares the trades for `summarizeRealisedGains`. `trades` are all trades in the order of execution. The broker's own
 * results need nothing that is added here.
 */
export function applyTaxRecords(
  trades: readonly Trade[],
  dividends: readonly Dividend[],
  records: TaxRecords,
  method: GainsMethod,
): AppliedRecords {
  const findParent = createParentFinder(trades, listDemergers(dividends));
  if (method === 'broker') return { trades, options: {}, income: [], remarks: [] };
  const isForeign = ({ ticker, currency }: CostChange) => {
    const ofShares = trades.findLast((trade) => trade.ticker === ticker)?.valueCurrency;
    return ofShares !== undefined && currency !== undefined && currency !== ofShares;
  };
  const paid = listPaidCapital(dividends, method === 'uk_section_104');
  const own = paid.filter((change) => !isForeign(change));
  const distributed = own.filter(({ type }) => type === 'CAPITAL_DISTRIBUTED').map(toCostRow);
  const entries = matchCostEntries(records.costs, [...trades, ...distributed], findParent);
  const funds = computeFundIncome(method === 'uk_section_104' ? records.reportableIncome : [], trades);
  const changes: readonly CostChange[] = [
    ...own.filter(({ type }) => type === 'CAPITAL_RETURNED'),
    ...listSpinOffCosts(entries),
    ...funds.income.map(toCostChange),
  ];
  return {
    trades:
      changes.length + distributed.length === 0
        ? trades
        : [...trades, ...changes.map(toCostRow), ...distributed].sort(compareExecution),
    options: { costBasis: entries.costBasis, findParent },
    income: funds.income,
    remarks: [
      ...describeUnused(entries),
      ...describeForeignIncome(funds),
      ...paid.filter(isForeign).map(describeForeignReturn),
      ...describeManufacturedCapital(dividends),
    ],
  };
}

const listDemergers = (dividends: readonly Dividend[]) =>
  dividends.flatMap((row) => {
    const [ticker, at] = [getTicker(row), Date.parse(row.paidOn ?? '')];
    return row.type?.startsWith('DEMERGER') && ticker !== undefined && !Number.isNaN(at) ? [{ ticker, at }] : [];
  });

const listSpinOffCosts = ({ used }: MatchedEntries): CostChange[] =>
  used.flatMap(({ entry: { cost, currency }, trade: { at }, parent }): CostChange[] =>
    parent === undefined ? [] : [{ type: 'COST_TO_SPIN_OFF', at, ticker: parent, amount: cost.times(-1), currency }],
  );

const toCostChange = ({ ticker, periodEnd, amount, currency }: FundIncome): CostChange => ({
  type: 'REPORTABLE_INCOME',
  at: toNoon(periodEnd),
  ticker,
  amount,
  currency,
});

const unusedReasons: Readonly<Record<UnusedReason, string>> = {
  no_row: 'no row of the history brought shares in it',
  several_rows: 'several rows have this ticker and time; name one by the id of its fill',
  other_currency: 'the shares are in another currency, and the cost is not converted',
  acquired_later: 'the shares came before the date on which they were acquired',
  no_parent: 'the rows do not name the company that gave the shares; add --parent TICKER',
};

/** One sentence for each reason: with a file for several accounts, many entries can have no row in one of them. */
const describeUnused = ({ unused }: MatchedEntries): string[] =>
  [...groupBy(unused, ({ reason }) => reason)].map(
    ([reason, entries]) =>
      `The entered cost of ${entries.map(({ entry }) => nameRow(entry)).join(', ')} is not used: ${unusedReasons[reason]}.`,
  );

const nameRow = ({ fillId, ticker, at }: CostEntry): string =>
  fillId === undefined ? `${ticker} at ${new Date(at ?? 0).toISOString()}` : `fill ${fillId}`;

const describeForeignIncome = ({ inOtherCurrency }: FundIncomes): string[] =>
  inOtherCurrency.map(
    ({ isin, periodEnd, currency }) =>
      `${isin}: the reportable income of the period to ${periodEnd} is in ${currency} and in no figure; enter it in the currency of the account, at the rate of ${addMonths(periodEnd, 6)}.`,
  );

const describeForeignReturn = ({ ticker, at, amount, currency }: CostChange): string =>
  `${ticker} (${new Date(at).toISOString().slice(0, 10)}): ${amount.abs().toFixed(2)} ${currency} of returned capital is in another currency than the shares, and no figure includes it.`;

// Events that change the cost of a holding and not its shares, as rows among the trades: returned capital, the cost
// that a spin-off takes along, and income that an offshore fund reported without paying it.

interface CostChange {
  readonly type: CostRowType;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly ticker: string;
  /** Above zero if the shares cost more, below zero if less; of `CAPITAL_DISTRIBUTED` the payment. */
  readonly amount: Big;
  readonly currency: string | undefined;
}

/** A change of cost as a row without shares; its `netValue` has the sign of the change. */
export const toCostRow = ({ type, at, ticker, amount, currency }: CostChange): Trade => ({
  at,
  ticker,
  isin: undefined,
  currency: undefined,
  side: 'BUY',
  type,
  quantity: new Big(0),
  price: undefined,
  netValue: amount,
  valueCurrency: currency,
  realisedProfitLoss: undefined,
  charges: [],
  orderId: undefined,
  fillId: undefined,
});

/**
 * A payment of capital up to this many pounds is small whatever the shares are worth; a larger one is if it is at most
 * 5 % of their value, which no row has (HMRC CG57835 and CG57836).
 */
const smallDistribution = 3_000;

/**
 * Capital that companies paid. A small payment reduces the cost of the shares (TCGA 1992 s 122), and a correction with a
 * minus raises it again. One that can be a part disposal, by its size (for the UK rules) or because it is paid in a
 * liquidation, is a row of its own. Rows without a date, a ticker or an amount are left out.
 */
export function listPaidCapital(dividends: readonly Dividend[], isUk: boolean): CostChange[] {
  return dividends.flatMap((row): CostChange[] => {
    const [at, ticker] = [Date.parse(row.paidOn ?? ''), getTicker(row)];
    const treatment = getTreatment(row.type ?? '');
    const isCapital = treatment === 'return_of_capital' || treatment === 'liquidation';
    if (!isCapital || Number.isNaN(at) || ticker === undefined || !row.amount) return [];
    const amount = new Big(row.amount);
    const place = { at, ticker, currency: row.currency };
    const isSmall = !isUk || amount.abs().lte(smallDistribution);
    return treatment === 'return_of_capital' && isSmall
      ? [{ type: 'CAPITAL_RETURNED', amount: amount.times(-1), ...place }]
      : [{ type: 'CAPITAL_DISTRIBUTED', amount, ...place }];
  });
}

/** Names the payments that replace a payment of capital: the borrower of the shares made them, and no cost changes. */
export function describeManufacturedCapital(dividends: readonly Dividend[]): string[] {
  const rows = dividends.filter(({ type, amount }) => isManufacturedCapital(type ?? '') && amount !== undefined);
  const byName = groupBy(rows, (row) => `${getTicker(row)} ${row.type} ${row.currency}`);
  return [...byName.values()].map((members) => {
    const [first] = members as [Dividend];
    const sum = computeSum(members.flatMap(({ amount }) => amount ?? []));
    const money = [sum.toFixed(2), first.currency].filter((part) => part !== undefined).join(' ');
    return `${getTicker(first) ?? 'A ticker that is not named'}: ${money} of ${first.type} came from the borrower of the shares and not from the company, so it is not deducted from their cost, and no gain includes it.`;
  });
}

// Which company shares of a spin-off came from, as far as the rows show it.

/** A dividend row, in which the company that gives the shares can appear. */
interface DemergerRow {
  readonly ticker: string;
  readonly at: number;
}

/** The rows of one spin-off can be some days apart. */
const sameSpinOffMs = 7 * 86_400_000;

/**
 * Returns a function that names the ticker that gave the shares of a spin-off: the only other ticker with a row of a
 * spin-off that removes shares, or with a dividend of the type DEMERGER, within a week. Undefined when the rows show
 * none, or several.
 */
export function createParentFinder(
  trades: readonly Trade[],
  demergers: readonly DemergerRow[],
): (child: Trade) => string | undefined {
  // Few accounts have a spin-off, so the rows are searched when one is found.
  let givers: readonly DemergerRow[] | undefined;
  return ({ ticker, at }) => {
    givers ??= [
      ...trades.filter(({ type, side }) => getFillMeaning(type) === 'spin_off' && side === 'SELL'),
      ...demergers,
    ];
    const near = givers.filter((row) => row.ticker !== ticker && Math.abs(row.at - at) <= sameSpinOffMs);
    const [parent, ...others] = new Set(near.map((row) => row.ticker));
    return others.length === 0 ? parent : undefined;
  };
}
