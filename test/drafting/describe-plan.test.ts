/** The sentences of a plan: they name its amounts and every reason. */
import { expect, test } from 'vitest';
import { describePlan } from '../../src/drafting/describe-plan.ts';
import { toPlanError } from '../../src/drafting/plan-errors.ts';
import { planOrders } from '../../src/drafting/planner/build-plan.ts';
import type { PlanAsset, PlanRequest } from '../../src/drafting/planner/plan-types.ts';
import { makeAsset, makeTargets } from './planner/support.ts';

function describe(request: PlanRequest, cash: string, assets: readonly PlanAsset[]): string {
  const { plan } = planOrders(request, { cash }, assets);
  if (!plan) throw new Error('There is no plan.');
  return describePlan({ goal: request.goal, plan, currency: 'GBP' });
}

const fee = { BUY: [{ kind: 'FEE', rate: '0.01', fills: 3 }], SELL: [] };

test('what is bought, charged and left adds up to the amount', () => {
  const whole = [makeAsset('B', { held: '0', price: '30', quantityDecimals: 0, charges: fee })];
  const said = describe({ goal: 'invest', targets: makeTargets({ B: 100 }), amount: '100' }, '1000', whole);
  // Three of 30, 1 % of charges, and the rest of 100.
  for (const amount of ['90.00 GBP', '0.90 GBP', '9.10 GBP']) expect(said).toContain(amount);
});

test('charges that no fill shows are not called zero', () => {
  const unknown = [makeAsset('B', { held: '0', charges: { BUY: undefined, SELL: undefined } })];
  const said = describe({ goal: 'invest', targets: makeTargets({ B: 100 }), amount: '100' }, '1000', unknown);
  expect(said).toContain('not all known');
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
