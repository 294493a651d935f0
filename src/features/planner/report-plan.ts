/**
 * Writes decided orders as a plan. Amounts are rounded to two decimals leg by leg, and sums are of the rounded
 * amounts, so that a person who adds the legs finds the totals.
 */
import { explainDeviation } from './explain-deviation.ts';
import { Fraction, hundred, sum, zero } from './fraction.ts';
import { explainLeft, unspent } from './left-over.ts';
import type { Plan, PlanCash, PlanLeft, PlanLeg, PlanWeight } from './plan-types.ts';
import type { DecidedPlan } from './planned-orders.ts';
import { missedValue, orderValue, type SizedOrder } from './size-order.ts';
import { largestFirst } from './valued-asset.ts';
import type { WantedChange } from './wanted-change.ts';

const moneyDecimals = 2;
const percentDecimals = 4;
/** More than any price or quantity has that was read or rounded. */
const exactDecimals = 20;

export function reportPlan(decided: DecidedPlan): Plan {
  const legs = listLegs(decided);
  const cash = computeCash(legs, decided);
  const base = sum(decided.wanted.map((want) => valueAfter(decided, want))).plus(unspent(decided));
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
  if (decided.request.goal === 'raise') return undefined;
  const amount = Fraction.parse(after).minus(Fraction.parse(before)).plus(decided.terms.amount);
  const shown = toMoney(amount);
  return Fraction.parse(shown).gt(zero) ? { amount: shown, because: explainLeft(decided) } : undefined;
}

/** `baseAfter` is what the percentages after the plan are of. */
function listWeights(decided: DecidedPlan, baseAfter: Fraction): PlanWeight[] {
  const { wanted, base } = decided;
  const before = sum(wanted.map(({ asset }) => asset.value));
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
