/** Sums over disposals, exact: a sum of rounded rows would be pennies off. */
import type { SaleFigures } from './disposals.ts';
import { fromWhole, type Scale } from './fixed-point.ts';
import type { GainsSum, RealisedGains } from './gain-types.ts';

/** In whole numbers (fixed-point.ts). */
export interface Sums {
  disposals: number;
  proceeds: bigint;
  cost: bigint;
  gains: bigint;
  /** Zero or less. */
  losses: bigint;
}

export const noSums = (): Sums => ({ disposals: 0, proceeds: 0n, cost: 0n, gains: 0n, losses: 0n });

export function addSale(sums: Sums, { proceeds, cost }: SaleFigures): void {
  sums.disposals++;
  sums.proceeds += proceeds;
  sums.cost += cost;
  if (proceeds > cost) sums.gains += proceeds - cost;
  else sums.losses += proceeds - cost;
}

export function totalsOf(parts: Iterable<Sums>, scale: Scale): RealisedGains['totals'] {
  const total = noSums();
  for (const part of parts) {
    total.disposals += part.disposals;
    total.proceeds += part.proceeds;
    total.cost += part.cost;
    total.gains += part.gains;
    total.losses += part.losses;
  }
  return {
    ...shown(total, scale),
    gains: fromWhole(total.gains, scale.money),
    losses: fromWhole(total.losses, scale.money),
  };
}

export const byTickerOf = (sums: Iterable<readonly [string, Sums]>, scale: Scale): RealisedGains['byTicker'] =>
  [...sums].map(([ticker, part]) => ({ ticker, ...shown(part, scale) })).sort((a, b) => (a.ticker < b.ticker ? -1 : 1));

const shown = ({ disposals, proceeds, cost }: Sums, { money }: Scale): GainsSum => ({
  disposals,
  proceeds: fromWhole(proceeds, money),
  cost: fromWhole(cost, money),
  gain: fromWhole(proceeds - cost, money),
});
