import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fraction, hundred, one, sum, zero } from '../../../src/features/planner/fraction.ts';
import { runs } from '../../support/runs.ts';

const of = (text: string) => Fraction.parse(text);
const third = one.div(of('3'));

test.each<[string, number, string, string, string]>([
  // Value, decimals, then down, up and to the nearest, a half away from zero.
  ['2.5', 0, '2', '3', '3'],
  ['-2.5', 0, '-3', '-2', '-3'],
  ['2.4', 0, '2', '3', '2'],
  ['-2.4', 0, '-3', '-2', '-2'],
  ['0.005', 2, '0', '0.01', '0.01'],
  ['-0.005', 2, '-0.01', '0', '-0.01'],
  ['1.23', 2, '1.23', '1.23', '1.23'],
  ['-1.23', 2, '-1.23', '-1.23', '-1.23'],
  ['0', 2, '0', '0', '0'],
])('%s is rounded to %i decimals', (text, decimals, down, up, half) => {
  const rounded = (['down', 'up', 'half'] as const).map((mode) => of(text).round(decimals, mode).toDecimal(4));
  expect(rounded).toEqual([down, up, half]);
});

test.each<[Fraction, number, string, string]>([
  [third, 4, '0.3333', '0.3333'],
  [zero.minus(third), 4, '-0.3333', '-0.3333'],
  [of('0.05'), 1, '0.1', '0.1'],
  [of('-0.04'), 1, '0.0', '0'],
  [of('12'), 2, '12.00', '12'],
  [of('-12.5'), 0, '-13', '-13'],
  [of('1200'), 0, '1200', '1200'],
  [of('0.001'), 3, '0.001', '0.001'],
])('a fraction is written with %2$i decimals, and without trailing zeros', (value, decimals, fixed, decimal) => {
  expect([value.toFixed(decimals), value.toDecimal(decimals)]).toEqual([fixed, decimal]);
});

test('a text that is no decimal, and a division by zero, throw', () => {
  for (const text of ['', 'a', '1/2', '1'.repeat(60)]) expect(() => of(text)).toThrow(RangeError);
  expect(() => one.div(zero)).toThrow(RangeError);
});

test('a division by a negative number changes the sign', () => {
  expect(one.div(of('-4')).toDecimal(2)).toBe('-0.25');
  expect(of('-1').div(of('-4')).toDecimal(2)).toBe('0.25');
  expect(one.div(of('-4')).lt(zero)).toBe(true);
});

describe('exactness', () => {
  const decimal = fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat({ max: 6 }));
  const toFraction = ([top, decimals]: [number, number]) => of(String(top)).div(of(`1${'0'.repeat(decimals)}`));

  test('no digit is lost, also where the denominators grow very long', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 1, maxLength: 40 }), decimal, (parts, start) => {
        const divisors = parts.filter(([top]) => top !== 0).map(toFraction);
        const there = divisors.reduce((value, each) => value.div(each).plus(third), toFraction(start));
        const back = divisors.toReversed().reduce((value, each) => value.minus(third).times(each), there);
        expect(back.eq(toFraction(start))).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  test('values are compared, not their spelling', () => {
    expect(sum([third, third, third]).eq(one)).toBe(true);
    expect([third.compare(of('0.3')), of('0.3').compare(third), third.compare(of('2').div(of('6')))]).toEqual([
      1, -1, 0,
    ]);
    expect([third.min(one), one.min(third), third.max(one), one.max(third)].map((each) => each.toFixed(1))).toEqual([
      '0.3',
      '0.3',
      '1.0',
      '1.0',
    ]);
    expect([of('-2').abs(), of('2').abs(), zero.abs()].map((each) => each.toDecimal(0))).toEqual(['2', '2', '0']);
    expect(hundred.times(third).toFixed(2)).toBe('33.33');
  });
});
