/** Sales that are matched with a later purchase across a time without shares. */
import { describe, expect, test } from 'vitest';
import { describeEmptyTimes, findEmptyTimes } from '../../../src/features/gains/assumptions.ts';
import type { Movement } from '../../../src/features/gains/holding-events.ts';
import type { LotMatch, MatchedSale } from '../../../src/features/gains/lot-matching.ts';

const day = 86_400_000;
const moved = (kind: Movement['kind'], onDay: number, units: bigint) =>
  ({ kind, units, trade: { at: onDay * day } }) as unknown as Movement;
const sold = (onDay: number, ...matches: readonly [LotMatch['rule'], number][]) =>
  ({
    at: onDay * day,
    ticker: 'A',
    pieces: matches.map(([rule, boughtOn]) => ({ rule, units: 1n, cost: 1n, acquiredAt: boughtOn * day })),
  }) as unknown as MatchedSale;
const found = (movements: readonly Movement[], ...sales: readonly MatchedSale[]) =>
  findEmptyTimes(movements, sales).map(({ soldOn, boughtOn }) => [soldOn, boughtOn]);

const bought = moved('acquired', 0, 10n);
const repurchase = moved('acquired', 20, 10n);
const days = [['1970-01-11', '1970-01-21']];

describe('a sale on day 10 that is matched with a purchase on day 20', () => {
  const sale = sold(10, ['thirty_day', 20]);

  test.each([
    ['all was sold on that day', [moved('sold', 10, 10n)], days],
    ['more than all was sold', [moved('sold', 10, 11n)], days],
    ['all was sold later', [moved('sold', 10, 4n), moved('sold', 15, 6n)], days],
    ['one share was kept', [moved('sold', 10, 9n)], []],
    ['the rest was removed later', [moved('sold', 10, 4n), moved('removed', 15, 6n)], days],
    ['the rest was exchanged later', [moved('sold', 10, 4n), moved('carried', 15, 6n)], days],
    ['a change of cost moved no share', [moved('sold', 10, 4n), moved('cost_changed', 15, 6n)], []],
    [
      'nothing was held only before the sale',
      [moved('sold', 5, 10n), moved('acquired', 6, 9n), moved('sold', 10, 4n)],
      [],
    ],
  ])('is found where %s', (_, movements, expected) => {
    expect(found([bought, ...movements, repurchase], sale)).toEqual(expected);
  });

  test('is not found where nothing was held only after the purchase', () => {
    expect(found([bought, moved('sold', 10, 4n), repurchase, moved('sold', 25, 16n)], sale)).toEqual([]);
  });

  test('is not found where nothing was held only at the moment of the purchase', () => {
    expect(found([bought, moved('sold', 10, 4n), moved('sold', 20, 6n), repurchase], sale)).toEqual([]);
  });
});

test('a sale that is matched with the day or the pool is not found', () => {
  const movements = [bought, moved('sold', 10, 10n), repurchase];
  expect(found(movements, sold(10, ['same_day', 20]), sold(10, ['section_104', 20]), sold(10))).toEqual([]);
});

test('the last of the purchases that a sale is matched with counts', () => {
  const movements = [bought, moved('sold', 10, 9n), moved('acquired', 12, 1n), moved('sold', 15, 2n), repurchase];
  expect(found(movements, sold(10, ['same_day', 10], ['thirty_day', 12], ['thirty_day', 20]))).toEqual(days);
});

test('each of several empty times belongs to its own sale', () => {
  const movements = [
    bought,
    moved('sold', 10, 10n),
    repurchase,
    moved('sold', 30, 10n),
    moved('acquired', 35, 10n),
    moved('sold', 50, 4n),
    moved('acquired', 55, 4n),
  ];
  const sales = [sold(50, ['thirty_day', 55]), sold(30, ['thirty_day', 35]), sold(10, ['thirty_day', 20])];
  expect(found(movements, ...sales)).toEqual([['1970-01-31', '1970-02-05'], ...days]);
});

test.each([
  [3, 'sold S1, bought B1; sold S2, bought B2; sold S3, bought B3'],
  [4, 'sold S1, bought B1; sold S2, bought B2; sold S3, bought B3 and later'],
])('of %i sales of a ticker its sentence names at most three', (count, named) => {
  const times = Array.from({ length: count }, (_, n) => ({ ticker: 'A', soldOn: `S${n + 1}`, boughtOn: `B${n + 1}` }));
  const rest =
    'no shares were held between the sale and the purchase within 30 days that it is matched with. No row shows a split of shares that are not held, so check that there was none.';
  expect(describeEmptyTimes([...times, { ticker: 'B', soldOn: 'S', boughtOn: 'B' }])).toEqual([
    `A (${named}): ${rest}`,
    `B (sold S, bought B): ${rest}`,
  ]);
});
