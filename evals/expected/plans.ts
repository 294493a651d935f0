/**
 * Plans, computed a second time from the rules in docs/planner.md and the account's books, in exact fractions. It
 * shares no code with src/features/drafts: the level of a purchase is found by walking along the levels at which tickers
 * join, and not by adding tickers until the level holds.
 */
import {
  add,
  addAll,
  divide,
  type Fraction,
  isLess,
  isPositive,
  multiply,
  one,
  smaller,
  subtract,
  toFraction,
  zero,
} from '../../checks/gains/fraction.ts';
import { type Asset, heldValue, type Side } from './plan-assets.ts';
import { roundTo, toFixedText, toPenny, toPennyText, toQuantityText } from './rounding.ts';

/** A ticker with the part of the value that it should have, from 0 to 1. */
export interface Target {
  readonly asset: Asset;
  readonly weight: Fraction;
}

export interface Leg {
  readonly asset: Asset;
  readonly side: Side;
  readonly shares: Fraction;
}

const larger = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? b : a);
const distance = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? subtract(b, a) : subtract(a, b));
const lowestOrder = toFraction('5');
const margin = toFraction('0.02');

export const toTargets = (assets: readonly Asset[], percents: readonly number[]): Target[] =>
  assets.map((asset, at) => ({ asset, weight: divide(toFraction(String(percents[at])), toFraction('100')) }));

const chargeRate = ({ charges }: Asset, side: Side): Fraction => addAll(charges[side].map(({ rate }) => rate));

/** What one share takes or brings after charges. */
export const netPrice = (asset: Asset, side: Side): Fraction =>
  multiply(asset.price, side === 'BUY' ? add(one, chargeRate(asset, side)) : subtract(one, chargeRate(asset, side)));

/** The most that a market order of one share takes, or the least that it brings. */
const boundPrice = (asset: Asset, side: Side): Fraction =>
  side === 'BUY'
    ? multiply(netPrice(asset, side), add(one, margin))
    : subtract(netPrice(asset, side), multiply(asset.price, margin));

interface Money {
  /** Cash that joins. */
  readonly amount: Fraction;
  /** Cash of the account that may be spent. */
  readonly available: Fraction;
}

/** Sales and purchases that bring the tickers which are further than `band` points from their target to it. */
export function rebalance(targets: readonly Target[], band: Fraction, money: Money): Leg[] {
  const base = addAll([...targets.map(({ asset }) => heldValue(asset)), money.amount]);
  const far = targets.filter(({ asset, weight }) =>
    isLess(band, multiply(divide(distance(heldValue(asset), multiply(base, weight)), base), toFraction('100'))),
  );
  const sells = far.flatMap(({ asset, weight }) => {
    const excess = subtract(heldValue(asset), multiply(base, weight));
    if (!isPositive(excess)) return [];
    const shares = smaller(roundTo(divide(excess, asset.price), asset.decimals, 'half'), asset.sellable);
    return keepLarge({ asset, side: 'SELL', shares: withoutRemnant(asset, shares) });
  });
  const wanted = far.flatMap(({ asset, weight }) => {
    const missing = subtract(multiply(base, weight), heldValue(asset));
    return isPositive(missing) ? [{ asset, shares: divide(missing, asset.price) }] : [];
  });
  return inSequence([...sells, ...fitIntoCash(wanted, sells, money)]);
}

/** Purchases for at most the amount, which bring every ticker that is bought to the same part of its target. */
export function invest(targets: readonly Target[], money: Money): Leg[] {
  const base = addAll([...targets.map(({ asset }) => heldValue(asset)), money.amount]);
  const level = smaller(findLevel(targets, money.amount), base);
  const wanted = targets.flatMap(({ asset, weight }) => {
    const missing = subtract(multiply(level, weight), heldValue(asset));
    return isPositive(missing) ? [{ asset, shares: divide(missing, asset.price) }] : [];
  });
  return inSequence(fitIntoCash(wanted, [], money));
}

/** What it takes to bring every ticker below this level of its target up to it. */
const costOfLevel = (targets: readonly Target[], level: Fraction): Fraction =>
  addAll(targets.map(({ asset, weight }) => larger(subtract(multiply(level, weight), heldValue(asset)), zero)));

/** The level that takes exactly the amount: the cost is a line between the levels at which tickers join. */
function findLevel(targets: readonly Target[], amount: Fraction): Fraction {
  const joins = targets
    .filter(({ weight }) => isPositive(weight))
    .map(({ asset, weight }) => divide(heldValue(asset), weight))
    .sort((a, b) => (isLess(a, b) ? -1 : 1));
  const start = joins.filter((level) => !isLess(amount, costOfLevel(targets, level))).at(-1) ?? zero;
  const next = joins.find((level) => isLess(start, level)) ?? add(start, one);
  const spent = costOfLevel(targets, start);
  const rise = divide(subtract(costOfLevel(targets, next), spent), subtract(next, start));
  return add(start, divide(subtract(amount, spent), rise));
}

interface Purchase {
  readonly asset: Asset;
  readonly shares: Fraction;
}

/** One factor for all purchases, so that the expected and the highest cost are covered; then whole steps. */
function fitIntoCash(purchases: readonly Purchase[], sells: readonly Leg[], { amount, available }: Money): Leg[] {
  const total = (list: readonly Purchase[], side: Side, priceOf: typeof netPrice) =>
    addAll(list.map(({ asset, shares }) => multiply(shares, priceOf(asset, side))));
  const part = (budget: Fraction, cost: Fraction) => (isLess(budget, cost) ? divide(budget, cost) : one);
  const factor = smaller(
    part(add(amount, total(sells, 'SELL', netPrice)), total(purchases, 'BUY', netPrice)),
    part(add(available, total(sells, 'SELL', boundPrice)), total(purchases, 'BUY', boundPrice)),
  );
  return purchases.flatMap(({ asset, shares }) =>
    keepLarge({ asset, side: 'BUY', shares: roundTo(multiply(shares, factor), asset.decimals, 'down') }),
  );
}

/** Sales of everything in proportion to what it brings, until the amount is raised after charges. */
export function raiseInProportion(assets: readonly Asset[], amount: Fraction): Leg[] {
  const brings = (asset: Asset) => multiply(asset.sellable, netPrice(asset, 'SELL'));
  const all = addAll(assets.map(brings));
  const sorted = assets.toSorted((a, b) => (isLess(brings(a), brings(b)) ? 1 : -1));
  return raise(
    [
      ...sorted.map((asset) => ({ asset, upTo: multiply(asset.sellable, divide(amount, all)) })),
      ...sorted.map((asset) => ({ asset, upTo: asset.sellable })),
    ],
    amount,
  );
}

/** One after the other: sell until this many shares of it are sold, or the amount is raised. */
export interface SellStep {
  readonly asset: Asset;
  readonly upTo: Fraction;
}

/** What the sales bring in pennies has to reach the amount too: without it, they aim at what is missing more. */
export function raise(steps: readonly SellStep[], amount: Fraction): Leg[] {
  let aim = amount;
  for (let turn = 0; turn < 100; turn++) {
    const legs = sellUntil(steps, aim);
    const missing = subtract(amount, addAll(legs.map(toProceeds)));
    if (!isPositive(missing)) return legs;
    aim = add(aim, roundTo(missing, 2, 'up'));
  }
  throw new Error('the pennies do not reach the amount');
}

/** Quantities are rounded up, so that a later step sells that much less. */
function sellUntil(steps: readonly SellStep[], amount: Fraction): Leg[] {
  const sold = new Map<string, Leg>();
  let left = amount;
  for (const { asset, upTo } of steps) {
    if (!isPositive(left) || isLess(multiply(asset.sellable, asset.price), lowestOrder)) continue;
    const net = netPrice(asset, 'SELL');
    const before = sold.get(asset.ticker)?.shares ?? zero;
    const needed = larger(smaller(add(before, divide(left, net)), upTo), divide(lowestOrder, asset.price));
    const rounded = isLess(needed, asset.sellable)
      ? smaller(roundTo(needed, asset.decimals, 'up'), asset.sellable)
      : asset.sellable;
    const shares = withoutRemnant(asset, rounded);
    if (!isLess(before, shares)) continue;
    left = subtract(left, multiply(subtract(shares, before), net));
    sold.set(asset.ticker, { asset, side: 'SELL', shares });
  }
  if (isPositive(left)) throw new Error('there is not so much');
  return inSequence([...sold.values()]);
}

/** Sells all instead of leaving less than an order may be worth, where all can be sold. */
function withoutRemnant(asset: Asset, shares: Fraction): Fraction {
  const left = subtract(asset.held, shares);
  const isRemnant = isPositive(shares) && isPositive(left) && isLess(multiply(left, asset.price), lowestOrder);
  return isRemnant && !isLess(asset.sellable, asset.held) ? asset.sellable : shares;
}

const worthOf = ({ asset, shares }: Leg): Fraction => multiply(shares, asset.price);
const keepLarge = (leg: Leg): Leg[] => (isLess(worthOf(leg), lowestOrder) ? [] : [leg]);

/** Sales before purchases, the largest first. */
const inSequence = (legs: readonly Leg[]): Leg[] =>
  legs.toSorted((a, b) => (a.side === b.side ? (isLess(worthOf(a), worthOf(b)) ? 1 : -1) : a.side === 'SELL' ? -1 : 1));

/** Each amount is rounded to the penny before it is added. */
export const toValue = (leg: Leg): Fraction => toPenny(worthOf(leg));
const toCharges = (leg: Leg): Fraction =>
  addAll(leg.asset.charges[leg.side].map(({ rate }) => toPenny(multiply(worthOf(leg), rate))));
/** What a sale brings after its charges. */
export const toProceeds = (leg: Leg): Fraction => subtract(toValue(leg), toCharges(leg));

/** What a plan says in figures: the legs by side and ticker, the sums, and the cash after it. */
export function describePlan(legs: readonly Leg[], cashBefore: string): Record<string, string> {
  const change = legs.map((leg) =>
    leg.side === 'SELL' ? toProceeds(leg) : subtract(zero, add(toValue(leg), toCharges(leg))),
  );
  return {
    ...Object.fromEntries(legs.map(({ side, asset, shares }) => [`${side} ${asset.ticker}`, toQuantityText(shares)])),
    charges: toPennyText(totalCharges(legs)),
    cashAfter: toPennyText(addAll([toFraction(cashBefore), ...change])),
  };
}

/** Exact, in the account currency. */
export const totalCharges = (legs: readonly Leg[]): Fraction => addAll(legs.map(toCharges));

/** The weight of a ticker after the plan, in percent of this value, with four decimals. */
export function percentAfter(legs: readonly Leg[], asset: Asset, base: Fraction): string {
  const leg = legs.find((candidate) => candidate.asset.ticker === asset.ticker);
  const change = leg ? multiply(leg.shares, asset.price) : zero;
  const value = leg?.side === 'SELL' ? subtract(heldValue(asset), change) : add(heldValue(asset), change);
  return toFixedText(multiply(divide(value, base), toFraction('100')), 4);
}
