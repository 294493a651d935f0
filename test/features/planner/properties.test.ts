/** Properties of every plan. `npm run test:planner` checks more than 100,000 cases; `npm test` a few hundred. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planOrders } from '../../../src/features/planner/build-plan.ts';
import type { PlanAsset, PlanRequest } from '../../../src/features/planner/plan-types.ts';
import { checkInvariants } from './invariants.ts';
import { deviationAfter, type SmallAccount, smallestDeviation } from './oracle.ts';
import { type RandomCase, randomCases, toDecimal } from './random-plans.ts';

const solve = ({ request, cash, assets }: RandomCase) => planOrders(request, { cash }, assets);

function checkPlan(drawn: RandomCase): void {
  const { plan } = solve(drawn);
  if (plan) checkInvariants(drawn, plan);
}

function checkPermutation([drawn, seed]: [RandomCase, number]): void {
  const turn = <Item>(items: readonly Item[]) =>
    [...items.slice(seed % items.length), ...items.slice(0, seed % items.length)].reverse();
  const { request, cash, assets } = drawn;
  const targets = request.targets && turn(request.targets);
  expect(solve({ request: { ...request, targets }, cash, assets: turn(assets) })).toEqual(solve(drawn));
}

/** A tenth: a price has one decimal more then, and so has its limit price. */
const tenth = (amount: string): string => {
  const [units = '0', decimals = ''] = amount.split('.');
  return toDecimal(Number(units + decimals), decimals.length + 1);
};

/** Three times: any factor will do for market orders. */
const threefold = (amount: string): string => {
  const [units = '0', decimals = ''] = amount.split('.');
  return toDecimal(Number(units + decimals) * 3, decimals.length);
};

function scale({ request, cash, assets }: RandomCase, by: (amount: string) => string, decimals: number): RandomCase {
  const { amount, keepCash = '0', minOrderValue = '5' } = request;
  return {
    request: {
      ...request,
      keepCash: by(keepCash),
      minOrderValue: by(minOrderValue),
      ...(amount === undefined ? {} : { amount: by(amount) }),
    },
    cash: by(cash),
    assets: assets.map((asset) => ({
      ...asset,
      price: asset.price && by(asset.price),
      priceDecimals: asset.priceDecimals + decimals,
    })),
  };
}

/** Of every goal but raise, which counts what each order brings in pennies: a penny does not scale. */
function checkScale(drawn: RandomCase): void {
  if (drawn.request.goal === 'raise') return;
  const scaled = [
    solve(scale(drawn, tenth, 1)),
    ...(drawn.request.orderType === 'MARKET' ? [solve(scale(drawn, threefold, 0))] : []),
  ];
  const plain = solve(drawn);
  const toQuantities = ({ plan, problem }: typeof plain) =>
    plan ? plan.legs.map(({ ticker, side, quantity }) => [ticker, side, quantity]) : problem?.code;
  for (const other of scaled) expect(toQuantities(other)).toEqual(toQuantities(plain));
}

const smallAccounts: fc.Arbitrary<SmallAccount> = fc
  .record({
    shares: fc.array(
      fc.record({
        held: fc.nat({ max: 6 }),
        sellable: fc.nat({ max: 6 }),
        price: fc.integer({ min: 500, max: 2_000 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    parts: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 9 })),
    cash: fc.nat({ max: 6_000 }),
    amountPercent: fc.nat({ max: 100 }),
    bandPercent: fc.nat({ max: 8 }),
    allowSells: fc.boolean(),
  })
  .map(({ shares, parts, cash, amountPercent, bandPercent, allowSells }) => {
    const used = parts.slice(0, shares.length);
    const all = Math.max(
      used.reduce((sum, part) => sum + part, 0),
      1,
    );
    return {
      cash,
      amount: Math.floor((cash * amountPercent) / 100),
      bandPercent,
      allowSells,
      assets: shares.map(({ held, sellable, price }, index) => ({
        held,
        sellable,
        price,
        weightPercent: Math.floor(((used[index] ?? 0) * 100) / all),
      })),
    };
  });

/** No plan that the oracle finds is better by more than one share per ticker. */
function checkOptimum(account: SmallAccount): void {
  const names = ['A', 'B', 'C'];
  const pounds = (pennies: number) => toDecimal(pennies, 2);
  const assets = account.assets.map(
    ({ held, sellable, price }, index): PlanAsset => ({
      ticker: names[index] as string,
      held: String(held),
      sellable: String(sellable),
      price: pounds(price),
      priceFrom: 'position',
      priceDecimals: 2,
      rate: '1',
      quantityDecimals: 0,
      charges: { BUY: [], SELL: [] },
    }),
  );
  const targets = account.assets.map(({ weightPercent }, index) => ({
    ticker: names[index] as string,
    weightPercent: String(weightPercent),
  }));
  const check = (request: PlanRequest, allowed: SmallAccount) => {
    const { plan } = planOrders(request, { cash: pounds(account.cash) }, assets);
    const changes = names.map((name) => {
      const leg = plan?.legs.find(({ ticker }) => ticker === name);
      return Number(leg?.quantity ?? 0) * (leg?.side === 'SELL' ? -1 : 1);
    });
    const tolerance = account.assets.reduce((sum, { price }) => sum + price * 100, 0);
    expect(deviationAfter(allowed, changes) - smallestDeviation(allowed)).toBeLessThanOrEqual(tolerance);
  };
  const { amount, allowSells } = account;
  const band = String(account.bandPercent);
  check({ goal: 'rebalance', targets, amount: pounds(amount), band, allowSells }, account);
  if (amount > 0)
    check({ goal: 'invest', targets, amount: pounds(amount) }, { ...account, allowSells: false, bandPercent: 0 });
}

/** Shares in another account count as shares here that cannot be sold, as those in pies do. */
function checkElsewhere([{ request, cash, assets }, shares]: [RandomCase, readonly number[]]): void {
  if (!request.targets) return;
  const [apart, joined] = [false, true].map((isJoined) =>
    assets.map((asset, index): PlanAsset => {
      const elsewhere = String(shares[index] ?? 0);
      // Never all that is held, of which a sale leaves no rest.
      const sellable = new Big(asset.held).div(2).round(4, Big.roundDown).toFixed();
      if (!isJoined) return { ...asset, sellable, elsewhere };
      return { ...asset, sellable, held: new Big(asset.held).plus(elsewhere).toFixed() };
    }),
  ) as [PlanAsset[], PlanAsset[]];
  // Only the cash that joins counts, as for one account.
  const cashOfAll = request.goal === 'raise' ? '0' : (request.amount ?? '0');
  const found = planOrders(request, { cash, cashOfAll }, apart);
  const expected = planOrders(request, { cash }, joined);
  const compare = ({ plan, problem }: typeof found) => ({
    problem,
    ...{ legs: plan?.legs, base: plan?.base, cash: plan?.cash, left: plan?.left, totals: plan?.totals },
    weights: plan?.weights.map(({ ticker, valueAfter, percentAfter, percentTarget }) => {
      return { ticker, valueAfter, percentAfter, percentTarget };
    }),
  });
  expect(compare(found)).toEqual(compare(expected));
}

const check = <Case>(cases: fc.Arbitrary<Case>, property: (drawn: Case) => void, numRuns: number) =>
  fc.assert(fc.property(cases, property), { numRuns });

const permuted = fc.tuple(randomCases, fc.nat({ max: 5 }));
const elsewhere = fc.tuple(randomCases, fc.array(fc.nat({ max: 300 }), { minLength: 6, maxLength: 6 }));

describe.each([
  ['a few hundred cases', 1, []],
  ['more than 100,000 cases', 250, ['slow']],
])('%s', (_name, times, tags) => {
  // The slow one has 50,000 cases, a minute of work where nothing else runs.
  test(
    'a plan spends no more than the cash, sells no more than can be sold, and adds up',
    {
      tags,
      timeout: 900_000,
    },
    () => check(randomCases, checkPlan, 200 * times),
  );

  test('the order of the arguments does not matter', { tags }, () => check(permuted, checkPermutation, 60 * times));

  test('shares of another account count as shares that cannot be sold here', { tags }, () =>
    check(elsewhere, checkElsewhere, 60 * times),
  );

  test('one factor on prices, cash, amounts and minimums changes no quantity', { tags }, () =>
    check(randomCases, checkScale, 60 * times),
  );

  test('no plan is better by more than one share per ticker', { tags }, () =>
    check(smallAccounts, checkOptimum, 100 * times),
  );
});
