/** The second computation of plans, on cases that are worked out by hand. */
import { expect, test } from 'vitest';
import { toFraction } from '../../checks/gains/fraction.ts';
import type { Asset } from '../../evals/expected/plan-assets.ts';
import { describePlan, invest, raiseInProportion, rebalance, toTargets } from '../../evals/expected/plans.ts';
import { roundTo, toFixedText, toQuantityText } from '../../evals/expected/rounding.ts';

/** One share costs 1, quantities have two decimals, and a sale is charged 1 %. */
const asset = (ticker: string, held: string): Asset => ({
  ticker,
  held: toFraction(held),
  sellable: toFraction(held),
  price: toFraction('1'),
  decimals: 2,
  charges: { BUY: [], SELL: [{ kind: 'FEE', rate: toFraction('0.01') }] },
});

const money = (amount: string) => ({ amount: toFraction(amount), available: toFraction('10000') });

test('an investment fills the lowest up to the next, then both, and leaves the highest alone', () => {
  const targets = toTargets([asset('A', '100'), asset('B', '200'), asset('C', '900')], [25, 25, 50]);
  // A needs 100 to be level with B at 200; the other 60 are shared; C is at 1,800 of its own level.
  expect(describePlan(invest(targets, money('160')), '1000')).toEqual({
    'BUY A': '130',
    'BUY B': '30',
    charges: '0.00',
    cashAfter: '840.00',
  });
});

test('a rebalance leaves the band alone, and buys for what the sale brings after charges', () => {
  const targets = toTargets([asset('A', '600'), asset('B', '100'), asset('C', '300')], [50, 20, 30]);
  expect(describePlan(rebalance(targets, toFraction('1'), money('0')), '0')).toEqual({
    'SELL A': '100',
    'BUY B': '99',
    charges: '1.00',
    cashAfter: '0.00',
  });
  expect(rebalance(targets, toFraction('10'), money('0'))).toEqual([]);
});

test('a raise rounds up, and the last sale brings only what the others left open', () => {
  const legs = raiseInProportion([asset('A', '700'), asset('B', '300')], toFraction('100'));
  // 70 / 0.99 = 70.707… becomes 70.71, which brings 70.0029; 29.9971 / 0.99 = 30.3001… becomes 30.31.
  expect(legs.map(({ asset: { ticker }, shares }) => [ticker, toQuantityText(shares)])).toEqual([
    ['A', '70.71'],
    ['B', '30.31'],
  ]);
});

test.each([
  ['0.125', 2, 'half', '0.13'],
  ['0.125', 2, 'down', '0.12'],
  ['0.121', 2, 'up', '0.13'],
  ['0.12', 2, 'up', '0.12'],
  ['-0.125', 2, 'half', '-0.13'],
] as const)('%s with %i decimals, %s, is %s', (value, decimals, mode, expected) => {
  expect(toFixedText(roundTo(toFraction(value), decimals, mode), decimals)).toBe(expected);
});
