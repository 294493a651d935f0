/** The table of excess reportable income, which the owner entered in eri.csv. */

import { toTable } from '../../core/mcp/pagination.ts';
import type { FundIncome } from '../gains/reportable-income.ts';
import { formatIncomeTotal, fundIncomeColumns } from '../gains/tools/fund-income.ts';
import type { PackSection } from './pack-section.ts';

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
