/** When the gains are compared with the broker's own results, and how far apart they may be. */
import { expect, test } from 'vitest';
import type { HoldingEvents } from '../../../src/features/gains/holding-events.ts';
import { checkResults, compareWithBroker, isComplete } from '../../../src/features/gains/holding-gains.ts';
import type { Matching } from '../../../src/features/gains/lot-matching.ts';

const scale = { quantity: 0, money: 2 };

test.each([
  [0, 1n, true],
  [0, 2n, false],
  [1, 1n, true],
  [1, -1n, true],
  [1, 2n, false],
  [3, 3n, true],
  [3, -3n, true],
  [3, 4n, false],
])('of %i sales a difference of %i pennies holds: %s', (sales, pennies, holds) => {
  const check = checkResults([{ sales, ours: 500n + pennies, theirs: 500n }], scale);
  expect(check).toMatchObject({ expected: '5', holds });
});

test('the sales and results of all holdings are summed', () => {
  const parts = [
    { sales: 1, ours: 300n, theirs: 301n },
    { sales: 1, ours: 400n, theirs: 401n },
  ];
  expect(checkResults(parts, scale)).toMatchObject({ expected: '7.02', actual: '7', residual: '-0.02', holds: true });
});

test('only sales with a result of the broker are compared', () => {
  const sales = [
    { amount: 100n, result: 15n, pieces: [{ cost: 50n }, { cost: 30n }] },
    { amount: 900n, result: undefined, pieces: [{ cost: 1n }] },
    { amount: 10n, result: 0n, pieces: [{ cost: 12n }] },
  ];
  expect(compareWithBroker({ sales } as unknown as Matching)).toEqual({ sales: 2, ours: 18n, theirs: 15n });
});

test.each([
  ['nothing is missing', {}, {}, true],
  ['a trade is in no figure', { unmatched: [{}] }, {}, false],
  ['a split has no ratio', { actions: [{ effect: 'no_ratio' }] }, {}, false],
  ['shares were exchanged for cash and shares', { actions: [{ effect: 'exchanged' }] }, {}, false],
  ['shares came free', { actions: [{ effect: 'came_free' }] }, {}, true],
  ['shares left that were never held', {}, { missingRemoved: 1n }, false],
  ['a part of a sale has no cost', {}, { sales: [{ missing: 0n }, { missing: 1n }] }, false],
  ['each sale has its cost', {}, { sales: [{ missing: 0n }] }, true],
])('a holding is complete where %s: %s', (_, events, matching, complete) => {
  const holding = { unmatched: [], actions: [], ...events } as unknown as HoldingEvents;
  expect(isComplete(holding, { sales: [], missingRemoved: 0n, ...matching } as unknown as Matching)).toBe(complete);
});
