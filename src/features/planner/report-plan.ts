/**
 * Writes decided orders as a plan. Amounts are rounded to two decimals leg by leg, and sums are of the rounded
 * amounts, so that a person who adds the legs finds the totals.
 */

import { Fraction, hundred, sum, zero } from './fraction.ts';
import { planGoals } from './plan-goals.ts';
import type { LeftReason, Plan, PlanCash, PlanLeft, PlanLeg, PlanWeight, WeightReason } from './plan-types.ts';
import type { DecidedPlan } from './planned-orders.ts';
import { largestFirst, missedValue, orderValue, type SizedOrder, valueElsewhere } from './size-order.ts';
import type { WantedChange } from './wanted-change.ts';

const moneyDecimals = 2;
const percentDecimals = 4;
/** More than any price or quantity has that was read or rounded. */
const exactDecimals = 20;

export function reportPlan(decided: DecidedPlan): Plan {
  const legs = listLegs(decided);
  const cash = computeCash(legs, decided);
  const base = sum(decided.wanted.map((want) => valueAfter(decided, want)))
    .plus(unspent(decided))
    .plus(decided.terms.idle);
  return {
    legs,
    base: toMoney(base),
    weights: listWeights(decided, base),
    cash,
    left: describeLeft(cash, decided),
    totals: {
      buys: sumOf(legs.filter(({ side }) => side === 'BUY').map(({ value }) => value)),
      sells: sumOf(legs.filter(({ side }) => side === 'SELL').map(({ value }) => value)),
      charges: sumOf(legs.flatMap(({ charges }) => charges.map(({ amount }) => amount))),
    },
    dropped: [...decided.dropped, ...listDropped(decided)].sort((a, b) => (a.ticker < b.ticker ? -1 : 1)),
    heldElsewhere: decided.orders
      .map((order) => ({ ticker: order.asset.ticker, value: toMoney(valueElsewhere(order)) }))
      .filter(({ value }) => value !== toMoney(zero)),
    chargesKnown: legs.every(({ chargesKnown }) => chargesKnown),
  };
}

const toMoney = (value: Fraction): string => value.toFixed(moneyDecimals);
const sumOf = (amounts: readonly string[]): string => toMoney(sum(amounts.map(Fraction.parse)));

function listLegs({ request, orders, terms }: DecidedPlan): PlanLeg[] {
  const isSell = ({ side }: SizedOrder) => side === 'SELL';
  const placed = orders
    .filter(({ shares }) => shares.gt(zero))
    .map((order) => ({ ticker: order.asset.ticker, order }))
    .sort(largestFirst(({ order }) => orderValue(order)))
    .map(({ order }) => order);
  let needed = zero;
  return [...placed.filter(isSell), ...placed.filter((order) => !isSell(order))].map((order) => {
    const bound = order.shares.times(order.asset.order[order.side].bound);
    if (order.side === 'BUY') needed = needed.plus(bound);
    const dependsOnSells = order.side === 'BUY' && needed.gt(terms.available);
    return toLeg(order, { bound, dependsOnSells, type: request.orderType ?? 'MARKET' });
  });
}

function toLeg(
  order: SizedOrder,
  { bound, dependsOnSells, type }: Pick<PlanLeg, 'dependsOnSells' | 'type'> & { readonly bound: Fraction },
): PlanLeg {
  const { side, shares } = order;
  const { asset, ticker } = order.asset;
  const { limitPrice } = order.asset.order[side];
  const value = orderValue(order);
  const rates = asset.charges[side];
  return {
    ticker,
    side,
    type,
    quantity: shares.toDecimal(exactDecimals),
    ...(limitPrice ? { limitPrice: limitPrice.toDecimal(exactDecimals) } : {}),
    value: toMoney(value),
    charges: (rates ?? []).map(({ kind, rate, fills }) => ({
      kind,
      amount: toMoney(value.times(Fraction.parse(rate))),
      fills,
    })),
    chargesKnown: rates !== undefined,
    bound: toMoney(bound),
    dependsOnSells,
    priceFrom: asset.priceFrom ?? 'position',
    quantityDecimals: asset.quantityDecimals,
  };
}

function computeCash(legs: readonly PlanLeg[], { cash, terms }: DecidedPlan): PlanCash {
  const change = (amountOf: (leg: PlanLeg) => Fraction) =>
    sum(legs.map((leg) => (leg.side === 'BUY' ? zero.minus(amountOf(leg)) : amountOf(leg))));
  const toNet = ({ side, value, charges }: PlanLeg): Fraction => {
    const charged = sum(charges.map(({ amount }) => Fraction.parse(amount)));
    return side === 'BUY' ? Fraction.parse(value).plus(charged) : Fraction.parse(value).minus(charged);
  };
  return {
    before: toMoney(cash),
    after: toMoney(cash.plus(change(toNet))),
    keep: toMoney(terms.keepCash),
    afterAtWorst: toMoney(cash.plus(change(({ bound }) => Fraction.parse(bound)))),
  };
}

/** In the figures of the plan as they are shown, so that a person who adds them finds the same. */
function describeLeft({ before, after }: PlanCash, decided: DecidedPlan): PlanLeft | undefined {
  if (!planGoals[decided.request.goal].reachesTargets) return undefined;
  const amount = Fraction.parse(after).minus(Fraction.parse(before)).plus(decided.terms.amount);
  const shown = toMoney(amount);
  return Fraction.parse(shown).gt(zero) ? { amount: shown, because: explainLeft(decided) } : undefined;
}

/** `baseAfter` is what the percentages after the plan are of. */
function listWeights(decided: DecidedPlan, baseAfter: Fraction): PlanWeight[] {
  const { wanted, base, terms } = decided;
  const before = sum(wanted.map(({ asset }) => asset.value)).plus(terms.cashOfAll);
  const toPercent = (value: Fraction, all: Fraction) =>
    (all.gt(zero) ? value.div(all).times(hundred) : zero).toDecimal(percentDecimals);
  return wanted
    .toSorted((a, b) => (a.asset.ticker < b.asset.ticker ? -1 : 1))
    .map((want) => {
      const { asset, target } = want;
      const after = valueAfter(decided, want);
      return {
        ticker: asset.ticker,
        valueBefore: toMoney(asset.value),
        percentBefore: toPercent(asset.value, before),
        percentTarget: target && toPercent(target, base),
        valueAfter: toMoney(after),
        percentAfter: toPercent(after, baseAfter),
        because: explainDeviation(decided, { want, order: findOrder(decided, want) }, { after, base: baseAfter }),
      };
    });
}

const findOrder = ({ orders }: DecidedPlan, { asset }: WantedChange): SizedOrder | undefined =>
  orders.find((order) => order.asset.ticker === asset.ticker);

/** The value of a ticker after the plan, in the account currency, at the known price. */
function valueAfter(decided: DecidedPlan, want: WantedChange): Fraction {
  const { price, value } = want.asset;
  const order = findOrder(decided, want);
  const change = (order?.shares ?? zero).times(price);
  return order?.side === 'SELL' ? value.minus(change) : value.plus(change);
}

function listDropped({ wanted, orders }: DecidedPlan): Plan['dropped'] {
  const skipped = wanted.flatMap(({ asset, target, because }) => {
    const isSale = because === 'cost_unknown' || because === 'sells_not_allowed';
    if (!isSale) return [];
    const excess = target && asset.value.gt(target) ? toMoney(asset.value.minus(target)) : undefined;
    return [{ ticker: asset.ticker, side: 'SELL', value: excess, reason: because } as const];
  });
  const empty = orders.flatMap((order) => {
    const { asset, side, shares, because } = order;
    if (shares.gt(zero) || because === undefined) return [];
    return [{ ticker: asset.ticker, side, value: toMoney(missedValue(order)), reason: because }];
  });
  return [...skipped, ...empty];
}

// Why a ticker is not at its target after the plan, measured as the percentages of the plan are.

/** Percentage points. */
const tolerance = Fraction.parse('0.01');

/**
 * The reason with the largest part in the deviation; undefined where there is none, and for a goal
 * with another aim. `after` is the value of the ticker then, and `base` what the percentages are of.
 */
function explainDeviation(
  decided: DecidedPlan,
  { want, order }: { readonly want: WantedChange; readonly order: SizedOrder | undefined },
  { after, base }: { readonly after: Fraction; readonly base: Fraction },
): WeightReason | undefined {
  const { target, because } = want;
  if (!planGoals[decided.request.goal].reachesTargets || !target) return because;
  if (!decided.base.gt(zero)) return undefined;
  const weight = target.div(decided.base);
  const deviation = after.minus(base.times(weight));
  if (!deviation.abs().gt(base.times(tolerance).div(hundred))) return undefined;
  // What the orders lose is in the target, and not in the base of the percentages.
  const { charges, limits } = sumLosses(decided.orders);
  const own = after.minus(target);
  const parts: [WeightReason, Fraction][] = [
    [because ?? order?.because ?? (own.abs().lt(stepValue(want)) ? 'rounding' : 'cash'), own],
    ['charges', charges.times(weight)],
    ['limit_price', limits.times(weight)],
  ];
  const isMore = deviation.gt(zero);
  const [largest] = parts.toSorted(([, a], [, b]) => (isMore ? b.compare(a) : a.compare(b)));
  return largest?.[0];
}

const stepValue = ({ asset }: WantedChange): Fraction =>
  Fraction.parse(`1e-${asset.asset.quantityDecimals}`).times(asset.price);

/** What the orders take from the value of the plan, in the account currency. Better limit prices add to it. */
function sumLosses(orders: readonly SizedOrder[]) {
  const lose = (perShare: (order: SizedOrder) => Fraction) =>
    sum(orders.map((order) => order.shares.times(perShare(order))));
  return {
    charges: lose(({ asset, side }) => asset.order[side].net.minus(asset.order[side].price).abs()),
    limits: lose(({ asset, side }) => {
      const loss = asset.order[side].price.minus(asset.price);
      return side === 'BUY' ? loss : zero.minus(loss);
    }),
  };
}

// The money of a plan that buys do not spend, and why.

type Trades = Pick<DecidedPlan, 'request' | 'orders' | 'terms'>;

/** The orders that spend, and what `amount` and the sells bring, after charges and in the account currency. */
function readBudget({ orders, terms }: Trades) {
  const buys = orders.filter(({ side }) => side === 'BUY');
  const sells = orders.filter(({ side }) => side === 'SELL');
  return { buys, budget: terms.amount.plus(sum(sells.map(({ asset, shares }) => shares.times(asset.order.SELL.net)))) };
}

/** Exact, in the account currency. Proceeds that leave the account are not left over. */
function unspent(plan: Trades): Fraction {
  if (!planGoals[plan.request.goal].reachesTargets) return zero;
  const { buys, budget } = readBudget(plan);
  return budget.minus(sum(buys.map(({ asset, shares }) => shares.times(asset.order.BUY.net))));
}

/** A part that is not visible in an amount with two decimals. */
const visible = Fraction.parse('0.005');

/** The reasons by falling part; a part of less than half a penny is named only if there is no larger one. */
function explainLeft(plan: Trades): LeftReason[] {
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
