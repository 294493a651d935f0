/** A year's dividends relative to the cost of the shares still held. */
import type Big from 'big.js';
import type { Position } from '../catalogue/index.ts';
import { computePercent, sumIfComplete, toBig, zero } from './sums.ts';

export interface YieldOnCost {
  /** For all holdings; undefined with a reason. */
  readonly percent: Big | undefined;
  readonly reason: string | undefined;
  /** The two figures that it is computed from, in the account's currency. */
  readonly dividends: Big;
  readonly cost: Big | undefined;
  /** In percent, for each ticker held whose cost is known. */
  readonly byTicker: ReadonlyMap<string, Big>;
}

/**
 * Dividends of the trailing year for current holdings, in percent of their total cost. Shares bought late in that
 * year add cost but little dividend, so the figure describes the past and is no promise.
 */
export function yieldOnCost(
  trailingByTicker: ReadonlyMap<string, Big>,
  positions: readonly Position[] | undefined,
  onlyTicker: string | undefined,
): YieldOnCost {
  const held = positions?.filter(({ instrument }) => onlyTicker === undefined || instrument?.ticker === onlyTicker);
  const costs = new Map<string, Big | undefined>();
  for (const { instrument, walletImpact } of held ?? []) {
    const ticker = instrument?.ticker ?? 'unknown';
    const cost = toBig(walletImpact?.totalCost);
    costs.set(ticker, costs.has(ticker) ? sumIfComplete([costs.get(ticker), cost]) : cost);
  }
  const cost = held && sumIfComplete(costs.values());
  let dividends = zero;
  const byTicker = new Map<string, Big>();
  for (const [ticker, ownCost] of costs) {
    const paid = trailingByTicker.get(ticker) ?? zero;
    dividends = dividends.plus(paid);
    const percent = computePercent(paid, ownCost);
    if (percent) byTicker.set(ticker, percent);
  }
  const percent = computePercent(dividends, cost);
  return { percent, reason: percent ? undefined : explainMissingYield(held, cost), dividends, cost, byTicker };
}

function explainMissingYield(held: readonly Position[] | undefined, cost: Big | undefined): string {
  if (!held) return 'The positions are unknown.';
  if (held.length === 0) return 'No shares are held now.';
  return cost
    ? 'The cost of the shares held is zero.'
    : 'The service does not report the total cost of every position.';
}
