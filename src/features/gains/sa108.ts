/**
 * The totals that the capital gains pages of a UK tax return ask for (form SA108, notes for 2024 to 2025): number of
 * disposals, disposal proceeds before charges, allowable costs with the charges of both deals, gains and losses.
 */
import Big from 'big.js';
import type { Disposal } from './gain-types.ts';

export interface TaxReturnTotals {
  readonly disposals: number;
  /** Before the charges of the sales. */
  readonly proceeds: Big;
  /** The cost of the shares and the charges of the sales. */
  readonly allowableCosts: Big;
  readonly gains: Big;
  /** Zero or less. */
  readonly losses: Big;
}

/** Undefined when the charges of a disposal are in another currency, so that its gross proceeds are unknown. */
export function computeTaxReturnTotals(disposals: readonly Disposal[]): TaxReturnTotals | undefined {
  let [proceeds, allowableCosts, gains, losses] = [new Big(0), new Big(0), new Big(0), new Big(0)];
  for (const disposal of disposals) {
    const { charges, gain } = disposal;
    if (charges === undefined) return undefined;
    proceeds = proceeds.plus(disposal.proceeds).plus(charges);
    allowableCosts = allowableCosts.plus(disposal.cost).plus(charges);
    if (gain.gt(0)) gains = gains.plus(gain);
    else losses = losses.plus(gain);
  }
  return { disposals: disposals.length, proceeds, allowableCosts, gains, losses };
}

/** The rates of capital gains tax changed on 30 October 2024 (Finance Act 2025 s 7), a day in winter time. */
export const rateChangeAt = Date.UTC(2024, 9, 30);

/** The parts of a year whose disposals are taxed at different rates; undefined for other years. */
export function splitAtRateChange(disposals: readonly Disposal[]): {
  readonly before: readonly Disposal[];
  readonly since: readonly Disposal[];
} {
  return {
    before: disposals.filter(({ at }) => at < rateChangeAt),
    since: disposals.filter(({ at }) => at >= rateChangeAt),
  };
}
