import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanRequest } from '../../../src/features/planner/plan-types.ts';
import { sellLeastGain } from '../../../src/features/planner/raise-cash.ts';
import { type ValuedAsset, valueAsset } from '../../../src/features/planner/size-order.ts';
import { runs } from '../../support/runs.ts';
import { makeAsset } from './support.ts';

const request: PlanRequest = { goal: 'raise', amount: '1', leastGain: true };

/** Shares at 10 each, in lots of a quantity and a cost in whole pounds. */
function holding(ticker: string, lots: readonly (readonly [number, number])[], sellable?: number): ValuedAsset {
  const held = lots.reduce((total, [quantity]) => total + quantity, 0);
  const valued = valueAsset(
    makeAsset(ticker, {
      held: String(held),
      sellable: String(sellable ?? held),
      lots: lots.map(([quantity, cost]) => ({ quantity: String(quantity), cost: String(cost) })),
    }),
    request,
  );
  if (!valued) throw new Error('It has a price.');
  return valued;
}

const stepsOf = (assets: readonly ValuedAsset[]) =>
  sellLeastGain(assets).map(({ asset, upTo }) => `${asset.ticker} ${upTo.toDecimal(4)}`);

test.each<[string, readonly ValuedAsset[], readonly string[]]>([
  // Gains per share: A 5 and then 8, B 6.
  [
    'lots in turn, the least gain first',
    [
      holding('A', [
        [5, 25],
        [5, 10],
      ]),
      holding('B', [[5, 20]]),
    ],
    ['A 5', 'B 5', 'A 10'],
  ],
  // 5 and then -15 are together -5; B is -2.
  [
    'a cheap lot takes those before it along',
    [
      holding('B', [[10, 120]]),
      holding('A', [
        [5, 25],
        [5, 125],
      ]),
    ],
    ['A 10', 'B 10'],
  ],
  [
    'lots of the same gain are one step',
    [
      holding('A', [
        [5, 25],
        [5, 25],
      ]),
    ],
    ['A 10'],
  ],
  // 8, then 5, then 2: each joins the ones before.
  [
    'several lots join',
    [
      holding('A', [
        [1, 2],
        [1, 5],
        [1, 8],
      ]),
    ],
    ['A 3'],
  ],
  [
    'a tie goes by ticker',
    [holding('B', [[5, 25]]), holding('A', [[5, 25]]), holding('C', [[5, 25]])],
    ['A 5', 'B 5', 'C 5'],
  ],
  // Of the second lot one share of five: its gain is that of a share.
  [
    'what cannot be sold is left',
    [
      holding(
        'A',
        [
          [5, 25],
          [5, 10],
        ],
        6,
      ),
    ],
    ['A 5', 'A 6'],
  ],
  [
    'a lot that begins where the sellable shares end is left',
    [
      holding(
        'A',
        [
          [5, 25],
          [5, 10],
        ],
        5,
      ),
    ],
    ['A 5'],
  ],
  ['nothing can be sold', [holding('A', [[5, 25]], 0)], []],
  ['without lots there are no steps', [valueAsset(makeAsset('A'), request) as ValuedAsset], []],
])('%s', (_, assets, steps) => {
  expect(stepsOf(assets)).toEqual(steps);
});

/** The lower convex hull of gain over proceeds, by looking at every later point for the flattest way to it. */
function listHull(lots: readonly (readonly [number, number])[]) {
  const points = [{ shares: 0, gain: 0 }];
  for (const [quantity, cost] of lots) {
    const last = points.at(-1) as (typeof points)[number];
    points.push({ shares: last.shares + quantity, gain: last.gain + 10 * quantity - cost });
  }
  const steps: { upTo: number; slope: number }[] = [];
  for (let at = 0; at < points.length - 1; ) {
    const from = points[at] as (typeof points)[number];
    const slopes = points.slice(at + 1).map(({ shares, gain }) => (gain - from.gain) / (shares - from.shares));
    const slope = Math.min(...slopes);
    at += slopes.lastIndexOf(slope) + 1;
    steps.push({ upTo: (points[at] as (typeof points)[number]).shares, slope });
  }
  return steps;
}

test('the steps are those of the convex hull of each asset, by rising gain', () => {
  // Quantities that divide exactly, so that the slopes of the second computation are exact too.
  const lots = fc.array(fc.tuple(fc.constantFrom(1, 2, 4, 8), fc.nat({ max: 20 })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(lots, { minLength: 1, maxLength: 4 }), (all) => {
      const assets = all.map((each, n) => holding('ABCD'.charAt(n), each));
      const expected = all
        .flatMap((each, n) => listHull(each).map((step) => ({ ...step, ticker: 'ABCD'.charAt(n) })))
        .toSorted((a, b) => a.slope - b.slope || a.ticker.localeCompare(b.ticker));
      expect(stepsOf(assets)).toEqual(expected.map(({ ticker, upTo }) => `${ticker} ${upTo}`));
    }),
    { numRuns: runs(400) },
  );
});

/** One lot of an asset that has this price, of which these shares can be sold. */
const lotOf = (ticker: string, price: string, lot: readonly [number, number], sellable = lot[0]): ValuedAsset => {
  const [quantity, cost] = lot.map(String) as [string, string];
  const change = { price, held: quantity, sellable: String(sellable), lots: [{ quantity, cost }] };
  const valued = valueAsset(makeAsset(ticker, change), request);
  if (!valued) throw new Error('It has a price.');
  return valued;
};

test.each<[string, readonly ValuedAsset[], readonly string[]]>([
  // A gains a tenth of what it brings, B a twentieth.
  ['dear shares beside cheap ones', [lotOf('A', '100', [1, 90]), lotOf('B', '1', [100, 95])], ['B 100', 'A 1']],
  ['many dear shares beside cheap ones', [lotOf('A', '10', [10, 90]), lotOf('B', '1', [100, 95])], ['B 100', 'A 10']],
  // A gains a tenth, of the half that can be sold too; B a fifth.
  ['a part of a lot', [lotOf('A', '10', [10, 90], 5), lotOf('B', '10', [10, 80])], ['A 5', 'B 10']],
])('the gain is compared by what a sale brings: %s', (_, assets, expected) => {
  expect(stepsOf(assets)).toEqual(expected);
});
