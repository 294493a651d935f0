/** Sums that know when a part of them is unknown: a sum with a hole must not be told as whole. */
import Big from 'big.js';
import { createSum, type ExactSum } from './exact-sum.ts';

export const zero = new Big(0);

export const toBig = (text: string | undefined): Big | undefined => (text === undefined ? undefined : new Big(text));

export function computeSum(values: Iterable<Big | string>): Big {
  const sum = createSum();
  for (const value of values) sum.add(value);
  return sum.total();
}

/** Undefined when one of the parts is. */
export function sumIfComplete(values: Iterable<Big | undefined>): Big | undefined {
  const sum = createSum();
  for (const value of values) {
    if (value === undefined) return undefined;
    sum.add(value);
  }
  return sum.total();
}

/** Quotients are only shown rounded: ten decimals are enough, and half the work of the twenty of big.js. */
const Quotient = Big();
Quotient.DP = 10;

export const quotient = (part: Big, whole: Big | string): Big => new Quotient(part).div(whole);

/** `part` in percent of `whole`; undefined when one is unknown or the whole is not above zero. */
export const computePercent = (part: Big | undefined, whole: Big | undefined): Big | undefined =>
  part === undefined || !whole?.gt(0) ? undefined : quotient(part.times(100), whole);

/** Sums by key, each made when its key is first met. */
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

/** Equal ones in the order of their names, so that the same rows always give the same list. */
export const byAmountDescending = (a: Sum, b: Sum): number =>
  b.amount.cmp(a.amount) || ((a.group ?? '') < (b.group ?? '') ? -1 : 1);
