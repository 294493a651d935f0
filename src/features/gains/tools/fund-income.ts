/** Excess reportable income of offshore funds, as a table. */
import Big from 'big.js';
import type { Columns } from '../../../core/mcp/pagination.ts';
import { formatPence, formatQuantity } from '../format-gains.ts';
import { type FundIncome, toNoon } from '../reportable-income.ts';

/** The income that is taxed in the range (ms; inclusive and exclusive), of one ticker if it is named. */
export const selectFundIncome = (
  income: readonly FundIncome[],
  range: { readonly since?: number | undefined; readonly until?: number | undefined },
  name?: string,
): readonly FundIncome[] => {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = range;
  return income.filter(({ ticker, taxedOn }) => {
    const at = toNoon(taxedOn);
    return at >= since && at < until && (name === undefined || name === ticker);
  });
};

/** The sum, rounded to the penny; undefined for rows of several currencies. */
export const formatIncomeTotal = (income: readonly FundIncome[]): string | undefined =>
  income.some(({ currency }) => currency !== income[0]?.currency)
    ? undefined
    : formatPence(income.reduce((total, { amount }) => total.plus(amount), new Big(0)));

export const fundIncomeColumns: Columns<FundIncome> = {
  ticker: ({ ticker }) => ticker,
  isin: ({ isin }) => isin,
  periodEnd: ({ periodEnd }) => periodEnd,
  taxedOn: ({ taxedOn }) => taxedOn,
  shares: ({ shares }) => formatQuantity(shares),
  amount: ({ amount }) => formatPence(amount),
  currency: ({ currency }) => currency,
};
