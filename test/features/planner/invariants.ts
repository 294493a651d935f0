/** What holds for every plan, computed with big.js and independent of the planner's own arithmetic. */
import Big from 'big.js';
import { expect } from 'vitest';
import type { Plan, PlanAsset, PlanGoal, PlanLeg, PlanSide } from '../../../src/features/planner/plan-types.ts';
import type { RandomCase } from './random-plans.ts';

/** What holds for each goal, from its description in docs/planner.md. */
const goalRules: Readonly<Record<PlanGoal, { readonly neverTrades?: PlanSide; readonly isSpent: boolean }>> = {
  rebalance: { isSpent: true },
  invest: { neverTrades: 'SELL', isSpent: true },
  // The money leaves: nothing is left over, and no ticker misses its target.
  raise: { neverTrades: 'BUY', isSpent: false },
};

/** Quotients of the tests are rounded to 20 decimals; a comparison allows for that. */
const epsilon = new Big('1e-12');

const assetFor = ({ assets }: Pick<RandomCase, 'assets'>, { ticker }: Pick<PlanLeg, 'ticker'>): PlanAsset =>
  assets.find((asset) => asset.ticker === ticker) as PlanAsset;

const chargeRate = (asset: PlanAsset, side: 'BUY' | 'SELL') =>
  (asset.charges[side] ?? []).reduce((total, { rate }) => total.plus(rate), new Big(0));

/** The exact value of a leg, and what it takes or brings at best and at worst. */
function price(leg: PlanLeg, asset: PlanAsset) {
  const value = new Big(leg.quantity).times(leg.limitPrice ?? asset.price ?? '').times(asset.rate ?? '');
  const rate = chargeRate(asset, leg.side);
  const charges = value.times(rate);
  const margin = leg.type === 'MARKET' ? value.times('0.02') : new Big(0);
  const isBuy = leg.side === 'BUY';
  return {
    value,
    expected: isBuy ? value.plus(charges) : value.minus(charges),
    // A buy that costs more is charged more; a sell that brings less is charged in full.
    worst: isBuy ? value.plus(margin).times(rate.plus(1)) : value.minus(margin).minus(charges),
  };
}

export function checkInvariants(drawn: RandomCase, plan: Plan): void {
  const { request, cash } = drawn;
  const legs = plan.legs.map((leg) => ({ leg, asset: assetFor(drawn, leg), ...price(leg, assetFor(drawn, leg)) }));
  const total = (side: 'BUY' | 'SELL', figure: 'expected' | 'worst') =>
    legs.filter(({ leg }) => leg.side === side).reduce((sum, part) => sum.plus(part[figure]), new Big(0));
  const keep = new Big(request.keepCash ?? 0);
  const amount = new Big(request.amount ?? 0);

  // Never over cash.
  if (legs.some(({ leg }) => leg.side === 'BUY')) {
    const certain = total('SELL', 'worst');
    expect(total('BUY', 'worst').lte(new Big(cash).minus(keep).plus(certain).plus(epsilon)), 'worst case').toBe(true);
    expect(total('BUY', 'expected').lte(amount.plus(total('SELL', 'expected')).plus(epsilon)), 'amount').toBe(true);
  }
  for (const { leg, asset, value } of legs) {
    // Never over what is held and sellable, no leg below the minimum, no invented decimals.
    const most = new Big(asset.sellable).lt(asset.held) ? asset.sellable : asset.held;
    if (leg.side === 'SELL') expect(new Big(leg.quantity).lte(most), 'sellable').toBe(true);
    expect(value.gte(request.minOrderValue ?? 5), 'minimum').toBe(true);
    const isAll = leg.side === 'SELL' && new Big(leg.quantity).eq(most);
    if (!isAll) expect(leg.quantity.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(asset.quantityDecimals);
  }
  expect(new Set(plan.legs.map(({ ticker }) => ticker)).size, 'one leg per ticker').toBe(plan.legs.length);
  if (request.goal === 'raise') {
    expect(total('SELL', 'expected').plus(epsilon).gte(amount), 'raised').toBe(true);
    const { sells, charges } = plan.totals;
    expect(new Big(sells).minus(charges).gte(amount), 'raised, as it is shown').toBe(true);
  }
  const { isSpent, neverTrades = request.allowSells === false ? 'SELL' : undefined } = goalRules[request.goal];
  expect(plan.legs.filter(({ side }) => side === neverTrades)).toEqual([]);
  checkTotals(drawn, plan);
  checkWeights(drawn, plan);
  const spare = amount.plus(total('SELL', 'expected')).minus(total('BUY', 'expected'));
  checkLeft(drawn, plan, isSpent ? spare : new Big(0));
  // A limit price below the known one leaves more, because the goal is measured at the known price.
  if (request.orderType === 'MARKET' && plan.weights.some(({ because }) => because === 'cash')) {
    const left = new Big(amount).plus(total('SELL', 'expected')).minus(total('BUY', 'expected'));
    const leftAtWorst = new Big(cash).minus(keep).plus(total('SELL', 'worst')).minus(total('BUY', 'worst'));
    checkUsedUp(drawn, plan, left.lt(leftAtWorst) ? left : leftAtWorst);
  }
}

/** What is short of cash leaves less than one step of each ticker, and less than the minimum of each dropped order. */
function checkUsedUp({ request, assets }: RandomCase, { weights, dropped }: Plan, left: Big): void {
  const room = weights.map(({ ticker }) => {
    const asset = assetFor({ assets }, { ticker });
    const isDropped = dropped.some((order) => order.ticker === ticker && order.reason === 'below_minimum');
    const step = new Big(asset.price ?? 0).times(asset.rate ?? 0).div(new Big(10).pow(asset.quantityDecimals));
    const least = isDropped ? step.plus(request.minOrderValue ?? 5) : step;
    return least.times(chargeRate(asset, 'BUY').plus(1)).times('1.02');
  });
  const most = room.reduce((sum, part) => sum.plus(part), new Big(0));
  expect(left.lte(most), `${left.toFixed()} is left, and at most ${most.toFixed()} had to be`).toBe(true);
}

/** Totals are the sums of the legs as they are shown. */
function checkTotals({ cash }: RandomCase, { legs, totals, cash: shown }: Plan): void {
  const sum = (amounts: readonly string[]) =>
    amounts.reduce((total, amount) => total.plus(amount), new Big(0)).toFixed(2);
  const values = (side: 'BUY' | 'SELL') => legs.filter((leg) => leg.side === side).map(({ value }) => value);
  expect(totals).toEqual({
    buys: sum(values('BUY')),
    sells: sum(values('SELL')),
    charges: sum(legs.flatMap(({ charges }) => charges.map(({ amount }) => amount))),
  });
  const after = new Big(cash).plus(totals.sells).minus(totals.buys).minus(totals.charges);
  expect(shown.after).toBe(after.toFixed(2));
}

/** What buys leave adds up with the totals and has a reason, and percentages are of it and of the tickers. */
function checkLeft({ request, assets }: RandomCase, { weights, legs, totals, left, base }: Plan, spare: Big): void {
  const shown = new Big(request.amount ?? 0).plus(totals.sells).minus(totals.buys).minus(totals.charges);
  const isLeft = goalRules[request.goal].isSpent && shown.gt(0);
  expect(left?.amount).toBe(isLeft ? shown.toFixed(2) : undefined);
  // A half penny of each leg can be the whole of what is shown.
  if (left && new Big(left.amount).gt('0.5')) expect(left.because).not.toEqual([]);
  const after = weights.map(({ ticker }) => {
    const asset = assetFor({ assets }, { ticker });
    const leg = legs.find((candidate) => candidate.ticker === ticker);
    const shares = new Big(asset.held).plus(new Big(leg?.quantity ?? 0).times(leg?.side === 'SELL' ? -1 : 1));
    return shares.times(asset.price ?? 0).times(asset.rate ?? 0);
  });
  const sum = after.reduce((all, value) => all.plus(value), spare);
  expect(new Big(base).minus(sum).abs().lte('0.0051'), `base ${base}, and the parts are ${sum.toFixed(4)}`).toBe(true);
}

/**
 * A ticker is at its target to 0.01 points of what the plan shows, or the plan says why not. Percentages have four
 * decimals, so a deviation of exactly 0.01 can be either.
 */
function checkWeights({ request }: RandomCase, { weights, base }: Plan): void {
  if (!goalRules[request.goal].isSpent || !new Big(base).gt(0)) return;
  for (const { ticker, because, percentTarget, percentAfter } of weights) {
    const deviation = new Big(percentAfter).minus(percentTarget ?? 0).abs();
    const said = `${ticker} deviates by ${deviation.toFixed()} because of ${because}`;
    if (deviation.gt('0.0101')) expect(because, said).not.toBe(undefined);
    if (deviation.lt('0.0099')) expect(because, said).toBe(undefined);
  }
}
