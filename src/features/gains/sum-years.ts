/** Sums of sales by calendar year, for a document of several years. */
import { type Columns, toTable } from '../../core/mcp/pagination.ts';
import { groupBy } from '../../core/text/group-by.ts';
import { computeSum } from '../analytics/sums.ts';
import { formatTotal } from './format-gains.ts';
import type { Disposal } from './gain-types.ts';

type YearSum = ReturnType<typeof formatTotal> & { readonly year: string; readonly currency: string | undefined };

const columns: Columns<YearSum> = {
  year: ({ year }) => year,
  disposals: ({ disposals }) => disposals,
  proceeds: ({ proceeds }) => proceeds,
  cost: ({ cost }) => cost,
  gain: ({ gain }) => gain,
  currency: ({ currency }) => currency,
};

/**
 * A table with a row for each year and currency, in the order of the sales: exact sums, rounded once. `toDate` writes
 * the day of a moment (ms) as an ISO date.
 */
export function sumYears(disposals: readonly Disposal[], toDate: (at: number) => string) {
  const yearOf = ({ at }: Disposal) => toDate(at).slice(0, 4);
  const members = groupBy(disposals, (disposal) => `${yearOf(disposal)} ${disposal.currency}`);
  const rows = [...members.values()].flatMap((own) =>
    own.slice(0, 1).map((first) => ({
      ...{ year: yearOf(first), currency: first.currency },
      ...formatTotal({
        disposals: own.length,
        proceeds: computeSum(own.map(({ proceeds }) => proceeds)),
        cost: computeSum(own.map(({ cost }) => cost)),
        gain: computeSum(own.map(({ gain }) => gain)),
      }),
    })),
  );
  return toTable(rows, columns);
}
