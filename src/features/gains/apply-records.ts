/** Adds to the trades what the owner entered for tax, and what dividends say about cost. */
import { getTicker } from '../../core/endpoints/get-ticker.ts';
import type { Dividend } from '../../core/endpoints/index.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { compareExecution, type Trade } from '../analytics/trades.ts';
import { type MatchedEntries, matchCostEntries, type UnusedReason } from './cost-basis.ts';
import { type CostChange, describeManufacturedCapital, listPaidCapital, toCostRow } from './cost-rows.ts';
import type { GainsMethod, RealisedGainsOptions } from './gain-types.ts';
import { addMonths, computeFundIncome, type FundIncome, type FundIncomes, toNoon } from './reportable-income.ts';
import { createParentFinder } from './spin-offs.ts';
import type { CostEntry, TaxRecords } from './tax-records.ts';

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
