/** Which stored numbers can be used. */
import { expect, test } from 'vitest';
import {
  isAmount,
  isCount,
  isDecimal,
  isOrderNumber,
  isTime,
  optional,
} from '../../../../src/core/orders/intent/risk-limits.ts';

/** Whether it is a decimal, an amount, and a number of an order. */
test.each<[unknown, boolean, boolean, boolean]>([
  ['1', true, true, true],
  ['12.34', true, true, true],
  ['0.001', true, true, true],
  ['10', true, true, true],
  ['1.10', true, true, true],
  ['0', true, true, false],
  ['0.00', true, true, false],
  ['-1', true, false, false],
  ['1e3', true, true, false],
  ['1E-07', true, true, false],
  ['1e+3', true, true, false],
  ['-1.5e3', true, false, false],
  ['1'.repeat(40), true, true, true],
  ['1'.repeat(41), false, false, false],
  [`0.${'1'.repeat(40)}`, true, true, true],
  [`0.${'1'.repeat(41)}`, false, false, false],
  ['1e100', false, false, false],
  ['1.', false, false, false],
  ['.5', false, false, false],
  ['1e', false, false, false],
  ['x1', false, false, false],
  ['1x', false, false, false],
  ['1 ', false, false, false],
  ['', false, false, false],
  [1, false, false, false],
  [null, false, false, false],
  [['1'], false, false, false],
])('%j', (value, ...expected) => {
  expect([isDecimal, isAmount, isOrderNumber].map((check) => check(value))).toEqual(expected);
});

test.each<[unknown, boolean, boolean]>([
  [0, true, true],
  [1, true, true],
  [-1, true, false],
  [1.5, true, false],
  [2 ** 53, true, false],
  [Number.NaN, false, false],
  [Number.POSITIVE_INFINITY, false, false],
  ['1', false, false],
  [null, false, false],
  [undefined, false, false],
])('%j as a time and as a count', (value, time, count) => {
  expect([isTime(value), isCount(value)]).toEqual([time, count]);
});

test('a field that is missing is no damage where it is optional', () => {
  expect([undefined, 1, null, 'x'].map(optional(isTime))).toEqual([true, true, false, false]);
});
