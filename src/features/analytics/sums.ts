/** Sums that are undefined when a part is unknown, because an incomplete sum must not pass for a complete one. */

import Big from 'big.js';
import { createSum, type ExactSum } from '../../core/endpoints/exact-sum.ts';
import { groupBy } from '../../core/text/group-by.ts';

export const zero = new Big(0);

export const toBig = (text: string | undefined): Big | undefined => (text === undefined ? undefined : new Big(text));

export function computeSum(values: Iterable<Big | string>): Big {
  const sum = createSum();
  for (const value of values) sum.add(value);
  return sum.total();
}

/** The sum, or undefined when a part is undefined. */
export function sumIfComplete(values: Iterable<Big | undefined>): Big | undefined {
  const sum = createSum();
  for (const value of values) {
    if (value === undefined) return undefined;
    sum.add(value);
  }
  return sum.total();
}

/** Quotients are only shown rounded, so ten decimals are enough; the twenty of big.js take twice as long. */
const Quotient = Big();
Quotient.DP = 10;

export const quotient = (part: Big, whole: Big | string): Big => new Quotient(part).div(whole);

/** `part` in percent of `whole`; undefined when one is unknown or `whole` is not above zero. */
export const computePercent = (part: Big | undefined, whole: Big | undefined): Big | undefined =>
  part === undefined || !whole?.gt(0) ? undefined : quotient(part.times(100), whole);

/** Adds an amount to the sum of a key, creating the sum if needed. */
export function accumulate<Key>(sums: Map<Key, ExactSum>, key: Key, amount: Big | string): void {
  let sum = sums.get(key);
  if (sum === undefined) {
    sum = createSum();
    sums.set(key, sum);
  }
  sum.add(amount);
}

interface Sum {
  readonly group?: string;
  readonly amount: Big;
}

/** Equal amounts are sorted by name, so that the same rows always give the same list. */
export const byAmountDescending = (a: Sum, b: Sum): number =>
  b.amount.cmp(a.amount) || ((a.group ?? '') < (b.group ?? '') ? -1 : 1);

// Sums groups per currency, because amounts of two currencies must never be added.

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

/**
 * Whether an amount may be added to amounts in `other`. A row without a currency is in the account's
 * (docs/interface.md, Fields and shapes).
 */
export const isSameCurrency = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;
