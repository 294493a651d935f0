/** The tables of disposals, of what they were matched with, and of the section 104 pools. */

import { type Columns, toTable } from '../../core/mcp/pagination.ts';
import { computeSum } from '../analytics/sums.ts';
import { describeUnmatched, formatPence, formatQuantity } from '../gains/format-gains.ts';
import type { Disposal, RealisedGains, UnmatchedSale } from '../gains/gain-types.ts';
import type { FundIncome } from '../gains/reportable-income.ts';
import { computeTaxReturnTotals, rateChangeAt, splitAtRateChange } from '../gains/sa108.ts';
import { formatIncomeTotal, fundIncomeColumns } from '../gains/tools/gains-inputs.ts';
import { computeTotals, type PackSection, type ToDay } from './pack-section.ts';

/** The tables of all disposals of the year. `gains` are by the section 104 rules. */
export function buildGainSections(gains: RealisedGains, taxYear: string, toDay: ToDay): PackSection[] {
  const { disposals, unmatched } = gains;
  const isOfSeveral = disposals.some(({ account }) => account !== undefined);
  const columns = { ...disposalColumns, ...(isOfSeveral ? accountColumn : {}) };
  return [
    buildReturnTotals(disposals, taxYear),
    {
      name: 'disposals',
      title: 'Disposals and their matches',
      note: 'One row per match; the figures of the disposal are in its first row. Proceeds are before charges, and the gain is proceeds − charges − cost. A match without a day of acquisition is with the section 104 pool.',
      totals: computeTotals(
        disposals,
        ({ currency }) => currency,
        {
          proceeds: ({ proceeds, charges }) => charges && proceeds.plus(charges),
          charges: ({ charges }) => charges,
          cost: ({ cost }) => cost,
          gain: ({ gain }) => gain,
        },
        (sum) => sum && formatPence(sum),
      ),
      columns: [...Object.keys(columns), ...Object.keys(matchColumns)],
      rows: disposals.flatMap((disposal, index) => listMatchRows({ number: index + 1, disposal, toDay }, columns)),
    },
    ...(unmatched.length > 0 ? [buildUnmatched(unmatched, toDay)] : []),
    buildPools(gains, toDay),
  ];
}

/** The boxes of form SA108, in both parts of the year in which the rates changed. */
function buildReturnTotals(disposals: readonly Disposal[], taxYear: string): PackSection {
  const parts = splitAtRateChange(disposals);
  const changedOn = new Date(rateChangeAt).toISOString().slice(0, 10);
  const lines = [
    ['year', disposals] as const,
    ...(taxYear === '2024/25'
      ? ([
          [`before ${changedOn}`, parts.before],
          [`since ${changedOn}`, parts.since],
        ] as const)
      : []),
  ];
  const list = [...new Set(disposals.map(({ currency }) => currency))];
  const rows = (list.length > 0 ? list : [undefined]).flatMap((currency) =>
    lines.map(([part, members]) => {
      const own = members.filter((disposal) => disposal.currency === currency);
      return { part, currency, disposals: own.length, totals: computeTaxReturnTotals(own) };
    }),
  );
  return {
    name: 'capital-gains-summary',
    title: 'Totals for form SA108',
    note: 'Charges in another currency are not converted; totals that would need them are empty.',
    figures: list.map((currency) => {
      const own = disposals.filter((disposal) => disposal.currency === currency);
      return [`Net gain ${currency ?? ''}`.trim(), formatPence(computeSum(own.map(({ gain }) => gain))) ?? ''];
    }),
    ...toTable(rows, {
      part: ({ part }) => part,
      currency: ({ currency }) => currency,
      disposals: (row) => row.disposals,
      proceeds: ({ totals }) => totals && formatPence(totals.proceeds),
      allowableCosts: ({ totals }) => totals && formatPence(totals.allowableCosts),
      gains: ({ totals }) => totals && formatPence(totals.gains),
      losses: ({ totals }) => totals && formatPence(totals.losses),
    }),
  };
}

interface NumberedDisposal {
  readonly number: number;
  readonly disposal: Disposal;
  readonly toDay: ToDay;
}

const disposalColumns: Columns<NumberedDisposal> = {
  disposal: ({ number }) => number,
  soldOn: ({ disposal, toDay }) => toDay(disposal.at),
  ticker: ({ disposal }) => disposal.ticker,
  quantity: ({ disposal }) => formatQuantity(disposal.quantity),
  proceeds: ({ disposal: { proceeds, charges } }) => charges && formatPence(proceeds.plus(charges)),
  charges: ({ disposal: { charges } }) => charges && formatPence(charges),
  cost: ({ disposal }) => formatPence(disposal.cost),
  gain: ({ disposal }) => formatPence(disposal.gain),
  currency: ({ disposal }) => disposal.currency,
};

const accountColumn: Columns<NumberedDisposal> = { account: ({ disposal }) => disposal.account };

const matchColumns: Columns<{ readonly match: Disposal['matches'][number]; readonly toDay: ToDay }> = {
  rule: ({ match }) => match.rule,
  matchedQuantity: ({ match }) => formatQuantity(match.quantity),
  acquiredOn: ({ match, toDay }) => (match.acquiredAt === undefined ? undefined : toDay(match.acquiredAt)),
  matchedCost: ({ match }) => formatPence(match.cost),
};

const listMatchRows = (row: NumberedDisposal, columns: Columns<NumberedDisposal>): unknown[][] =>
  row.disposal.matches.map((match, index) => [
    ...Object.entries(columns).map(([name, value]) =>
      index === 0 || name === 'disposal' ? (value(row) ?? null) : null,
    ),
    ...Object.values(matchColumns).map((value) => value({ match, toDay: row.toDay }) ?? null),
  ]);

const buildUnmatched = (unmatched: readonly UnmatchedSale[], toDay: ToDay): PackSection => ({
  name: 'unmatched',
  title: 'In no figure',
  ...toTable(unmatched, {
    day: ({ at }) => toDay(at),
    ticker: ({ ticker }) => ticker,
    side: ({ side }) => side,
    quantity: ({ quantity }) => formatQuantity(quantity),
    proceeds: ({ proceeds }) => proceeds && formatPence(proceeds),
    code: ({ reason }) => reason,
    reason: ({ reason }) => describeUnmatched(reason),
    next: ({ next }) => next,
  }),
});

/** The pool after each day with a disposal, and the pools after the last trade of the history. */
function buildPools({ disposals, left }: RealisedGains, toDay: ToDay): PackSection {
  const after = disposals.flatMap(({ at, ticker, poolAfter }) =>
    poolAfter ? [{ after: toDay(at), tickers: ticker, ...poolAfter }] : [],
  );
  const rest = left
    .filter(({ quantity }) => quantity.gt(0))
    .map(({ tickers, quantity, cost }) => ({ after: 'the last trade', tickers: tickers.join(' + '), quantity, cost }));
  return {
    name: 'section-104-pools',
    title: 'Section 104 pools',
    note: 'The shares and the cost in the pool after each day with a disposal, and after the last trade that was read.',
    ...toTable([...after, ...rest], {
      after: (row) => row.after,
      tickers: ({ tickers }) => tickers,
      quantity: ({ quantity }) => formatQuantity(quantity),
      cost: ({ cost }) => cost && formatPence(cost),
    }),
  };
}

// The table of excess reportable income, which the owner entered in eri.csv.

/** `income` is that of the year. No table without income. */
export const buildFundIncomeSections = (income: readonly FundIncome[]): PackSection[] =>
  income.length === 0
    ? []
    : [
        {
          name: 'excess-reportable-income',
          title: 'Excess reportable income of offshore funds',
          note: 'From eri.csv: the amount of the shares held at the end of the period, which also joins their cost.',
          figures: listTotal(income),
          ...toTable(income, fundIncomeColumns),
        },
      ];

function listTotal(income: readonly FundIncome[]): (readonly [string, string])[] {
  const total = formatIncomeTotal(income);
  return total === undefined ? [] : [[`Total ${income[0]?.currency}`, total]];
}
