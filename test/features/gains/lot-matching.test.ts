/** What a lot gives, and what a change of its cost does. */
import { describe, expect, test } from 'vitest';
import type { Movement } from '../../../src/features/gains/holding-events.ts';
import {
  addToLot,
  carriedFromPool,
  changeCost,
  consumeLot,
  emptyLot,
  isPoolCostUnknown,
} from '../../../src/features/gains/lot-matching.ts';
import { takeFromPool } from '../../../src/features/gains/section-104.ts';

describe('a change of cost', () => {
  test.each([
    ['adds', { units: 5n, cost: 10n, unknown: 0n }, 3n, { changed: 3n, beyond: 0n }, 13n],
    ['deducts', { units: 5n, cost: 10n, unknown: 0n }, -3n, { changed: -3n, beyond: 0n }, 7n],
    ['deducts all', { units: 5n, cost: 10n, unknown: 0n }, -10n, { changed: -10n, beyond: 0n }, 0n],
    ['deducts no more than all', { units: 5n, cost: 10n, unknown: 0n }, -12n, { changed: -10n, beyond: 2n }, 0n],
    ['adds nothing where no share is', { units: 0n, cost: 0n, unknown: 0n }, 3n, { changed: 0n, beyond: 0n }, 0n],
    [
      'is beyond the cost where no share is',
      { units: 0n, cost: 0n, unknown: 0n },
      -3n,
      { changed: 0n, beyond: 3n },
      0n,
    ],
    [
      'changes no cost that is in part unknown',
      { units: 5n, cost: 10n, unknown: 1n },
      -3n,
      { changed: 0n, beyond: 0n },
      10n,
    ],
    [
      'adds to no cost that is in part unknown',
      { units: 5n, cost: 10n, unknown: 5n },
      3n,
      { changed: 0n, beyond: 0n },
      10n,
    ],
  ])('%s', (_, before, amount, change, cost) => {
    const lot = { ...before };
    expect(changeCost(lot, amount)).toEqual(change);
    expect(lot).toEqual({ ...before, cost });
  });
});

describe('a lot', () => {
  test.each([
    ['a part', 4n, { units: 4n, cost: 40n, unknown: 2n }, { units: 6n, cost: 61n, unknown: 4n }],
    ['all', 10n, { units: 10n, cost: 101n, unknown: 6n }, emptyLot()],
    ['no more than all', 11n, { units: 10n, cost: 101n, unknown: 6n }, emptyLot()],
    ['nothing', 0n, emptyLot(), { units: 10n, cost: 101n, unknown: 6n }],
  ])('gives %s, and what the division truncates stays', (_, most, given, rest) => {
    const lot = { units: 10n, cost: 101n, unknown: 6n };
    expect(consumeLot(lot, most)).toEqual(given);
    expect(lot).toEqual(rest);
  });

  test('counts the shares whose cost is unknown', () => {
    const lot = { units: 1n, cost: 2n, unknown: 3n };
    addToLot(lot, { units: 10n, amount: 20n, isCostKnown: true } as Movement);
    expect(lot).toEqual({ units: 11n, cost: 22n, unknown: 3n });
    addToLot(lot, { units: 5n, amount: 0n, isCostKnown: false } as Movement);
    expect(lot).toEqual({ units: 16n, cost: 22n, unknown: 8n });
  });

  test('has no known cost from its first unknown share on', () => {
    expect([0n, 1n].map((unknown) => isPoolCostUnknown({ units: 2n, cost: 3n, unknown }))).toEqual([false, true]);
  });
});

test.each([
  ['of a known cost', 0n, false, [{ units: 4n, cost: 9n }]],
  ['of an unknown cost', 0n, true, [{ units: 4n, cost: undefined }]],
  [
    'and some that were never held',
    2n,
    false,
    [
      { units: 4n, cost: 9n },
      { units: 2n, cost: undefined },
    ],
  ],
])('a pool gives shares %s', (_, missing, isUnknown, parts) => {
  expect(carriedFromPool({ units: 4n, cost: 9n, unknown: 0n }, missing, isUnknown)).toEqual(parts);
});

test('an empty pool gives only shares that were never held', () => {
  expect(carriedFromPool(emptyLot(), 2n, false)).toEqual([{ units: 2n, cost: undefined }]);
});

describe('a day of a pool of 10 units for 100', () => {
  const movement = (kind: Movement['kind'], at: number, units: bigint, amount = 0n) =>
    ({ kind, trade: { at }, units, amount }) as unknown as Movement;
  const take = (sales: Movement[], changes: Movement[], open: bigint) => {
    const pool = { units: 10n, cost: 100n, unknown: 0n };
    const { effects, ...taken } = takeFromPool(pool, { sales, changes, open });
    return { ...taken, effects: effects.map(({ changed, beyond }) => [changed, beyond]), pool };
  };

  test('a change in the second of a sale is after it', () => {
    expect(take([movement('sold', 1, 5n)], [movement('cost_changed', 1, 0n, -20n)], 5n)).toEqual({
      units: 5n,
      cost: 50n,
      poolAfter: { units: 5n, cost: 50n, unknown: 0n },
      effects: [[-20n, 0n]],
      pool: { units: 5n, cost: 30n, unknown: 0n },
    });
  });

  test('each of two sales takes its part of what purchases did not cover', () => {
    // Two of the four: one unit before the change at 10, and one after it at 80 / 9 × 1.
    const sales = [movement('sold', 1, 2n), movement('sold', 3, 2n)];
    expect(take(sales, [movement('cost_changed', 2, 0n, -9n)], 2n)).toMatchObject({
      units: 2n,
      cost: 10n + 9n,
      poolAfter: { units: 8n, cost: 72n },
      pool: { units: 8n, cost: 72n },
    });
  });

  test('more is sold than the pool has', () => {
    expect(take([movement('sold', 1, 14n)], [movement('cost_changed', 2, 0n, -30n)], 12n)).toEqual({
      units: 10n,
      // The change comes out of what was sold.
      cost: 70n,
      poolAfter: { units: 0n, cost: 0n, unknown: 0n },
      effects: [[-30n, 0n]],
      pool: { units: 0n, cost: 0n, unknown: 0n },
    });
  });

  test('the first change takes what is left of the cost, and the second what is left after it', () => {
    const changes = [movement('cost_changed', 2, 0n, -80n), movement('cost_changed', 3, 0n, -30n)];
    expect(take([movement('sold', 1, 10n)], changes, 10n)).toMatchObject({
      cost: 0n,
      effects: [
        [-80n, 0n],
        [-20n, 10n],
      ],
    });
  });
});
