/** The sentences of a plan: they name its amounts and every reason. */
import { expect, test } from 'vitest';
import { describePlan } from '../../src/drafting/describe-plan.ts';
import { toPlanError } from '../../src/drafting/plan-errors.ts';
import { planOrders } from '../../src/drafting/planner/build-plan.ts';
import type { AssumedPrice, PlanAsset, PlanRequest } from '../../src/drafting/planner/plan-types.ts';
import { makeAsset, makeTargets } from './planner/support.ts';

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
  for (const amount of ['90.00 GBP', '0.90 GBP', '9.10 GBP']) expect(said).toContain(amount);
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
  expect(describe({ goal: 'raise', amount: '40' }, '0', unknown)).toContain('40.00 GBP before the unknown charges');
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['the sum of the losses and gains', { A: '-750.50', B: '13.50' }, 'a loss of 737.00 GBP (method fifo)'],
  ['a gain', { A: '20.00' }, 'a gain of 20.00 GBP (method fifo)'],
  ['that one of them is unknown', { A: '20.00', B: undefined }, 'is unknown'],
])('the sentence of a sale has what it would realise: %s', (_name, gains, said) => {
  const assets = Object.keys(gains).map((ticker) => makeAsset(ticker));
  expect(describe({ goal: 'raise', amount: '40' }, '0', assets, gains)).toContain(said);
});

test('a raise names what it brings after charges', () => {
  const sold = [makeAsset('A', { charges: { BUY: [], SELL: [{ kind: 'FEE', rate: '0.2', fills: 1 }] } })];
  // Five shares of 10, less 20 %.
  const said = describe({ goal: 'raise', amount: '40' }, '0', sold);
  for (const amount of ['50.00 GBP', '10.00 GBP', '40.00 GBP']) expect(said).toContain(amount);
});

test.each<[string, PlanRequest, string]>([
  ['minOrderValue', { goal: 'invest', targets: makeTargets({ A: 100 }), amount: '2' }, 'minOrderValue'],
  ['allowSells', { goal: 'rebalance', targets: makeTargets({ A: 40 }), allowSells: false }, 'allowSells'],
])('names %s where it left an order out', (_name, request, reason) => {
  expect(describe(request, '1000', [makeAsset('A')])).toContain(reason);
});

test.each<[string, Partial<PlanRequest>, string]>([
  [
    'in proportion',
    {},
    'The sells are in proportion to all holdings that can be sold; method sells with the least gain first.',
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
    'No order for C: an order would be below minOrderValue.',
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
  const { message, next, facts } = toPlanError({ code, most: '450.00' }, 'GBP');
  expect([message, next].map((text) => text?.match(/450\.00 ?\w*/)?.[0])).toEqual(['450.00 GBP', '450.00 GBP']);
  expect(facts).toMatchObject({ problem: code, most: '450.00' });
});

test('an order that the amount does not pay for is said to lack the amount, not only the cash', () => {
  const whole = [makeAsset('A', { held: '0', price: '100', quantityDecimals: 0, charges: fee })];
  const said = describe({ goal: 'invest', targets: makeTargets({ A: 100 }), amount: '100' }, '1000', whole);
  expect(said).toContain('the amount');
});

test.each<[string, string | undefined, string]>([
  ['pence, with the pounds', 'GBX', '520 GBX (5.2 GBP) for A'],
  ['another currency', 'USD', '520 USD for A'],
  ['an unknown currency', undefined, '520 for A'],
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
  const error = toPlanError({ code: 'no_price', ticker: 'A' }, 'GBP', currency);
  expect(error.next).toContain(said);
  expect(error.facts.priceCurrency).toBe(unit);
});
