/** Sums groups per currency, because amounts of two currencies must never be added. */
import type Big from 'big.js';
import { groupBy } from '../../core/text/group-by.ts';
import { byAmountDescending, computeSum } from './sums.ts';

interface Group {
  readonly currency: string | undefined;
  readonly amount: Big;
  readonly count: number;
}

export interface OtherCurrency {
  readonly currency: string;
  readonly amount: Big;
  readonly count: number;
}

/** The total in the account's currency, and the totals in other currencies, largest first. */
export function totalsByCurrency(
  groups: readonly Group[],
  own: string | undefined,
): { readonly total: Big; readonly count: number; readonly otherCurrencies: readonly OtherCurrency[] } {
  const { total, count } = computeTotal(groups.filter(({ currency }) => currency === own));
  const others = groupBy(
    groups.filter(({ currency }) => currency !== own),
    ({ currency }) => currency ?? 'unknown',
  );
  return {
    total,
    count,
    otherCurrencies: [...others]
      .map(([currency, members]) => {
        const { total, count } = computeTotal(members);
        return { currency, amount: total, count };
      })
      .sort(byAmountDescending),
  };
}

const computeTotal = (groups: readonly Group[]) => ({
  total: computeSum(groups.map(({ amount }) => amount)),
  count: groups.reduce((sum, { count }) => sum + count, 0),
});
