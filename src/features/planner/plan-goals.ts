/**
 * What the goals are: everything in which one differs from another. A goal that is added to the type and not described
 * here does not compile.
 */

import { sum, zero } from './fraction.ts';
import type { PlanGoal, PlanProblem, PlanRequest, PlanSide } from './plan-types.ts';
import { buyWithCash, type PlannedOrders, type PlanTerms } from './planned-orders.ts';
import {
  computeRaised,
  raiseCash,
  sellInProportion,
  sellLargestExcess,
  sellLeastGain,
  sellTheRest,
} from './raise-cash.ts';
import { sizeSell } from './size-order.ts';
import { type WantedChange, type WeightedAsset, wantInvest, wantRebalance } from './wanted-change.ts';

/** What a goal may trade. */
export interface PlanScope {
  readonly weighted: readonly WeightedAsset[];
  /** False when the weights are those of what is held. */
  readonly hasTargets: boolean;
}

type PlanWith = (request: PlanRequest, scope: PlanScope, terms: PlanTerms) => PlannedOrders | PlanProblem;

const planRebalance: PlanWith = ({ allowSells = true }, { weighted }, terms) =>
  planTrades(wantRebalance(weighted, { ...terms, allowSells }), terms);

const planInvest: PlanWith = (_, { weighted }, terms) => planTrades(wantInvest(weighted, terms), terms);

/** Sells and buys what brings the assets to what is wanted of them. */
function planTrades(wanted: readonly WantedChange[], terms: PlanTerms): PlannedOrders {
  const { amount, minValue, available, idle } = terms;
  const toShares = ({ asset, change }: WantedChange) => change.abs().div(asset.price);
  const sells = wanted
    .filter(({ change }) => change.lt(zero))
    .map((sale) => sizeSell(sale.asset, toShares(sale), minValue));
  const purchases = wanted
    .filter(({ change }) => change.gt(zero))
    .map((purchase) => ({ asset: purchase.asset, wanted: toShares(purchase) }));
  const buys = buyWithCash(purchases, sells, { available, amount, minValue });
  const base = sum(wanted.map(({ asset }) => asset.value))
    .plus(amount)
    .plus(idle);
  return { wanted, orders: [...sells, ...buys], base };
}

/** Sells until the amount is raised. */
function planRaise(
  { leastGain = false }: PlanRequest,
  { weighted, hasTargets }: PlanScope,
  { amount, minValue, idle }: PlanTerms,
): PlannedOrders | PlanProblem {
  const all = weighted.map(({ asset }) => asset);
  const left = sum(all.map(({ value }) => value))
    .plus(idle)
    .minus(amount)
    .max(zero);
  const steps = leastGain
    ? sellLeastGain(all)
    : [...(hasTargets ? sellLargestExcess(weighted, left) : sellInProportion(all, amount)), ...sellTheRest(all)];
  const orders = raiseCash(steps, amount, minValue);
  const raised = computeRaised(orders);
  if (raised.lt(amount)) return { code: 'amount_over_holdings', most: raised.round(2, 'down').toFixed(2) };
  const wanted = weighted.map(({ asset, weight }): WantedChange => {
    const target = hasTargets ? left.times(weight) : undefined;
    const isLeftOut = leastGain && asset.asset.lots === undefined;
    return { asset, target, change: zero, ...(isLeftOut ? { because: 'cost_unknown' as const } : {}) };
  });
  return { wanted, orders, base: left };
}

interface GoalDefinition {
  /** The side of the orders that it cannot do without. */
  readonly side: PlanSide;
  /** What a request has to name. */
  readonly needs: 'targets' | 'amount';
  /**
   * Whether it brings tickers to their targets with the cash and the proceeds of sells. Else the proceeds leave:
   * nothing is left over, and no ticker misses its target.
   */
  readonly reachesTargets: boolean;
  /** Whether it can choose its sells by their gain (`leastGain`). */
  readonly ranksGains: boolean;
  readonly plan: PlanWith;
}

/** By the name of the goal, in the order in which they are offered. */
export const planGoals: Readonly<Record<PlanGoal, GoalDefinition>> = {
  rebalance: { side: 'BUY', needs: 'targets', reachesTargets: true, ranksGains: false, plan: planRebalance },
  invest: { side: 'BUY', needs: 'amount', reachesTargets: true, ranksGains: false, plan: planInvest },
  raise: { side: 'SELL', needs: 'amount', reachesTargets: false, ranksGains: true, plan: planRaise },
};
