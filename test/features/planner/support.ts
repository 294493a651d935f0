/** Accounts for the tests of the planner. */
import type { PlanAsset } from '../../../src/features/planner/plan-types.ts';

/** An asset in the account currency with ten shares at 10, without charges; fractions of two decimals. */
export const makeAsset = (ticker: string, changes: Partial<PlanAsset> = {}): PlanAsset => {
  const held = changes.held ?? '10';
  return {
    ticker,
    held,
    sellable: held,
    price: '10',
    priceFrom: 'position',
    priceDecimals: 2,
    rate: '1',
    quantityDecimals: 2,
    charges: { BUY: [], SELL: [] },
    ...changes,
  };
};

/** Targets from weights by ticker. */
export const makeTargets = (weights: Readonly<Record<string, number>>) =>
  Object.entries(weights).map(([ticker, weight]) => ({ ticker, weightPercent: String(weight) }));
