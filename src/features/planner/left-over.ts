/** The money of a plan that buys do not spend, and why. */
import { Fraction, sum, zero } from './fraction.ts';
import type { LeftReason } from './plan-types.ts';
import type { DecidedPlan } from './planned-orders.ts';

type Trades = Pick<DecidedPlan, 'request' | 'orders' | 'terms'>;

/** The orders that spend, and what `amount` and the sells bring, after charges and in the account currency. */
function readBudget({ orders, terms }: Trades) {
  const buys = orders.filter(({ side }) => side === 'BUY');
  const sells = orders.filter(({ side }) => side === 'SELL');
  return { buys, budget: terms.amount.plus(sum(sells.map(({ asset, shares }) => shares.times(asset.order.SELL.net)))) };
}

/** Exact, in the account currency. The proceeds of `raise` are not left over: they leave. */
export function unspent(plan: Trades): Fraction {
  if (plan.request.goal === 'raise') return zero;
  const { buys, budget } = readBudget(plan);
  return budget.minus(sum(buys.map(({ asset, shares }) => shares.times(asset.order.BUY.net))));
}

/** A part that is not visible in an amount with two decimals. */
const visible = Fraction.parse('0.005');

/** The reasons by falling part; a part of less than half a penny is named only if there is no larger one. */
export function explainLeft(plan: Trades): LeftReason[] {
  const { buys, budget } = readBudget(plan);
  const cost = (of: typeof buys, name: 'wanted' | 'affordable' | 'shares') =>
    sum(of.map((order) => order[name].times(order.asset.order.BUY.net)));
  const small = buys.filter(({ because }) => because === 'below_minimum');
  const others = buys.filter(({ because }) => because !== 'below_minimum');
  const wanted = cost(buys, 'wanted');
  const parts: [LeftReason, Fraction][] = [
    ['targets_reached', budget.minus(wanted)],
    ['cash', wanted.min(budget).minus(cost(buys, 'affordable'))],
    ['below_minimum', cost(small, 'affordable')],
    ['rounding', cost(others, 'affordable').minus(cost(others, 'shares'))],
  ];
  return parts
    .sort(([, a], [, b]) => b.compare(a))
    .filter(([, part], place) => place === 0 || !part.lt(visible))
    .map(([name]) => name);
}
