/** The sentences of a plan: they name its amounts and every reason. */
import { expect, test } from 'vitest';
import type { AssessedLeg } from '../../../src/features/drafts/assess-draft.ts';
import { describePlan, planNextStep } from '../../../src/features/drafts/describe-plan.ts';
import { toPlanError } from '../../../src/features/drafts/plan-errors.ts';
import { planOrders } from '../../../src/features/planner/build-plan.ts';
import type {
  AssumedPrice,
  LeftReason,
  Plan,
  PlanAsset,
  PlanRequest,
} from '../../../src/features/planner/plan-types.ts';
import { makeAsset, makeTargets } from '../planner/support.ts';

function describe(
  request: PlanRequest,
  cash: string,
  assets: readonly PlanAsset[],
  gains: Readonly<Record<string, string | undefined>> = {},
  assumed: readonly AssumedPrice[] = [],
): string {
  const { plan } = planOrders(request, { cash }, assets);
  if (!plan) throw new Error('There is no plan.');
  const whatIf = new Map(Object.entries(gains).map(([ticker, gain]) => [ticker, { method: 'fifo', gain } as const]));
  const method = request.leastGain ? ('fifo' as const) : undefined;
  return describePlan({ question: { ...request, method }, plan, currency: 'GBP', assumed, whatIf });
}

const fee = { BUY: [{ kind: 'FEE', rate: '0.01', fills: 3 }], SELL: [] };

test('what is bought, charged and left adds up to the amount', () => {
  const whole = [makeAsset('B', { held: '0', price: '30', quantityDecimals: 0, charges: fee })];
  const said = describe({ goal: 'invest', targets: makeTargets({ B: 100 }), amount: '100' }, '1000', whole);
  // Three of 30, 1 % of charges, and the rest of 100.
  for (const amount of ['£90.00', '£0.90', '£9.10']) expect(said).toContain(amount);
});

test.each<[string, PlanAsset['charges']['BUY'], PlanAsset['charges']['BUY'], string, string]>([
  ['none are expected', [], [], 'no charges expected', 'unknown'],
  ['all are known', fee.BUY, [], 'charges of about', 'unknown'],
  ['some are unknown', fee.BUY, undefined, 'unknown for 1 order', 'no charges'],
  ['some are unknown, and the others none', [], undefined, 'unknown for 1 order', 'charges of'],
  ['all are unknown', undefined, undefined, 'charges unknown', 'no charges'],
])('charges are named as far as fills show them: %s', (_name, a, b, said, notSaid) => {
  const assets = [a, b].map((BUY, at) => makeAsset('AB'.charAt(at), { held: '0', charges: { BUY, SELL: [] } }));
  const text = describe({ goal: 'invest', targets: makeTargets({ A: 60, B: 40 }), amount: '100' }, '1000', assets);
  expect(text).toContain(said);
  expect(text).not.toContain(notSaid);
});

test('a raise before charges that no fill shows says so', () => {
  const unknown = [makeAsset('A', { charges: { BUY: [], SELL: undefined } })];
  expect(describe({ goal: 'raise', amount: '40' }, '0', unknown)).toContain('£40.00 before the unknown charges');
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['the sum of the losses and gains', { A: '-750.50', B: '13.50' }, 'a loss of £737.00 (method fifo)'],
  ['a gain', { A: '20.00' }, 'a gain of £20.00 (method fifo)'],
  ['that one of them is unknown', { A: '20.00', B: undefined }, 'is unknown'],
  ['that the first of them is unknown', { A: undefined, B: '20.00' }, 'is unknown'],
])('the sentence of a sale has what it would realise: %s', (_name, gains, said) => {
  const assets = Object.keys(gains).map((ticker) => makeAsset(ticker));
  expect(describe({ goal: 'raise', amount: '40' }, '0', assets, gains)).toContain(said);
});

test('a raise names what it brings after charges', () => {
  const sold = [makeAsset('A', { charges: { BUY: [], SELL: [{ kind: 'FEE', rate: '0.2', fills: 1 }] } })];
  // Five shares of 10, less 20 %.
  const said = describe({ goal: 'raise', amount: '40' }, '0', sold);
  for (const amount of ['£50.00', '£10.00', '£40.00']) expect(said).toContain(amount);
});

test.each<[string, PlanRequest, string]>([
  [
    'minOrderValue',
    { goal: 'invest', targets: makeTargets({ A: 100 }), amount: '2' },
    'below the least value of an order',
  ],
  ['allowSells', { goal: 'rebalance', targets: makeTargets({ A: 40 }), allowSells: false }, 'no sales are allowed'],
])('names %s where it left an order out', (_name, request, reason) => {
  expect(describe(request, '1000', [makeAsset('A')])).toContain(reason);
});

test.each<[string, Partial<PlanRequest>, string]>([
  [
    'in proportion',
    {},
    'The sells are in proportion to all holdings that can be sold; a method would sell what gains least first.',
  ],
  ['by targets', { targets: makeTargets({ A: 100 }) }, 'What is most above its target is sold first.'],
  ['by gain', { leastGain: true }, 'What gains least for its proceeds is sold first (method fifo).'],
])('a raise says how the sells were chosen: %s', (_name, request, said) => {
  const assets = [makeAsset('A', { lots: [{ quantity: '10', cost: '90' }] })];
  expect(describe({ goal: 'raise', amount: '40', ...request }, '0', assets)).toContain(said);
  expect(describe({ goal: 'rebalance', targets: makeTargets({ A: 40 }) }, '0', assets)).not.toContain('sold first');
});

test.each<[string, PlanRequest, readonly PlanAsset[], string]>([
  [
    'a fund above its target',
    { goal: 'invest', targets: makeTargets({ A: 40, B: 40, C: 20 }), amount: '20' },
    [makeAsset('A'), makeAsset('B'), makeAsset('C')],
    'No order for C: the ticker is above its target.',
  ],
  [
    'a fund whose order would be too small',
    { goal: 'invest', targets: makeTargets({ A: 49, B: 49, C: 2 }), amount: '100' },
    ['A', 'B', 'C'].map((ticker) => makeAsset(ticker, { held: '0' })),
    'No order for C: an order would be below the least value of an order.',
  ],
  [
    'funds within the band, and one at its target',
    { goal: 'rebalance', targets: makeTargets({ A: 50, B: 25, C: 25 }), band: '30' },
    [makeAsset('A', { held: '60' }), makeAsset('B', { held: '15' }), makeAsset('C', { held: '25' })],
    'No order for A, B: the deviation is within the band. No order for C: the ticker is at its target.',
  ],
])('names %s that gets no order', (_name, request, assets, said) => {
  expect(describe(request, '1000', assets)).toContain(said);
});

test('a raise does not name what it leaves alone', () => {
  const assets = [makeAsset('A'), makeAsset('B')];
  const targets = makeTargets({ A: 20, B: 80 });
  expect(describe({ goal: 'raise', amount: '40', targets }, '0', assets)).not.toContain('No order');
});

test.each(['amount_over_cash', 'amount_over_holdings'] as const)('the amounts of %s have a currency', (code) => {
  const { message, next, facts } = toPlanError({ code, most: '450.00' }, 'BUY', 'GBP');
  expect([message, next].map((text) => text?.match(/£?450\.00/)?.[0])).toEqual(['£450.00', '£450.00']);
  expect(facts).toMatchObject({ problem: code, most: '450.00' });
});

test('an order that the amount does not pay for is said to lack the amount, not only the cash', () => {
  const whole = [makeAsset('A', { held: '0', price: '100', quantityDecimals: 0, charges: fee })];
  const said = describe({ goal: 'invest', targets: makeTargets({ A: 100 }), amount: '100' }, '1000', whole);
  expect(said).toContain('the amount');
});

test.each<[string, string | undefined, string]>([
  ['pence, with the pounds', 'GBX', '520.00p (£5.20) for A'],
  ['another currency', 'USD', 'the user gave: US$520.00 for A.'],
  ['an unknown currency', undefined, 'the user gave: 520.00 for A.'],
])('a price that the user gave is named in its unit: %s', (_name, currency, said) => {
  const assets = [makeAsset('A', { held: '0', price: '520', rate: '0.01', quantityDecimals: 0, priceFrom: 'assumed' })];
  const request: PlanRequest = { goal: 'invest', targets: makeTargets({ A: 100 }), amount: '200' };
  expect(describe(request, '1000', assets, {}, [{ ticker: 'A', price: '520', currency }])).toContain(said);
  expect(describe(request, '1000', assets)).not.toContain('520');
});

test.each([
  ['GBX', 'pence', 'GBX'],
  ['USD', 'a price in USD', 'USD'],
  [undefined, 'the instrument’s currency', undefined],
])('the price that is asked for has its unit: %s', (currency, said, unit) => {
  const error = toPlanError({ code: 'no_price', ticker: 'A' }, 'BUY', 'GBP', currency);
  expect(error.next).toContain(said);
  expect(error.facts.priceCurrency).toBe(unit);
});

test('the amounts of a plan have no currency while it is unknown', () => {
  const [message, next] = ['which is 450.00.', 'Give an amount of at most 450.00, or a smaller keepCash.'];
  const error = toPlanError({ code: 'amount_over_cash', most: '450.00' }, 'BUY', undefined);
  expect([error.message, error.next]).toEqual([
    `The amount is larger than the cash that may be spent, ${message}`,
    next,
  ]);
});

const taken = [{ kind: 'FEE', rate: '0.1', fills: 1 }];
const swap = [makeAsset('A', { held: '30', charges: { BUY: [], SELL: taken } }), makeAsset('B'), makeAsset('C')];

test('a plan counts and sums its sells, its buys and their charges, each apart', () => {
  // Of 500, A has 300 and sells 200 of them, a tenth of which is charged; what is left of 180 buys B and C.
  const said = describe({ goal: 'rebalance', targets: makeTargets({ A: 20, B: 40, C: 40 }) }, '1000', swap, {
    A: '7.00',
  });
  const [sells, buys] = ['1 order to sell for about £200.00', '2 orders to buy for about £180.00'];
  expect(said).toBe(
    `Rebalance: ${sells} and ${buys}, with charges of about £20.00. Nothing was sent. The sell would realise a gain of £7.00 (method fifo).`,
  );
});

test('a plan in an unknown currency has amounts alone, and names only the orders that it has', () => {
  const request: PlanRequest = { goal: 'invest', targets: makeTargets({ A: 100 }), amount: '20' };
  const { plan } = planOrders(request, { cash: '1000' }, [makeAsset('A')]);
  if (!plan) throw new Error('There is no plan.');
  const summary = { question: request, plan, currency: undefined, assumed: [], whatIf: new Map() };
  expect(describePlan(summary)).toBe('Invest: 1 order to buy for about 20.00, no charges expected. Nothing was sent.');
});

const saved = { draftId: 'd1', version: 2, expiresAt: 0 };
const legOf = (refusal?: object) => ({ refusal }) as unknown as AssessedLeg;
const cash = { rule: 'cash', reason: 'Too dear.' } as const;
const dropped = [{ ticker: 'A', side: 'BUY', value: '1.00', reason: 'below_minimum' }] as const;

test.each<[string, Parameters<typeof planNextStep>, string]>([
  [
    'passes',
    [{ saved, reviewed: [legOf()], refused: undefined }, { dropped }, 'tool'],
    'Show it to the user; if they want it, call submit_draft with draftId d1 and version 2.',
  ],
  [
    'has a leg that breaks a rule',
    [{ saved, reviewed: [legOf(), legOf(cash)], refused: undefined }, { dropped }, 'tool'],
    'Leg 2 breaks the rule cash. Tell the user, and plan less or save a smaller leg with save_draft.',
  ],
  [
    'has a leg of which less would pass',
    [{ saved, reviewed: [legOf({ ...cash, largestQuantity: '3' })], refused: undefined }, { dropped }, 'tool'],
    'Leg 1 breaks the rule cash; at most 3 shares would pass. Tell the user, and plan less or save a smaller leg with save_draft.',
  ],
  [
    'would be refused as a whole',
    [{ saved, reviewed: [legOf(cash)], refused: { ...cash, next: 'Wait.' } }, { dropped }, 'tool'],
    'The draft breaks the rule cash: the draft would be refused now. Wait.',
  ],
  [
    'would be refused for a leg',
    [{ saved, reviewed: [legOf(), legOf()], refused: { ...cash, leg: 2, next: 'Wait.' } }, { dropped }, 'tool'],
    'Leg 2 breaks the rule cash: the draft would be refused now. Wait.',
  ],
  [
    'has nothing to do',
    [{ saved: undefined, reviewed: [], refused: undefined }, { dropped: [] }, 'tool'],
    'Tell the user that nothing has to be done, or plan with a smaller band or a larger amount.',
  ],
  [
    'left out what it wanted',
    [{ saved: undefined, reviewed: [], refused: undefined }, { dropped }, 'tool'],
    'Tell the user why the orders were left out. Depending on the reason, a larger amount, a smaller minOrderValue or other targets change it.',
  ],
])('the next step of a plan that %s', (_, given, expected) => {
  expect(planNextStep(...given)).toBe(expected);
});

test('a plan names sells only where it has some, whatever it is charged, and buys likewise', () => {
  const bought: PlanRequest = { goal: 'invest', targets: makeTargets({ A: 100 }), amount: '101' };
  const charged = [makeAsset('A', { charges: { BUY: [{ kind: 'FEE', rate: '0.01', fills: 1 }], SELL: [] } })];
  expect(describe(bought, '1000', charged)).toBe(
    'Invest: 1 order to buy for about £100.00, with charges of about £1.00. Nothing was sent.',
  );
  expect(describe({ goal: 'raise', amount: '40' }, '0', [makeAsset('A')])).toBe(
    'Raise cash: 1 order to sell for about £40.00, no charges expected, which brings £40.00. Nothing was sent. The sells are in proportion to all holdings that can be sold; a method would sell what gains least first.',
  );
});

/** The sentences of a plan that has these weights and no order. */
function describeIdle(
  goal: PlanRequest['goal'],
  weights: readonly Partial<Plan['weights'][number]>[],
  change: Partial<Plan> = {},
): string {
  const { plan } = planOrders({ goal: 'rebalance', targets: makeTargets({ A: 50 }) }, { cash: '500' }, [
    makeAsset('A'),
  ]);
  if (!plan) throw new Error('There is no plan.');
  const whole = { ...plan, legs: [], dropped: [], left: undefined, weights: weights as Plan['weights'], ...change };
  return describePlan({ question: { goal }, plan: whole, currency: 'GBP', assumed: [], whatIf: new Map() });
}

const idle = 'The plan has no order, so no draft was made.';

test.each(['charges', 'limit_price', undefined] as const)(
  'a ticker without an order is at its target when its weight has the reason %s',
  (because) => {
    expect(describeIdle('rebalance', [{ ticker: 'A', percentTarget: '50', because }])).toBe(
      `${idle} No order for A: the ticker is at its target.`,
    );
  },
);

test('a ticker that the targets do not name is not named', () => {
  expect(describeIdle('rebalance', [{ ticker: 'A' }])).toBe(idle);
});

test('an order that was left out has its own reason, and not that of the weight of its ticker', () => {
  expect(describeIdle('rebalance', [{ ticker: 'A', percentTarget: '50', because: 'charges' }], { dropped })).toBe(
    `${idle} No order for A: an order would be below the least value of an order.`,
  );
});

test('a sale for cash without an order does not say how it chose', () => {
  expect(describeIdle('raise', [])).toBe(idle);
});

test.each<[readonly LeftReason[], string]>([
  [[], '£5.00 is not spent.'],
  [['targets_reached'], '£5.00 is not spent: the targets need no more.'],
  [['cash'], '£5.00 is not spent: the cash, £500.00, has to cover market orders with a margin of 2.0%, and charges.'],
  [['rounding', 'targets_reached'], '£5.00 is not spent: quantities are rounded down; the targets need no more.'],
])('what is left is named with its reasons: %j', (because, said) => {
  expect(describeIdle('invest', [], { left: { amount: '5.00', because } })).toBe(`${idle} ${said}`);
});
