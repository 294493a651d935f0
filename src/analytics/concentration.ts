/** How much of the invested money lies in few instruments. */
import type Big from 'big.js';
import { computePercent, computeSum } from './sums.ts';

export interface Concentration {
  /** Sum of the squared weights: 1 is everything in one instrument, 1/n is n equal parts. */
  readonly herfindahl: Big;
  /** 1 / herfindahl: as many equal holdings would be as concentrated. */
  readonly effectiveNumber: Big;
  readonly largestWeightPercent: Big;
  /** The ticker of the largest holding. */
  readonly largest: string;
}

/** Undefined when nothing is held or the values add up to nothing. Values are in one currency. */
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
    // One division each: a quotient is rounded, and rounded weights would add their errors up.
    herfindahl: squares.div(whole),
    effectiveNumber: whole.div(squares),
    largestWeightPercent: computePercent(largest.value, total) ?? total,
    largest: largest.ticker,
  };
}
