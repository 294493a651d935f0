/** Decimals as integers. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import {
  computeScale,
  countDecimals,
  fromUnits,
  prorate,
  toShares,
  toUnits,
} from '../../../src/features/gains/fixed-point.ts';
import { buy, sell } from './trades.ts';

test.each([
  ['1.25', 2, 125n],
  ['-1.25', 4, -12_500n],
  ['0', 5, 0n],
  ['1200', 0, 1200n],
  ['0.001', 3, 1n],
  // Fifteen digits fit a double, with or without zeros.
  ['123456789012.345', 3, 123_456_789_012_345n],
  ['-123456789012.345', 4, -1_234_567_890_123_450n],
  ['1234567890123.456', 3, 1_234_567_890_123_456n],
  ['9007199254740993.1', 1, 90_071_992_547_409_931n],
  ['-9007199254740993.1', 2, -900_719_925_474_099_310n],
  ['1', 70, 10n ** 70n],
])('%s with %i decimals is %s', (value, decimals, units) => {
  expect(toUnits(new Big(value), decimals)).toBe(units);
  expect(fromUnits(units, decimals).eq(value)).toBe(true);
});

test.each([
  ['1200', 0],
  ['1.5', 1],
  ['0.001', 3],
  ['0', 0],
])('%s has %i decimals', (value, decimals) => {
  expect(countDecimals(new Big(value))).toBe(decimals);
});

test.each([
  [100n, 1n, 3n, 33n],
  [-100n, 1n, 3n, -33n],
  [100n, 3n, 3n, 100n],
  [0n, 0n, 0n, 0n],
])('%i × %i / %i is %i', (amount, part, whole, expected) => {
  expect(prorate(amount, part, whole)).toBe(expected);
});

test('the scale has the decimals of each quantity and amount, and never fewer than 24 of money', () => {
  const long = `0.${'1'.repeat(30)}`;
  expect(computeScale([])).toEqual({ quantity: 0, money: 24 });
  expect(computeScale([buy('2024-01-02', '1.2345', '1.5'), buy('2024-01-02', '1.2', undefined)])).toEqual({
    quantity: 4,
    money: 24,
  });
  expect(computeScale([buy('2024-01-02', 1, long)]).money).toBe(30);
  expect(computeScale([sell('2024-01-02', 1, 1, { realised: long })]).money).toBe(30);
  expect(computeScale([buy('2024-01-02', 1, 1, { realised: long })]).money).toBe(24);
  expect(computeScale([buy('2024-01-02', '1.2', 1)], true).quantity).toBe(21);
});

test.each([
  [125n, 1n, 2, '1.25'],
  [250n, 2n, 2, '1.25'],
  [1n, 3n, 0, '0.33333333333333333333'],
  [2n, 3n, 0, '0.66666666666666666667'],
  [200n, 3n, 2, '0.6666666666666666666667'],
])('%i units of a weight of %i with %i decimals are %s shares', (units, weight, quantity, shares) => {
  expect(toShares(units, weight, { quantity, money: 24 }).toFixed()).toBe(shares);
});
