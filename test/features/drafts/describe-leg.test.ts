/** The legs of a plan as legs of a draft: the orders stay as they were planned, with what sized them and why. */
import { expect, test } from 'vitest';
import { toDraftLegs } from '../../../src/features/drafts/book/draft-plan.ts';
import type { Plan, PlanLeg, PlanWeight } from '../../../src/features/planner/plan-types.ts';

const planned = (change: Partial<PlanLeg> = {}): PlanLeg => ({
  ticker: 'A',
  side: 'BUY',
  type: 'MARKET',
  quantity: '2',
  value: '200.00',
  charges: [],
  chargesKnown: true,
  bound: '204.00',
  dependsOnSells: false,
  priceFrom: 'position',
  quantityDecimals: 0,
  ...change,
});

/** From 100 to 300, of 1,000 after the plan. */
const weight: PlanWeight = {
  ticker: 'A',
  valueBefore: '100.00',
  percentBefore: '12.5',
  percentTarget: '31',
  valueAfter: '300.00',
  percentAfter: '30',
  because: undefined,
};

const convert = (
  legs: readonly PlanLeg[],
  plan: Partial<Plan> = {},
  more: Partial<Parameters<typeof toDraftLegs>[1]> = {},
) =>
  toDraftLegs({ legs, weights: [weight], base: '1000.00', ...plan } as Plan, {
    goal: 'rebalance',
    prices: new Map([['A', '100']]),
    ...more,
  });

test('a market order keeps its side and quantity, with its price, its weights and a reason', () => {
  expect(convert([planned()], {}, { timeValidity: 'GOOD_TILL_CANCEL' })).toStrictEqual([
    {
      type: 'MARKET',
      ticker: 'A',
      side: 'BUY',
      quantity: '2',
      reason: 'rebalance: from 12.5% to 30.0%, target 31.0%.',
      price: '100',
      weight: { before: '12.5', target: '31', after: '30', change: '20.0000' },
    },
  ]);
});

test.each([
  ['the one that was asked for', 'GOOD_TILL_CANCEL', 'GOOD_TILL_CANCEL'],
  ['the day where none was asked for', undefined, 'DAY'],
] as const)('a limit order keeps its limit price and has a time validity: %s', (_, timeValidity, expected) => {
  const [leg] = convert([planned({ type: 'LIMIT', limitPrice: '99.5' })], {}, { timeValidity });
  expect(leg).toMatchObject({ type: 'LIMIT', limitPrice: '99.5', timeValidity: expected });
});

test.each([
  ['assumed', true],
  ['fill', undefined],
  ['position', undefined],
] as const)('a price from %s: whether it is marked as assumed', (priceFrom, isPriceAssumed) => {
  expect(convert([planned({ priceFrom })])[0]?.isPriceAssumed).toBe(isPriceAssumed);
});

test('a ticker without a target has none in its reason and its weights', () => {
  const [leg] = convert(
    [planned({ side: 'SELL' })],
    { weights: [{ ...weight, percentTarget: undefined }] },
    { goal: 'raise' },
  );
  expect(leg).toMatchObject({ side: 'SELL', reason: 'raise: from 12.5% to 30.0%.' });
  expect(leg?.weight).toEqual({ before: '12.5', after: '30', change: '20.0000' });
});

test.each<[string, Partial<Plan>, string]>([
  ['a plan that has no weight of its ticker', { weights: [] }, 'rebalance'],
  ['a plan of nothing', { base: '0.00' }, 'rebalance: from 12.5% to 30.0%, target 31.0%.'],
])('a leg of %s has no weights', (_, plan, reason) => {
  const [leg] = convert([planned()], plan);
  expect([leg?.weight, leg?.reason]).toEqual([undefined, reason]);
});

test('a leg whose price is unknown has none', () => {
  expect(convert([planned({ ticker: 'B' })])[0]?.price).toBeUndefined();
});

test('each leg has the weights of its own ticker', () => {
  const other: PlanWeight = {
    ...weight,
    ticker: 'B',
    ...{ valueBefore: '400.00', percentBefore: '50', percentTarget: '40', valueAfter: '350.00', percentAfter: '35' },
  };
  const legs = convert([planned(), planned({ ticker: 'B', side: 'SELL' })], { weights: [weight, other] });
  expect(legs.map(({ reason, weight: own }) => [reason, own?.change])).toEqual([
    ['rebalance: from 12.5% to 30.0%, target 31.0%.', '20.0000'],
    ['rebalance: from 50.0% to 35.0%, target 40.0%.', '-5.0000'],
  ]);
});
