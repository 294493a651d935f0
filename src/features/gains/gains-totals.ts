/** Exact sums over disposals, because a sum of rounded rows would be off by pennies. */
import type { SaleFigures } from './disposals.ts';
import { type FixedPointScale, fromUnits } from './fixed-point.ts';
import type { GainsSum, GainsTotals, RealisedGains } from './gain-types.ts';

/** As integers (fixed-point.ts). */
export interface Sums {
  disposals: number;
  proceeds: bigint;
  cost: bigint;
  gains: bigint;
  /** Zero or less. */
  losses: bigint;
}

export const emptyTotals = (): Sums => ({ disposals: 0, proceeds: 0n, cost: 0n, gains: 0n, losses: 0n });

export function addSale(sums: Sums, { proceeds, cost }: SaleFigures): void {
  sums.disposals++;
  sums.proceeds += proceeds;
  sums.cost += cost;
  if (proceeds > cost) sums.gains += proceeds - cost;
  else sums.losses += proceeds - cost;
}

export function computeTotals(parts: Iterable<Sums>, scale: FixedPointScale): GainsTotals {
  const total = emptyTotals();
  for (const part of parts) {
    total.disposals += part.disposals;
    total.proceeds += part.proceeds;
    total.cost += part.cost;
    total.gains += part.gains;
    total.losses += part.losses;
  }
  return {
    ...toGainsSum(total, scale),
    gains: fromUnits(total.gains, scale.money),
    losses: fromUnits(total.losses, scale.money),
  };
}

export const totalsByTicker = (
  sums: Iterable<readonly [ticker: string, sums: Sums, currency: string | undefined]>,
  scale: FixedPointScale,
): RealisedGains['byTicker'] =>
  [...sums]
    .map(([ticker, part, currency]) => ({ ticker, currency, ...toGainsSum(part, scale) }))
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));

const toGainsSum = ({ disposals, proceeds, cost }: Sums, { money }: FixedPointScale): GainsSum => ({
  disposals,
  proceeds: fromUnits(proceeds, money),
  cost: fromUnits(cost, money),
  gain: fromUnits(proceeds - cost, money),
});
