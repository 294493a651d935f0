import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countDecimals, toAmount, toDecimalString } from '../../../src/core/endpoints/decimal.ts';
import { runs } from '../../support/runs.ts';

const magnitudeOf = (value: Big) => (value.eq(0) ? 0 : value.e);

describe('a decimal', () => {
  test.each([
    ['1e30', `1${'0'.repeat(30)}`],
    ['-1e-30', `-0.${'0'.repeat(29)}1`],
    [`${'9'.repeat(31)}`, '9'.repeat(31)],
    [`0.${'1'.repeat(40)}`, `0.${'1'.repeat(40)}`],
    ['0E-999999999', '0'],
    [`  ${'0'.repeat(50)}7.50 `, '7.5'],
    [1e21, '1000000000000000000000'],
  ])('%s is %s', (value, exact) => {
    expect(toDecimalString(value)).toBe(exact);
  });

  test.each([
    ['1e31'],
    ['1e-31'],
    ['1e999999999999'],
    [1e31],
    [Number.MIN_VALUE],
    [Number.POSITIVE_INFINITY],
    ['1'.repeat(41)],
    [`0.${'1'.repeat(41)}`],
    [`1${'0'.repeat(1_000_000)}1`],
    ['0'.repeat(101)],
    [' '.repeat(1_000_000)],
  ])('is refused when it is too long, too large or too small (case %#)', (value) => {
    expect(toDecimalString(value)).toBeUndefined();
  });

  test('is exact within 40 digits and 30 powers of ten, and refused beyond them', () => {
    const parts = fc.tuple(
      fc.constantFrom('', '-', '+'),
      fc.stringMatching(/^\d{1,45}$/),
      fc.stringMatching(/^(\.\d{0,45})?$/),
      fc.stringMatching(/^([eE][+-]?\d{1,3})?$/),
    );
    fc.assert(
      fc.property(parts, ([sign, whole, fraction, exponent]) => {
        const exact = toDecimalString(`${sign}${whole}${fraction}${exponent}`);
        const value = new Big(`${sign === '-' ? '-' : ''}${whole}${fraction.length > 1 ? fraction : ''}${exponent}`);
        const isBounded = value.c.length <= 40 && Math.abs(magnitudeOf(value)) <= 30;
        expect(exact).toBe(isBounded ? value.toFixed().replace(/^-0$/, '0') : undefined);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('of a number is what big.js makes of it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()), (number) => {
        const value = new Big(number);
        const isBounded = Math.abs(magnitudeOf(value)) <= 30;
        expect(toDecimalString(number)).toBe(isBounded ? value.toFixed().replace(/^-0$/, '0') : undefined);
      }),
      {
        numRuns: runs(1_000),
        examples: [[-0], [0.1 + 0.2], [2 ** 53 + 2], [1e-6], [1e-7], [999_999_999_999_999_900_000], [1e21]],
      },
    );
  });

  test('knows its number of decimals', () => {
    expect(['12', '0.5', '-3.0625'].map(countDecimals)).toEqual([0, 1, 4]);
  });
});

describe('an amount that a person wrote', () => {
  test.each([
    ['45.00', '45'],
    ['0.1234', '0.1234'],
    ['007', '7'],
    [`1${'0'.repeat(30)}`, `1${'0'.repeat(30)}`],
    ['1'.repeat(31), '1'.repeat(31)],
  ])('%j is %j', (text, exact) => {
    expect(toAmount(text)).toBe(exact);
  });

  test.each(['', '-1', '+1', '1e3', '.5', '1.', ' 1', '1,5', '１', `1${'0'.repeat(31)}`, `1.${'1'.repeat(40)}`])(
    '%j is none',
    (text) => {
      expect(toAmount(text)).toBeUndefined();
    },
  );

  test.each([101, 400_000])('%i digits are none', (count) => {
    expect(toAmount('9'.repeat(count))).toBeUndefined();
  });
});
