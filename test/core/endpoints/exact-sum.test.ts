import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSum } from '../../../src/core/endpoints/exact-sum.ts';
import { formatMoney } from '../../../src/core/text/format-figures.ts';

const text = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 14 }))
  .map(([units, decimals]) => new Big(`${units}e-${decimals}`).toFixed());

test('equals the sum in integers of the smallest unit, for texts and numbers', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (amounts) => {
      const [ofTexts, ofNumbers] = [createSum(), createSum()];
      let units = 0n;
      for (const amount of amounts) {
        ofTexts.add(amount);
        ofNumbers.add(new Big(amount));
        const [whole = '', fraction = ''] = amount.split('.');
        units += BigInt(whole + fraction.padEnd(14, '0'));
      }
      for (const sum of [ofTexts, ofNumbers]) {
        expect(sum.total().times('1e14').toFixed()).toBe(String(units));
        expect(sum.count).toBe(amounts.length);
      }
    }),
  );
});

test('stays exact where a double would lose digits', () => {
  const sum = createSum();
  for (let n = 0; n < 30; n++) sum.add('999999999999.99');
  for (let n = 0; n < 10; n++) sum.add('0.1');
  sum.add('-0.001');
  expect(sum.total().toFixed()).toBe('30000000000000.699');
  const many = createSum();
  // 15 digits each: the sum exceeds 2^53, so the doubles must be emptied on the way.
  for (let n = 0; n < 40; n++) many.add(new Big('999999999999999'));
  expect(many.total().toFixed()).toBe('39999999999999960');
});

test('money is rounded half up, and never to a negative zero', () => {
  expect(['1.005', '-1.005', '2.675', '-0.001', '0.004'].map((value) => formatMoney(new Big(value)))).toEqual([
    '1.01',
    '-1.01',
    '2.68',
    '0.00',
    '0.00',
  ]);
  expect(formatMoney(undefined)).toBeUndefined();
});
