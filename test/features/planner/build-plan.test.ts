/** Plans that were computed by hand. */
import { describe, expect, test } from 'vitest';
import { planOrders } from '../../../src/features/planner/build-plan.ts';
import type { Plan, PlanAsset, PlanRequest } from '../../../src/features/planner/plan-types.ts';
import { makeAsset, makeTargets } from './support.ts';

function plan(request: PlanRequest, cash: string, assets: readonly PlanAsset[]): Plan {
  const { plan: made, problem } = planOrders(request, { cash }, assets);
  if (!made) throw new Error(JSON.stringify(problem));
  return made;
}

const problemOf = (request: PlanRequest, cash: string, assets: readonly PlanAsset[]) =>
  planOrders(request, { cash }, assets).problem;

const legsOf = ({ legs }: Plan) => legs.map(({ ticker, side, quantity }) => `${side} ${quantity} ${ticker}`);

describe('rebalance', () => {
  // 700 and 300, to 60/40: sell 100 of A. Its certain proceeds of 98 pay for 98 / 1.02 = 96.07 of B.
  const assets = [makeAsset('A', { held: '70' }), makeAsset('B', { held: '30' })];
  const request: PlanRequest = { goal: 'rebalance', targets: makeTargets({ A: 60, B: 40 }) };

  test('sells what is above its target and buys with the certain proceeds', () => {
    const made = plan(request, '0', assets);
    expect(legsOf(made)).toEqual(['SELL 10 A', 'BUY 9.6 B']);
    expect(made.legs.map(({ value, bound, dependsOnSells }) => [value, bound, dependsOnSells])).toEqual([
      ['100.00', '98.00', false],
      ['96.00', '97.92', true],
    ]);
    expect(made.cash).toEqual({ before: '0.00', after: '4.00', keep: '0.00', afterAtWorst: '0.08' });
    expect(made.totals).toEqual({ buys: '96.00', sells: '100.00', charges: '0.00' });
    expect(made.weights).toEqual([
      {
        ticker: 'A',
        valueBefore: '700.00',
        percentBefore: '70',
        percentTarget: '60',
        valueAfter: '600.00',
        percentAfter: '60',
        because: undefined,
      },
      {
        ticker: 'B',
        valueBefore: '300.00',
        percentBefore: '30',
        percentTarget: '40',
        valueAfter: '396.00',
        percentAfter: '39.6',
        because: 'cash',
      },
    ]);
  });

  test('leaves a deviation alone that is not larger than the band', () => {
    const close = [makeAsset('A', { held: '61' }), makeAsset('B', { held: '39' })];
    const left = plan(request, '0', close);
    expect([left.legs, left.dropped]).toEqual([[], []]);
    expect(left.weights.map(({ because }) => because)).toEqual(['within_band', 'within_band']);
    const exact = [makeAsset('A', { held: '60' }), makeAsset('B', { held: '40' })];
    expect(plan(request, '0', exact).weights.map(({ because }) => because)).toEqual([undefined, undefined]);
    expect(legsOf(plan({ ...request, band: '0.99' }, '0', close))).toEqual(['SELL 1 A', 'BUY 0.96 B']);
  });

  test('uses cash only as far as the amount', () => {
    // 1,000 and 250 join to 1,250: A is to be 750, B 500. The proceeds are not needed.
    const made = plan({ ...request, amount: '250' }, '1000', assets);
    expect(legsOf(made)).toEqual(['BUY 20 B', 'BUY 5 A']);
    expect(made.cash.after).toBe('750.00');
    expect(made.legs.every(({ dependsOnSells }) => !dependsOnSells)).toBe(true);
  });

  test('only buys when sells are not allowed, and says why a ticker stays above its target', () => {
    const made = plan({ ...request, amount: '50', allowSells: false }, '1000', assets);
    // Of 1,050, A is to be 630 and B 420: B lacks 120, and 50 may be spent.
    expect(legsOf(made)).toEqual(['BUY 5 B']);
    expect(made.weights.map(({ because }) => because)).toEqual(['sells_not_allowed', 'cash']);
    expect(made.dropped).toEqual([{ ticker: 'A', side: 'SELL', value: '70.00', reason: 'sells_not_allowed' }]);
  });

  test('turns what the targets leave over into cash', () => {
    const made = plan({ goal: 'rebalance', targets: makeTargets({ A: 60, B: 30 }) }, '0', assets);
    expect(legsOf(made)).toEqual(['SELL 10 A']);
    expect(made.cash.after).toBe('100.00');
  });

  test('never sells shares that are not sellable, and says so', () => {
    const inPies = [makeAsset('A', { held: '70', sellable: '4' }), makeAsset('B', { held: '30' })];
    const made = plan(request, '0', inPies);
    expect(legsOf(made)).toEqual(['SELL 4 A', 'BUY 3.84 B']);
    expect(made.weights.map(({ because }) => because)).toEqual(['not_sellable', 'cash']);
  });

  test('drops an order below the minimum and lists it', () => {
    const made = plan({ ...request, minOrderValue: '97' }, '0', assets);
    expect(legsOf(made)).toEqual(['SELL 10 A']);
    // The certain proceeds pay for 96 of the 100 that B lacks, and that is less than 97.
    expect(made.dropped).toEqual([{ ticker: 'B', side: 'BUY', value: '96.00', reason: 'below_minimum' }]);
  });

  test('has no percentages where there is nothing', () => {
    const made = plan({ goal: 'rebalance', targets: makeTargets({ A: 100 }) }, '500', [makeAsset('A', { held: '0' })]);
    expect(made.legs).toEqual([]);
    expect(made.weights.map((row) => [row.percentBefore, row.percentTarget, row.percentAfter, row.because])).toEqual([
      ['0', '0', '0', undefined],
    ]);
  });

  test('a sale does not wait for other sales when more cash is to be kept than there is', () => {
    const made = plan({ ...request, keepCash: '50' }, '0', assets);
    expect(made.legs.map(({ side, dependsOnSells }) => [side, dependsOnSells])).toEqual([
      ['SELL', false],
      ['BUY', true],
    ]);
  });

  test('a sale that is rounded to nothing sells nothing, however small the position', () => {
    const small = [makeAsset('A', { held: '0.4' }), makeAsset('B', { held: '99.6' })];
    // A is worth 4 of 1,000, and 0.001 shares too much.
    const almost = { ...request, targets: makeTargets({ A: 0.399, B: 99.601 }), band: '0' };
    expect(plan(almost, '0', small).dropped[0]).toEqual({
      ticker: 'A',
      side: 'SELL',
      value: '0.01',
      reason: 'rounding',
    });
  });

  test('sells everything instead of leaving less than the minimum', () => {
    const small = [makeAsset('A', { held: '0.7' }), makeAsset('B', { held: '99.3' })];
    const nothing = { ...request, targets: makeTargets({ A: 0.3, B: 99.7 }), band: '0.1', minOrderValue: '4' };
    const made = plan(nothing, '0', small);
    expect(legsOf(made)).toEqual(['SELL 0.7 A', 'BUY 0.4 B']);
    expect(made.weights.map(({ because }) => because)).toEqual(['below_minimum', undefined]);
  });

  test('sells to the nearest quantity', () => {
    const dear = [
      makeAsset('A', { held: '3', price: '100', quantityDecimals: 0 }),
      makeAsset('B', { held: '100', price: '1', quantityDecimals: 0 }),
    ];
    // Of 400, A is to be 260: 0.4 of a share is above, so none is sold.
    expect(plan({ ...request, targets: makeTargets({ A: 65, B: 35 }) }, '0', dear)).toMatchObject({
      legs: [],
      dropped: [
        { ticker: 'A', side: 'SELL', value: '40.00', reason: 'rounding' },
        { ticker: 'B', side: 'BUY', value: '40.00', reason: 'cash' },
      ],
    });
    // To be 240: 0.6 is above, so one share is sold.
    expect(legsOf(plan({ ...request, targets: makeTargets({ A: 60, B: 40 }) }, '0', dear))).toEqual([
      'SELL 1 A',
      'BUY 60 B',
    ]);
  });
});

describe('a ticker that misses its target by more than its own order', () => {
  // 600 and 400, to 40/60: sell 20 of A, and buy B with the proceeds.
  const assets = [makeAsset('A', { held: '60' }), makeAsset('B', { held: '40' })];
  const request: PlanRequest = { goal: 'rebalance', targets: makeTargets({ A: 40, B: 60 }) };
  const reasonsOf = ({ weights }: Plan) => weights.map(({ percentAfter, because }) => [percentAfter, because]);

  test('names the charges, which leave less than the targets were of', () => {
    const fee = { BUY: [], SELL: [{ kind: 'FEE', rate: '0.1', fills: 3 }] };
    const charged = assets.map((asset) => ({ ...asset, charges: fee }));
    const limited = plan({ ...request, orderType: 'LIMIT' }, '0', charged);
    // The sale brings 180, which buys 18 of B: A is 400 of 980, B 580.
    expect(legsOf(limited)).toEqual(['SELL 20 A', 'BUY 18 B']);
    expect(reasonsOf(limited)).toEqual([
      ['40.8163', 'charges'],
      ['59.1837', 'cash'],
    ]);
  });

  test('names the limit price where it is worse than the known price', () => {
    const worse = plan({ ...request, orderType: 'LIMIT', limitOffsetPercent: '5' }, '0', assets);
    // 20 at 9.50 bring 190, which buy 18.09 at 10.50; 0.055 is left. A is 400 of 980.955, B 580.9.
    expect(legsOf(worse)).toEqual(['SELL 20 A', 'BUY 18.09 B']);
    expect(reasonsOf(worse)).toEqual([
      ['40.7766', 'limit_price'],
      ['59.2178', 'cash'],
    ]);
  });

  test('names the limit price where it is better than the known price', () => {
    const better = plan({ ...request, orderType: 'LIMIT', limitOffsetPercent: '-5' }, '0', assets);
    // 20 at 10.50 bring 210, and 20 at 9.50 cost 190: A is 400 of 1,020, B 600.
    expect(legsOf(better)).toEqual(['SELL 20 A', 'BUY 20 B']);
    expect(reasonsOf(better)).toEqual([
      ['39.2157', 'limit_price'],
      ['58.8235', 'limit_price'],
    ]);
  });

  test('names nothing where the charges leave every ticker at its target', () => {
    const fee = { BUY: [{ kind: 'FEE', rate: '0.25', fills: 3 }], SELL: [] };
    const bought = ['A', 'B'].map((name) => makeAsset(name, { held: '0', charges: fee }));
    const made = plan({ goal: 'invest', targets: makeTargets({ A: 60, B: 40 }), amount: '500' }, '1000', bought);
    // 240 and 160 of 400.
    expect(reasonsOf(made)).toEqual([
      ['60', undefined],
      ['40', undefined],
    ]);
  });
});

describe('invest', () => {
  const assets = [
    makeAsset('A', { held: '100', price: '1' }),
    makeAsset('B', { held: '300', price: '1' }),
    makeAsset('C', { held: '600', price: '1' }),
  ];
  const targets = makeTargets({ A: 40, B: 30, C: 30 });

  test('raises the lowest tickers to one common part of their targets', () => {
    // A alone reaches (200 + 100) / 0.4 = 750, and B begins at 300 / 0.3 = 1,000.
    expect(legsOf(plan({ goal: 'invest', targets, amount: '200' }, '1000', assets))).toEqual(['BUY 200 A']);
    // A and B reach (500 + 400) / 0.7 = 1,285.71: 514.285 and 385.714.
    const more = plan({ goal: 'invest', targets, amount: '500' }, '1000', assets);
    expect(legsOf(more)).toEqual(['BUY 414.28 A', 'BUY 85.71 B']);
    expect(more.weights.map(({ because }) => because)).toEqual(['cash', 'cash', 'above_target']);
  });

  test('lists the tickers by name, whatever their value', () => {
    const held = [makeAsset('B', { held: '30' }), makeAsset('A', { held: '10' }), makeAsset('C', { held: '50' })];
    const made = plan({ goal: 'invest', amount: '90' }, '500', held);
    expect(made.weights.map(({ ticker }) => ticker)).toEqual(['A', 'B', 'C']);
    expect(made.chargesKnown).toBe(true);
  });

  test('without targets spends all of it on the thirty largest holdings, as if there were no others', () => {
    const equal = Array.from({ length: 30 }, (_, n) => makeAsset(`A${10 + n}`, { held: '10' }));
    const made = plan({ goal: 'invest', amount: '300' }, '1000', [...equal, makeAsset('Z', { held: '9' })]);
    expect(legsOf(made)).toEqual(equal.map(({ ticker }) => `BUY 1 ${ticker}`));
    expect(made.dropped).toMatchObject([{ ticker: 'Z', reason: 'leg_limit' }]);
  });

  test('names what takes most of the rest first, and nothing below half a penny', () => {
    const whole = [makeAsset('A', { held: '0', price: '100', quantityDecimals: 0 })];
    const leftOf = (amount: string) =>
      plan({ goal: 'invest', amount, targets: makeTargets({ A: 100 }) }, amount, whole).left;
    // The margin leaves 109 / 1.02 = 106.86 to spend: 6.86 are less than a share.
    expect(leftOf('109')).toEqual({ amount: '9.00', because: ['rounding', 'cash'] });
    // 102.004 / 1.02 = 100.0039.
    expect(leftOf('102.004')).toEqual({ amount: '2.00', because: ['cash'] });
  });

  test('raises the lowest first, whatever the order of their names, and ignores a target of nothing', () => {
    const mixed = [
      makeAsset('A', { held: '50' }),
      makeAsset('B', { held: '0' }),
      makeAsset('C', { held: '10' }),
      makeAsset('D', { held: '1' }),
    ];
    // 500, 0 and 100 of weights 20, 40 and 40: B at 100 of 40 is as high as C.
    const targets = makeTargets({ A: 20, B: 40, C: 40, D: 0 });
    expect(legsOf(plan({ goal: 'invest', amount: '100', targets }, '200', mixed))).toEqual(['BUY 10 B']);
  });

  test('buys one ticker for an amount, charges included', () => {
    const charged = makeAsset('A', {
      held: '0',
      charges: { BUY: [{ kind: 'FEE', rate: '0.25', fills: 3 }], SELL: [] },
    });
    const made = plan({ goal: 'invest', targets: makeTargets({ A: 100 }), amount: '500' }, '1000', [charged]);
    // 500 / (10 × 1.25) = 40 shares.
    expect(made.legs).toMatchObject([
      { quantity: '40', value: '400.00', charges: [{ kind: 'FEE', amount: '100.00', fills: 3 }], bound: '510.00' },
    ]);
    expect(made.cash.after).toBe('500.00');
  });

  test('names rounding, not the cash, where charges change no quantity', () => {
    const fee = { BUY: [{ kind: 'FEE', rate: '0.01', fills: 3 }], SELL: [] };
    const whole = [
      makeAsset('A', { held: '0', price: '150', quantityDecimals: 0, charges: fee }),
      makeAsset('B', { held: '0', price: '30', quantityDecimals: 0, charges: fee }),
    ];
    const made = plan({ goal: 'invest', targets: makeTargets({ A: 50, B: 50 }), amount: '200' }, '1000', whole);
    // 100 is 0.67 of A, and 3.33 of B; charges of 1 % leave 3.3 of B.
    expect(legsOf(made)).toEqual(['BUY 3 B']);
    expect(made.dropped).toEqual([{ ticker: 'A', side: 'BUY', value: '100.00', reason: 'rounding' }]);
    expect(made.weights.map(({ because }) => because)).toEqual(['rounding', 'rounding']);
    // 200 - 90 - 0.90.
    expect(made.left).toEqual({ amount: '109.10', because: ['rounding'] });
  });

  test('names the cash where charges take a share away', () => {
    const fee = { BUY: [{ kind: 'FEE', rate: '0.01', fills: 3 }], SELL: [] };
    const whole = [makeAsset('A', { held: '0', price: '100', quantityDecimals: 0, charges: fee })];
    const made = plan({ goal: 'invest', targets: makeTargets({ A: 100 }), amount: '100' }, '1000', whole);
    expect(made.dropped).toEqual([{ ticker: 'A', side: 'BUY', value: '100.00', reason: 'cash' }]);
    expect(made.left).toEqual({ amount: '100.00', because: ['rounding'] });
  });

  test.each<[string, Partial<PlanRequest>, string, object | undefined]>([
    ['nothing', { amount: '500' }, '1000', undefined],
    // 500 / 1.02 = 490.196…, of which 490.19 is 49.019 shares; two decimals leave 49.01.
    ['the margin of a market order', { amount: '500' }, '500', { amount: '9.90', because: ['cash', 'rounding'] }],
    // Of 500, 60 % is 300.
    [
      'a remainder of the targets',
      { amount: '500', targets: makeTargets({ A: 60 }) },
      '1000',
      { amount: '200.00', because: ['targets_reached'] },
    ],
    ['an order below the minimum', { amount: '4' }, '1000', { amount: '4.00', because: ['below_minimum'] }],
  ])('says what is left and why: %s', (_name, request, cash, left) => {
    const targets = makeTargets({ A: 100 });
    expect(plan({ goal: 'invest', targets, ...request }, cash, [makeAsset('A', { held: '0' })]).left).toEqual(left);
  });

  test('measures percentages after the plan without the charges, which are gone', () => {
    const fee = { BUY: [{ kind: 'FEE', rate: '0.25', fills: 3 }], SELL: [] };
    const charged = ['A', 'B'].map((name) => makeAsset(name, { held: '0', charges: fee }));
    const made = plan({ goal: 'invest', targets: makeTargets({ A: 60, B: 40 }), amount: '500' }, '1000', charged);
    // 500 / 1.25 = 400 of shares, and 100 of charges.
    expect(made.base).toBe('400.00');
    expect(made.weights.map(({ percentAfter }) => percentAfter)).toEqual(['60', '40']);
  });

  test('buys in proportion to what is held without targets', () => {
    expect(legsOf(plan({ goal: 'invest', amount: '100' }, '1000', assets))).toEqual([
      'BUY 60 C',
      'BUY 30 B',
      'BUY 10 A',
    ]);
  });

  test('keeps the margin of a market order within the cash', () => {
    const made = plan({ goal: 'invest', targets: makeTargets({ A: 100 }), amount: '510', keepCash: '90' }, '600', [
      makeAsset('A', { held: '0', quantityDecimals: 0 }),
    ]);
    // 510 / 1.02 = 500.
    expect(legsOf(made)).toEqual(['BUY 50 A']);
    expect(made.cash).toEqual({ before: '600.00', after: '100.00', keep: '90.00', afterAtWorst: '90.00' });
  });

  test('bounds a limit order by its limit price, rounded to the decimals of the price', () => {
    const request: PlanRequest = {
      goal: 'invest',
      targets: makeTargets({ A: 100 }),
      amount: '100',
      orderType: 'LIMIT',
      limitOffsetPercent: '1.5',
    };
    const made = plan(request, '100', [makeAsset('A', { held: '0', price: '9.9', priceDecimals: 1 })]);
    // 9.9 × 1.015 = 10.0485, down to 10.0; 100 / 10 = 10 shares, of which 100 / 9.9 would be 10.1.
    expect(made.legs).toMatchObject([{ type: 'LIMIT', quantity: '10', limitPrice: '10', bound: '100.00' }]);
  });

  test('counts prices in pence and foreign currencies at their rate', () => {
    const made = plan({ goal: 'invest', targets: makeTargets({ P: 50, U: 50 }), amount: '200' }, '1000', [
      makeAsset('P', { held: '0', price: '250', rate: '0.01' }),
      makeAsset('U', { held: '0', price: '10', rate: '0.8' }),
    ]);
    expect(legsOf(made)).toEqual(['BUY 40 P', 'BUY 12.5 U']);
  });

  test('leaves out what is held without a price', () => {
    const made = plan({ goal: 'invest', amount: '100' }, '1000', [
      makeAsset('A'),
      makeAsset('B', { price: undefined, priceFrom: undefined }),
    ]);
    expect(legsOf(made)).toEqual(['BUY 10 A']);
    expect(made.dropped).toEqual([{ ticker: 'B', side: 'BUY', value: undefined, reason: 'no_price' }]);
  });
});

describe('raise', () => {
  test('sells in proportion to what can be sold, rounded up', () => {
    const assets = [makeAsset('A', { held: '30' }), makeAsset('B', { held: '60' }), makeAsset('C', { sellable: '0' })];
    const made = plan({ goal: 'raise', amount: '100' }, '5', assets);
    // 66.666… of B is 6.67 shares, 66.70; the open 33.30 is 3.33 shares of A.
    expect(legsOf(made)).toEqual(['SELL 6.67 B', 'SELL 3.33 A']);
    expect(made.totals.sells).toBe('100.00');
    expect(made.cash.after).toBe('105.00');
  });

  test('lists orders of equal value by their tickers, and each has the decimals of its quantity', () => {
    const held = { sellable: '10', quantityDecimals: 0 };
    // What gains least is sold first, which is B.
    const assets = [
      makeAsset('A', { ...held, lots: [{ quantity: '10', cost: '10' }], quantityDecimals: 3 }),
      makeAsset('B', { ...held, lots: [{ quantity: '10', cost: '90' }] }),
    ];
    const made = plan({ goal: 'raise', amount: '200', leastGain: true }, '0', assets);
    expect(made.legs.map(({ ticker, quantity, quantityDecimals }) => [ticker, quantity, quantityDecimals])).toEqual([
      ['A', '10', 3],
      ['B', '10', 0],
    ]);
  });

  test('raises the amount after charges', () => {
    const asset = makeAsset('A', { charges: { BUY: [], SELL: [{ kind: 'FEE', rate: '0.2', fills: 1 }] } });
    const made = plan({ goal: 'raise', amount: '40' }, '0', [asset]);
    expect(legsOf(made)).toEqual(['SELL 5 A']);
    expect(made.legs).toMatchObject([{ value: '50.00', charges: [{ amount: '10.00' }], bound: '39.00' }]);
    expect(made.cash.after).toBe('40.00');
  });

  test('leaves the amount in the pennies that each order brings', () => {
    // Three shares bring 30.012 together, and 10.00 each: a penny less than the amount.
    const assets = ['A', 'B', 'C'].map((ticker) => makeAsset(ticker, { price: '10.004' }));
    const made = plan({ goal: 'raise', amount: '30.01' }, '0', assets);
    expect(legsOf(made)).toEqual(['SELL 1.01 A', 'SELL 1 B', 'SELL 1 C']);
    // 1.01 × 10.004 = 10.10404.
    expect([made.totals.sells, made.cash.after]).toEqual(['30.10', '30.10']);
    // What is enough in pennies stays as it is.
    expect(legsOf(plan({ goal: 'raise', amount: '30' }, '0', assets))).toEqual(['SELL 1 A', 'SELL 1 B', 'SELL 1 C']);
  });

  test('counts the charges of each order in pennies too', () => {
    // A charge of 0.0051 of each share is booked as a penny: two shares bring 1.98, and 1.9898 exactly.
    const charges = { BUY: [], SELL: [{ kind: 'FEE', rate: '0.0051', fills: 1 }] };
    const assets = ['A', 'B'].map((ticker) => makeAsset(ticker, { price: '1', held: '100', charges }));
    const made = plan({ goal: 'raise', amount: '1.98', minOrderValue: '0.5' }, '0', assets);
    expect([legsOf(made), made.cash.after]).toEqual([['SELL 1 A', 'SELL 1 B'], '1.98']);
    const more = plan({ goal: 'raise', amount: '1.985', minOrderValue: '0.5' }, '0', assets);
    expect([legsOf(more), more.cash.after]).toEqual([['SELL 1.01 A', 'SELL 1 B'], '1.99']);
  });

  test('says how much can be had at most, in the pennies of the orders', () => {
    const assets = ['A', 'B', 'C'].map((ticker) => makeAsset(ticker, { price: '10.004', held: '1' }));
    expect(planOrders({ goal: 'raise', amount: '30.01' }, { cash: '0' }, assets).problem).toEqual({
      code: 'amount_over_holdings',
      most: '30.00',
    });
    expect(plan({ goal: 'raise', amount: '30' }, '0', assets).totals.sells).toBe('30.00');
  });

  test('sells the largest excess over the targets first', () => {
    const assets = [makeAsset('A', { held: '50' }), makeAsset('B', { held: '40' }), makeAsset('C', { held: '10' })];
    const targets = makeTargets({ A: 25, B: 25, C: 50 });
    // Of the 800 that stay, A is to be 200 and B 200: excesses of 300 and 200.
    expect(legsOf(plan({ goal: 'raise', targets, amount: '200' }, '0', assets))).toEqual(['SELL 20 A']);
    expect(
      plan({ goal: 'raise', targets, amount: '200' }, '0', assets).weights.map((row) => row.percentTarget),
    ).toEqual(['25', '25', '50']);
    // Of the 600 that stay, 150 and 150: A sells its excess of 350, and B the other 50.
    expect(legsOf(plan({ goal: 'raise', targets, amount: '400' }, '0', assets))).toEqual(['SELL 35 A', 'SELL 5 B']);
  });

  test('sells the largest excess first, whatever its name, and after all of it the largest rest', () => {
    const targets = makeTargets({ A: 25, B: 25, C: 30, D: 20 });
    const more = (sellable: Partial<Record<'A' | 'B', string>>) => [
      makeAsset('A', { held: '40', sellable: sellable.A ?? '40' }),
      makeAsset('B', { held: '45', sellable: sellable.B ?? '45' }),
      makeAsset('C', { held: '10' }),
      makeAsset('D', { held: '5' }),
    ];
    // Of the 900 that stay, A and B are to be 225 each: excesses of 175 and 225.
    expect(legsOf(plan({ goal: 'raise', targets, amount: '100' }, '0', more({})))).toEqual(['SELL 10 B']);
    // 20 and 30 can be sold of them; the other 50 come from C, although it is below its target.
    const scarce = more({ A: '2', B: '3' });
    expect(legsOf(plan({ goal: 'raise', targets, amount: '100' }, '0', scarce))).toEqual([
      'SELL 5 C',
      'SELL 3 B',
      'SELL 2 A',
    ]);
  });

  test('sells nothing of what is worth less than the minimum, or brings nothing after its charges', () => {
    const assets = [
      makeAsset('A', { held: '0.4' }),
      makeAsset('B', { charges: { BUY: [], SELL: [{ kind: 'FEE', rate: '1', fills: 1 }] } as never }),
      makeAsset('C', { held: '5' }),
    ];
    expect(legsOf(plan({ goal: 'raise', amount: '20' }, '0', assets))).toEqual(['SELL 2 C']);
  });

  test('raises a part of a penny by the next penny', () => {
    // 1.0004 shares would bring 10.004, which is booked as 10.00.
    const fine = [makeAsset('A', { quantityDecimals: 4 })];
    expect(legsOf(plan({ goal: 'raise', amount: '10.004' }, '0', fine))).toEqual(['SELL 1.0014 A']);
  });

  test('sells one share instead of a fraction of each when quantities are whole', () => {
    const dear = ['A', 'B', 'C'].map((name) => makeAsset(name, { price: '100', quantityDecimals: 0 }));
    expect(legsOf(plan({ goal: 'raise', amount: '30' }, '0', dear))).toEqual(['SELL 1 A']);
  });

  test('breaks a tie by ticker, whatever the order of the assets', () => {
    const assets = ['C', 'A', 'B'].map((name) => makeAsset(name, { price: '100', quantityDecimals: 0 }));
    expect(legsOf(plan({ goal: 'raise', amount: '150' }, '0', assets))).toEqual(['SELL 1 A', 'SELL 1 B']);
  });

  test('makes every sale worth the minimum', () => {
    const assets = ['A', 'B', 'C'].map((name) => makeAsset(name));
    expect(legsOf(plan({ goal: 'raise', amount: '9' }, '0', assets))).toEqual(['SELL 0.5 A', 'SELL 0.5 B']);
  });

  test('sells the lots with the least gain first', () => {
    const assets = [
      // A gain of 5 per share, then a loss of 15: together a loss of 5 per share.
      makeAsset('A', {
        lots: [
          { quantity: '5', cost: '25' },
          { quantity: '5', cost: '125' },
        ],
      }),
      // A loss of 2 per share.
      makeAsset('B', { lots: [{ quantity: '10', cost: '120' }] }),
      makeAsset('C'),
    ];
    const request: PlanRequest = { goal: 'raise', leastGain: true, amount: '120' };
    const made = plan(request, '0', assets);
    expect(legsOf(made)).toEqual(['SELL 10 A', 'SELL 2 B']);
    expect(made.dropped).toEqual([{ ticker: 'C', side: 'SELL', value: undefined, reason: 'cost_unknown' }]);
  });
});

describe('requests without a plan', () => {
  const assets = [makeAsset('A'), makeAsset('B', { price: undefined }), makeAsset('C', { rate: undefined })];
  // Ten shares of it are worth 99.996.
  const fine = makeAsset('E', { price: '9.9996' });

  test.each<[string, PlanRequest, object]>([
    [
      'weights over 100',
      { goal: 'rebalance', targets: makeTargets({ A: 60, D: 40.5 }) },
      { code: 'weights_over_100', total: '100.5' },
    ],
    [
      'a ticker twice',
      { goal: 'invest', amount: '1', targets: [...makeTargets({ A: 1 }), ...makeTargets({ A: 2 })] },
      { code: 'duplicate_target', ticker: 'A' },
    ],
    [
      'an unknown ticker',
      { goal: 'rebalance', targets: makeTargets({ D: 40 }) },
      { code: 'unknown_asset', ticker: 'D' },
    ],
    ['no price', { goal: 'rebalance', targets: makeTargets({ A: 1, B: 40 }) }, { code: 'no_price', ticker: 'B' }],
    [
      'no exchange rate',
      { goal: 'rebalance', targets: makeTargets({ A: 1, C: 40 }) },
      { code: 'no_rate', ticker: 'C' },
    ],
    ['no targets', { goal: 'rebalance' }, { code: 'targets_missing', goal: 'rebalance' }],
    ['no target at all', { goal: 'invest', amount: '5', targets: [] }, { code: 'targets_missing', goal: 'invest' }],
    [
      'a ticker twice, with others between',
      { goal: 'invest', amount: '1', targets: ['B', 'A', 'C', 'A'].map((ticker) => ({ ticker, weightPercent: '1' })) },
      { code: 'duplicate_target', ticker: 'A' },
    ],
    [
      'two unknown tickers: the first by name',
      { goal: 'rebalance', targets: makeTargets({ Y: 1, X: 1 }) },
      { code: 'unknown_asset', ticker: 'X' },
    ],
    [
      'two unknown tickers in the other order',
      { goal: 'rebalance', targets: makeTargets({ X: 1, Y: 1 }) },
      { code: 'unknown_asset', ticker: 'X' },
    ],
    ['no amount', { goal: 'invest' }, { code: 'amount_missing', goal: 'invest' }],
    [
      'a raise without sells',
      { goal: 'raise', amount: '5', allowSells: false },
      { code: 'goal_needs_sells', goal: 'raise' },
    ],
    [
      'an amount over cash',
      { goal: 'invest', amount: '450.01', keepCash: '50' },
      { code: 'amount_over_cash', most: '450.00' },
    ],
    [
      'an amount over what can be sold',
      { goal: 'raise', amount: '100.01' },
      { code: 'amount_over_holdings', most: '100.00' },
    ],
    [
      'an amount over what can be sold, whose most is rounded down',
      { goal: 'raise', amount: '150', targets: makeTargets({ E: 100 }) },
      { code: 'amount_over_holdings', most: '99.99' },
    ],
    [
      '31 targets',
      { goal: 'rebalance', targets: Array.from({ length: 31 }, (_, n) => ({ ticker: `T${n}`, weightPercent: '1' })) },
      { code: 'too_many_targets', most: 30 },
    ],
    [
      'a limit price of zero',
      {
        goal: 'invest',
        amount: '5',
        targets: makeTargets({ A: 100 }),
        orderType: 'LIMIT',
        limitOffsetPercent: '-99.99',
      },
      { code: 'limit_offset_too_large', ticker: 'A' },
    ],
  ])('returns the problem: %s', (_name, request, problem) => {
    expect(problemOf(request, '500', request.targets?.[0]?.ticker === 'E' ? [fine] : assets)).toEqual(problem);
  });

  test('accepts as many as 30 targets, and refuses limit prices of a whole price away', () => {
    const targets = Array.from({ length: 30 }, (_, n) => ({ ticker: `T${n}`, weightPercent: '1' }));
    expect(problemOf({ goal: 'rebalance', targets }, '500', [])).toEqual({ code: 'unknown_asset', ticker: 'T0' });
    const limit = { goal: 'rebalance', targets: makeTargets({ A: 100 }), orderType: 'LIMIT' } as const;
    for (const limitOffsetPercent of ['100', '-100'])
      expect(problemOf({ ...limit, limitOffsetPercent }, '500', assets)).toEqual({ code: 'limit_offset_too_large' });
    for (const limitOffsetPercent of ['99.9', '-99.8'])
      expect(problemOf({ ...limit, limitOffsetPercent }, '500', assets)).toBeUndefined();
  });

  test('refuses an assumed price for a market order where only a limit order bounds it', () => {
    const request: PlanRequest = { goal: 'invest', amount: '50', targets: makeTargets({ A: 100 }) };
    const strict = { ...request, limitsAssumedPrices: true };
    const assumed = [makeAsset('A', { held: '0', priceFrom: 'assumed' })];
    const problem = { code: 'assumed_price_needs_limit', ticker: 'A' };
    expect(problemOf(strict, '500', assumed)).toEqual(problem);
    expect(problemOf({ ...strict, orderType: 'MARKET' }, '500', assumed)).toEqual(problem);
    expect(problemOf({ ...strict, orderType: 'LIMIT' }, '500', assumed)).toBeUndefined();
    expect(problemOf(request, '500', assumed)).toBeUndefined();
    expect(problemOf(strict, '500', [makeAsset('A')])).toBeUndefined();
    expect(plan(request, '500', assumed).legs.map(({ priceFrom }) => priceFrom)).toEqual(['assumed']);
    const unsaid = [makeAsset('A', { priceFrom: undefined })];
    expect(plan(request, '500', unsaid).legs.map(({ priceFrom }) => priceFrom)).toEqual(['position']);
  });

  test('a limit price that is rounded to nothing is a problem for what it is bought at, not sold at', () => {
    // 0.004: a purchase is rounded down to 0.00, a sale up to 0.01.
    const tiny = [makeAsset('A', { held: '1000', price: '0.004' })];
    const limit = { orderType: 'LIMIT', targets: makeTargets({ A: 50 }), minOrderValue: '0' } as const;
    expect(problemOf({ ...limit, goal: 'raise', amount: '1' }, '500', tiny)).toBeUndefined();
    expect(problemOf({ ...limit, goal: 'invest', amount: '1' }, '500', tiny)).toEqual({
      code: 'limit_offset_too_large',
      ticker: 'A',
    });
  });

  test('returns that nothing is held', () => {
    expect(problemOf({ goal: 'raise', amount: '5' }, '500', [makeAsset('A', { held: '0' })])).toEqual({
      code: 'nothing_held',
    });
    expect(problemOf({ goal: 'raise', amount: '5' }, '500', [])).toEqual({ code: 'nothing_held' });
  });
});

test('without targets, what is held without a price or value is left out, on the side of the goal', () => {
  const assets = [
    makeAsset('A'),
    makeAsset('none', { held: '0', price: undefined }),
    makeAsset('unknown', { price: undefined }),
    makeAsset('worthless', { price: '0' }),
  ];
  for (const [goal, side] of [
    ['raise', 'SELL'],
    ['invest', 'BUY'],
  ] as const)
    expect(plan({ goal, amount: '20' }, '500', assets).dropped).toEqual(
      ['unknown', 'worthless'].map((ticker) => ({ ticker, side, value: undefined, reason: 'no_price' })),
    );
});

test('legs are sells and then buys, each the largest first, with what is needed from the sells', () => {
  const assets = [
    makeAsset('A', { held: '30' }),
    makeAsset('B', { held: '50' }),
    makeAsset('C', { held: '10' }),
    makeAsset('D', { held: '10', charges: { BUY: undefined, SELL: [] } }),
  ];
  const targets = makeTargets({ A: 20, B: 30, C: 30, D: 20 });
  // 1,000: A sells 100, B 200, C and D buy 200 and 100; 205 in cash cover the 204 that C takes at most.
  const made = plan({ goal: 'rebalance', targets }, '205', assets);
  expect(legsOf(made)).toEqual(['SELL 20 B', 'SELL 10 A', 'BUY 20 C', 'BUY 10 D']);
  expect(made.legs.map(({ type, dependsOnSells, chargesKnown }) => [type, dependsOnSells, chargesKnown])).toEqual([
    ['MARKET', false, true],
    ['MARKET', false, true],
    ['MARKET', false, true],
    ['MARKET', true, false],
  ]);
  expect(made.chargesKnown).toBe(false);
  expect(made.totals).toEqual({ buys: '300.00', sells: '300.00', charges: '0.00' });
});

test('plans at most 30 tickers without targets, the largest', () => {
  const held = Array.from({ length: 32 }, (_, n) =>
    makeAsset(`T${String(n).padStart(2, '0')}`, { held: String(n + 1) }),
  );
  const made = plan({ goal: 'invest', amount: '5000' }, '9000', held);
  expect(made.legs).toHaveLength(30);
  expect(made.dropped).toEqual([
    { ticker: 'T00', side: 'BUY', value: undefined, reason: 'leg_limit' },
    { ticker: 'T01', side: 'BUY', value: undefined, reason: 'leg_limit' },
  ]);
});

test.each<[string, PlanRequest, object]>([
  [
    'the arguments before the cash',
    { goal: 'invest', amount: '2000', targets: [...makeTargets({ A: 10 }), ...makeTargets({ A: 20 })] },
    { code: 'duplicate_target', ticker: 'A' },
  ],
  ['the targets before the amount', { goal: 'raise', targets: [] }, { code: 'targets_missing', goal: 'raise' }],
])('of two problems the first is named: %s', (_, request, expected) => {
  expect(problemOf(request, '1', [makeAsset('A')])).toEqual(expected);
});

test('what the targets leave is named beside what rounding leaves', () => {
  // Half of 100 is for B, of which one share of 30 is bought: 50 are left by the target, and 20 by rounding.
  const whole = [makeAsset('B', { held: '0', price: '30', quantityDecimals: 0 })];
  const request: PlanRequest = { goal: 'rebalance', targets: makeTargets({ B: 50 }), amount: '100' };
  expect(plan(request, '1000', whole).left).toEqual({ amount: '70.00', because: ['targets_reached', 'rounding'] });
});

test('a sale of shares that cannot be sold is listed with the value that the goal asks for', () => {
  const stuck = [makeAsset('A', { held: '30', sellable: '0' }), makeAsset('B')];
  const { dropped } = plan({ goal: 'rebalance', targets: makeTargets({ A: 50, B: 50 }) }, '0', stuck);
  expect(dropped).toContainEqual({ ticker: 'A', side: 'SELL', value: '100.00', reason: 'not_sellable' });
});

describe('a raise sells', () => {
  const raise = (amount: string, change: Partial<PlanAsset>, targets?: PlanRequest['targets']) =>
    plan({ goal: 'raise', amount, targets }, '0', [makeAsset('A', change)]);
  const charged = { BUY: [], SELL: [{ kind: 'FEE', rate: '0.1', fills: 1 }] };

  test.each<[string, string, Partial<PlanAsset>, string]>([
    // Five is the least value of an order, before charges.
    ['what is worth the minimum before its charges', '4.5', { held: '0.5', charges: charged }, 'SELL 0.5 A'],
    ['a part of a share that is worth the minimum', '5', { held: '0.5' }, 'SELL 0.5 A'],
    ['no more where what is left is worth the minimum', '80', { held: '100', price: '1' }, 'SELL 80 A'],
  ])('%s', (_, amount, change, leg) => {
    expect(legsOf(raise(amount, change))).toEqual([leg]);
  });

  // Percentages after a raise are of what the amount leaves of the holdings.
  test.each([
    ['the amount leaves nothing', '200', '0'],
    ['the amount leaves a part, though all is sold', '195', '50'],
  ])('everything where %s', (_, amount, percentTarget) => {
    const whole = { held: '1', price: '100', quantityDecimals: 0 };
    const assets = [makeAsset('A', whole), makeAsset('B', whole)];
    const made = plan({ goal: 'raise', amount, targets: makeTargets({ A: 50, B: 50 }) }, '0', assets);
    expect(legsOf(made)).toEqual(['SELL 1 A', 'SELL 1 B']);
    expect(made.weights.map((weight) => weight.percentTarget)).toEqual([percentTarget, percentTarget]);
  });
});

describe('with weights over several accounts', () => {
  const request: PlanRequest = { goal: 'rebalance', targets: makeTargets({ A: 50, B: 50 }), minOrderValue: '1' };
  const planOver = (assets: readonly PlanAsset[], cashOfAll: string, changes: Partial<PlanRequest> = {}) => {
    const { plan: made } = planOrders({ ...request, ...changes }, { cash: '50', cashOfAll }, assets);
    if (!made) throw new Error('no plan');
    return made;
  };

  test('shares in pies and shares elsewhere have different reasons', () => {
    // A is worth 100 + 100, B nothing, and cash is 100: a target is 150, so 5 shares of A are to be sold.
    const inPies = planOver([makeAsset('A', { elsewhere: '10', sellable: '0' }), makeAsset('B', { held: '0' })], '100');
    const stuck = { ticker: 'A', side: 'SELL', value: '50.00' };
    expect(inPies.dropped).toContainEqual({ ...stuck, reason: 'not_sellable' });
    expect(inPies.heldElsewhere).toEqual([]);
    const away = planOver([makeAsset('A', { held: '0', elsewhere: '20' }), makeAsset('B', { held: '0' })], '100');
    expect(away.dropped).toContainEqual({ ...stuck, reason: 'in_other_account' });
    expect(away.heldElsewhere).toEqual([{ ticker: 'A', value: '50.00' }]);
  });

  test('a sale leaves no remnant of its own account, whatever is elsewhere', () => {
    // Of 200, A has 199 and should have 100: 9.9 of its 10 shares here would be sold, and 1.00 would be left.
    const assets = [makeAsset('A', { held: '10', elsewhere: '9.9' }), makeAsset('B', { held: '0.1' })];
    const { legs } = planOver(assets, '0', { targets: makeTargets({ A: 50, B: 50 }), minOrderValue: '2' });
    expect(legs[0]).toMatchObject({ ticker: 'A', side: 'SELL', quantity: '10' });
  });

  test('an account with nothing beside it is planned as alone, where no cash counts', () => {
    const assets = [makeAsset('A'), makeAsset('B', { held: '4' })];
    const beside = assets.map((asset) => ({ ...asset, elsewhere: '0' }));
    const { plan: alone } = planOrders(request, { cash: '50' }, assets);
    expect(planOver(beside, '0')).toEqual(alone);
  });
});
