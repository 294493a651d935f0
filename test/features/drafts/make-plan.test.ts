/** A plan for an account: what is read for it, what surrounds it, and why there is none. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../src/core/broker/types.ts';
import type { BrokerageError } from '../../../src/core/errors.ts';
import { makePlan, type PlanQuestion } from '../../../src/features/drafts/make-plan.ts';
import { buy, sell } from '../gains/trades.ts';
import { makeTargets } from '../planner/support.ts';
import { asOf, now, openPlanWorld, type PlanWorld, since } from './plan-world.ts';

const context: CallContext = { priority: 'read', deadlineAt: now + 50_000 };
const options = { context: { ...context, waitUntil: now + 5_000 } };

const plan = (question: PlanQuestion, world: PlanWorld = {}) =>
  makePlan(openPlanWorld(world).deps, question, context, options);
const legsOf = ({ plan: { legs } }: Awaited<ReturnType<typeof plan>>) =>
  legs.map(({ side, quantity, ticker }) => `${side} ${quantity} ${ticker}`);
const failure = async (question: PlanQuestion, world: PlanWorld) =>
  plan(question, world).catch(({ code, facts }: BrokerageError) => ({ code, facts }));

const tenEach = { A: [10, '10'], B: [10, '10'] } as const;
const invest = { goal: 'invest', amount: '50' } as const;
const raise = { goal: 'raise', amount: '50' } as const;

describe('what surrounds a plan', () => {
  test('its prices, the currency and the time of the account, and how many holdings it leaves alone', async () => {
    const targets = makeTargets({ A: 100 });
    const made = await plan({ ...invest, targets }, { held: { ...tenEach, C: [1, '4'] } });
    expect(legsOf(made)).toEqual(['BUY 5 A']);
    expect([...made.prices]).toEqual([['A', '10']]);
    const { currency, untouched, assumed, opposed, year } = made;
    expect({ currency, untouched, assumed, opposed, year, asOf: made.asOf }).toEqual({
      ...{ currency: 'GBP', untouched: 2, assumed: [], opposed: [], year: undefined, asOf },
    });
    expect([...made.whatIf]).toEqual([]);
    expect(made.history.version).toBe('orders');
  });

  test('a plan of everything that is held leaves nothing alone', async () => {
    const made = await plan(invest, { held: tenEach });
    expect([...made.prices]).toEqual([
      ['A', '10'],
      ['B', '10'],
    ]);
    expect(made.untouched).toBe(0);
  });

  test('the fills are read after the newest own order, and the dividends at any age', async () => {
    const { deps, asked } = openPlanWorld({ held: tenEach });
    await makePlan(deps, invest, context, options);
    expect(asked).toEqual([
      ['account', context],
      ['orders', { context: { ...options.context, notBefore: since } }],
      ['dividends', options],
    ]);
  });

  test('open orders in the other direction are named with their side and number', async () => {
    const open = { 'SELL A': 2, 'BUY A': 1, 'BUY B': 3 };
    const made = await plan({ ...invest, targets: makeTargets({ A: 100 }) }, { held: tenEach, open });
    expect(made.opposed).toEqual([{ ticker: 'A', side: 'SELL', orders: 2 }]);
    const sold = await plan({ ...raise, targets: makeTargets({ A: 0 }) }, { held: tenEach, open });
    expect(sold.opposed).toEqual([{ ticker: 'A', side: 'BUY', orders: 1 }]);
  });

  test('each sale has what it would realise after charges, and the year has all of them', async () => {
    const charges = [{ name: 'FEE', amount: new Big('0.5'), currency: 'GBP' }];
    // A fill of 50 pounds was charged one percent.
    const trades = [buy('2020-01-06', 15, 90), sell('2026-01-02', 5, '49.5', { charges })];
    const made = await plan({ goal: 'raise', amount: '49.5' }, { held: { A: [10, '10'] }, trades, taxZone: 'UTC' });
    expect(legsOf(made)).toEqual(['SELL 5 A']);
    expect([...made.whatIf]).toEqual([
      [
        'A',
        expect.objectContaining({
          method: 'average',
          proceeds: '49.50',
          cost: '30.00',
          gain: '19.50',
          taxYear: '2026',
        }),
      ],
    ]);
    expect(made.year).toEqual({ taxYear: '2026', yearGainBefore: '19.50', yearGainAfter: '39.00' });
  });

  test('the year is that of the moment in the zone of the owner', async () => {
    const trades = [buy('2020-01-06', 10, 60)];
    const london = await plan(raise, { held: { A: [10, '10'] }, trades });
    expect(london.year).toEqual({ yearSince: '2025-04-06', yearGainBefore: '0.00', yearGainAfter: '20.00' });
  });
});

describe('a price', () => {
  const targets = makeTargets({ B: 100 });
  const bought = (when: string, change: object = {}) => buy(when, 2, 8, { ticker: 'B', price: new Big(5), ...change });
  const question = { goal: 'invest', amount: '80', targets } as const;

  test.each([
    ['the newest of two', [bought('2026-01-05'), bought('2026-01-06', { price: new Big(4) })], '4'],
    ['less than 30 days old', [bought('2025-12-16T12:00:00.001Z')], '5'],
    ['in pounds of pence', [bought('2026-01-05', { price: new Big('5.50') })], '5.5'],
  ])('of a ticker that is not held is that of an own fill: %s', async (_, trades, price) => {
    const made = await plan(question, { trades });
    expect([...made.prices]).toEqual([['B', price]]);
    expect(made.plan.legs[0]?.priceFrom).toBe('fill');
  });

  test.each([
    ['is 30 days old', [bought('2025-12-16T12:00:00Z')]],
    ['is of another ticker', [bought('2026-01-05', { ticker: 'A' })]],
    ['has no price', [bought('2026-01-05', { price: undefined })]],
    ['has a price of zero', [bought('2026-01-05', { price: new Big(0) })]],
  ])('of a fill that %s is none, and the error names the currency of the ticker', async (_, trades) => {
    expect(await failure(question, { trades, currencies: { B: 'GBX' } })).toEqual({
      code: 'no_price',
      facts: { problem: 'no_price', ticker: 'B', priceCurrency: 'GBX' },
    });
  });

  test.each([
    [invest, 'which bounds what is paid'],
    [raise, 'which bounds what the sale brings'],
  ])('that is missing is asked for with the words of the goal: $0.goal', async (goal, words) => {
    await expect(plan({ ...goal, targets })).rejects.toMatchObject({ next: expect.stringContaining(words) });
  });

  test('in a foreign currency has the rate of the fill', async () => {
    // Two shares at 5 dollars were 8 pounds.
    const made = await plan(question, {
      trades: [bought('2026-01-05', { currency: 'USD' })],
      currencies: { B: 'USD' },
    });
    expect(legsOf(made)).toEqual(['BUY 20 B']);
    for (const fill of [bought('2026-01-05'), bought('2026-01-05', { currency: 'USD', netValue: undefined })])
      expect(await failure(question, { trades: [fill], currencies: { B: 'USD' } })).toMatchObject({
        facts: { problem: 'no_rate' },
      });
  });

  test('that the caller assumes is named with its currency, and used where no other is known', async () => {
    const assumedPrices = [
      { ticker: 'B', price: '2000' },
      { ticker: 'A', price: '7' },
    ];
    const asked = { ...question, targets: makeTargets({ A: 50, B: 50 }), assumedPrices };
    const made = await plan(asked, { held: { A: [1, '10'] }, currencies: { B: 'GBX' } });
    expect(legsOf(made).toSorted()).toEqual(['BUY 2 B', 'BUY 3 A']);
    expect(made.assumed).toEqual([{ ticker: 'B', price: '2000', currency: 'GBX' }]);
  });

  test('that the caller assumes sizes only a limit order with live money', async () => {
    const asked = { ...question, assumedPrices: [{ ticker: 'B', price: '20' }] };
    expect(legsOf(await plan(asked, {}))).toEqual(['BUY 4 B']);
    expect(await failure(asked, { environment: 'live' })).toMatchObject({
      facts: { problem: 'assumed_price_needs_limit', ticker: 'B' },
    });
    expect(legsOf(await plan({ ...asked, orderType: 'LIMIT' }, { environment: 'live' }))).toEqual(['BUY 4 B']);
  });
});

describe('a raise by gain', () => {
  // Five shares of A would gain 5, of B 45.
  const trades = [buy('2020-01-06', 10, 90), buy('2020-01-06', 10, 10, { ticker: 'B' })];
  const byGain = { ...raise, method: 'fifo' } as const;

  test('sells what gains least, and without a method in proportion', async () => {
    const made = await plan(byGain, { held: tenEach, trades });
    expect(legsOf(made)).toEqual(['SELL 5 A']);
    expect(made.whatIf.get('A')).toMatchObject({ method: 'fifo', gain: '5.00' });
    expect(legsOf(await plan({ ...raise, amount: '40' }, { held: tenEach, trades }))).toEqual(['SELL 2 A', 'SELL 2 B']);
  });

  test('sells nothing whose cost is unknown, and says so when the rest is not enough', async () => {
    const known = trades.slice(0, 1);
    const world = { held: { ...tenEach, C: [0, '1'] }, trades: known } as const;
    expect(await failure({ ...byGain, amount: '150' }, world)).toEqual({
      code: 'amount_over_holdings',
      facts: { problem: 'amount_over_holdings', most: '100.00', costUnknown: ['B'] },
    });
    await expect(plan({ ...byGain, amount: '150' }, world)).rejects.toThrow(
      'Selling everything that can be sold brings about £100.00 after charges, which is less than the amount. The cost of B is unknown, so it is not ranked by its gain and not sold.',
    );
    expect(await failure({ ...raise, amount: '250' }, world)).toEqual({
      code: 'amount_over_holdings',
      facts: { problem: 'amount_over_holdings', most: '200.00' },
    });
  });

  test.each<[string, object, { next: string; facts: object }]>([
    [
      'is being read',
      { reading: true, nextPageInSeconds: 40 },
      { next: 'It is being read: call plan_orders again in 40 s', facts: { retryAfterSeconds: 40 } },
    ],
    ['is not being read', {}, { next: 'Call fetch_history with kind orders until it is complete', facts: {} }],
  ])('needs the whole history: when it %s', async (_, coverage, { next, facts }) => {
    const missing = ['It begins on 2024-01-01.'];
    const world = { held: tenEach, trades, coverage: { complete: false, missing, ...coverage } };
    expect(await failure(byGain, world)).toStrictEqual({ code: 'history_incomplete', facts: { missing, ...facts } });
    await expect(plan(byGain, world)).rejects.toThrow(
      expect.objectContaining({ next: `${next}, or omit method to sell in proportion.` }),
    );
    expect(legsOf(await plan({ ...raise, amount: '40' }, world))).toEqual(['SELL 2 A', 'SELL 2 B']);
  });
});

test('a problem that the rest of the history can solve says that it is not complete', async () => {
  const world = { held: tenEach, coverage: { complete: false } };
  expect(await failure({ ...raise, amount: '250' }, world)).toMatchObject({
    code: 'amount_over_holdings',
    facts: { most: '200.00', complete: false },
  });
});

test.each<[string, PlanQuestion, PlanWorld, object]>([
  ['the cash is unknown', invest, { held: tenEach, cash: undefined }, { code: 'unexpected_answer' }],
  [
    'a target does not exist',
    { ...invest, targets: makeTargets({ X: 100 }) },
    { held: tenEach },
    { code: 'unknown_ticker' },
  ],
  ['nothing is held', invest, {}, { facts: { problem: 'nothing_held' } }],
  ['what is held is not listed any more', invest, { held: { X: [1, '10'] } }, { facts: { problem: 'nothing_held' } }],
  [
    'the amount is more than the cash',
    { ...invest, amount: '2000' },
    { held: tenEach },
    { code: 'amount_over_cash', facts: { problem: 'amount_over_cash', most: '1000.00' } },
  ],
])('there is no plan when %s', async (_, question, world, expected) => {
  expect(await failure(question, world)).toMatchObject(expected);
});
