/** Turns the legs of a plan into the legs of a draft. */
import Big from 'big.js';
import type { TimeValidity } from '../../core/orders/intent/order-request.ts';
import type { Plan, PlanGoal, PlanLeg } from '../planner/plan-types.ts';
import type { DraftLeg, LegWeight } from './book/draft.ts';

/**
 * The legs with the price that they were sized with, and one sentence on why each is there. `prices` are by ticker,
 * in the instrument's currency. A limit order without `timeValidity` ends with the day.
 */
export function toDraftLegs(
  { legs, weights, base }: Plan,
  {
    goal,
    prices,
    timeValidity = 'DAY',
  }: {
    readonly goal: PlanGoal;
    readonly prices: ReadonlyMap<string, string | undefined>;
    readonly timeValidity?: TimeValidity | undefined;
  },
): DraftLeg[] {
  return legs.map((leg): DraftLeg => {
    const { type, ticker, side, quantity, limitPrice } = leg;
    return {
      type,
      ticker,
      side,
      quantity,
      ...(type === 'LIMIT' ? { limitPrice, timeValidity } : {}),
      reason: explain(leg, goal, weights),
      price: prices.get(ticker),
      ...(leg.priceFrom === 'assumed' ? { isPriceAssumed: true as const } : {}),
      weight: toWeight(leg, weights, base),
    };
  });
}

/** As many decimals as the percentages of a plan have. */
const percentDecimals = 4;

function toWeight({ ticker }: PlanLeg, weights: Plan['weights'], base: string): LegWeight | undefined {
  const row = weights.find((one) => one.ticker === ticker);
  if (!row || !new Big(base).gt(0)) return undefined;
  const change = new Big(row.valueAfter).minus(row.valueBefore).div(base).times(100).toFixed(percentDecimals);
  return { before: row.percentBefore, target: row.percentTarget, after: row.percentAfter, change };
}

function explain({ ticker }: PlanLeg, goal: PlanGoal, weights: Plan['weights']): string {
  const weight = weights.find((row) => row.ticker === ticker);
  if (!weight) return goal;
  const { percentBefore, percentAfter, percentTarget } = weight;
  const target = percentTarget === undefined ? '' : `, target ${percentTarget} %`;
  return `${goal}: from ${percentBefore} % to ${percentAfter} %${target}.`;
}
