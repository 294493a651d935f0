/** How much of the invested money is in few instruments. */
import type Big from 'big.js';
import { computePercent, computeSum } from './sums.ts';

export interface Concentration {
  /** Sum of the squared weights: 1 for a single instrument, 1/n for n equal parts. */
  readonly herfindahl: Big;
  /** 1 / herfindahl: the number of equal holdings with the same concentration. */
  readonly effectiveNumber: Big;
  readonly largestWeightPercent: Big;
  /** The ticker of the largest holding. */
  readonly largest: string;
}

/**
 * The concentration of holdings whose values are in one currency; undefined when there are none or their sum is not
 * above zero.
 */
export function computeConcentration(
  holdings: readonly { readonly ticker: string; readonly value: Big }[],
): Concentration | undefined {
  const total = computeSum(holdings.map(({ value }) => value));
  const [first] = holdings;
  if (!first || !total.gt(0)) return undefined;
  const squares = computeSum(holdings.map(({ value }) => value.times(value)));
  const largest = holdings.reduce((most, holding) => (holding.value.gt(most.value) ? holding : most), first);
  const whole = total.times(total);
  return {
    // One division per figure: a quotient is rounded, and rounded weights would accumulate errors.
    herfindahl: squares.div(whole),
    effectiveNumber: whole.div(squares),
    largestWeightPercent: computePercent(largest.value, total) ?? total,
    largest: largest.ticker,
  };
}
