import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPence, normalizeCurrency, priceNote, toMajorUnits } from '../../src/market/currency-units.ts';

test('pence are recognised however they are written', () => {
  expect(['GBX', 'gbx', 'GBp', ' GBX '].map(isPence)).toEqual([true, true, true, true]);
  expect(['GBP', 'USD', '', undefined].map(isPence)).toEqual([false, false, false, false]);
});

test('a currency code is in upper case, or missing', () => {
  expect([' eur', 'GBp', 'gbp', 'GBX', '  ', undefined].map(normalizeCurrency)).toEqual([
    'EUR',
    'GBX',
    'GBP',
    'GBX',
    undefined,
    undefined,
  ]);
});

test.each([
  ['250', 'GBX', '2.5', 'GBP'],
  ['-0.01', 'GBX', '-0.0001', 'GBP'],
  ['0', 'GBX', '0', 'GBP'],
  ['123456789012345678901.23456789', 'GBX', '1234567890123456789.0123456789', 'GBP'],
  ['0.00000000001', 'GBX', '0.0000000000001', 'GBP'],
  ['250', 'GBP', '250', 'GBP'],
  ['0.00000000001', 'usd', '0.00000000001', 'USD'],
])('%s %s is %s %s', (amount, currency, major, majorCurrency) => {
  expect(toMajorUnits(amount, currency)).toEqual({ amount: major, currency: majorCurrency });
});

test('an amount without a currency stays as it is', () => {
  expect(toMajorUnits('7', undefined)).toEqual({ amount: '7', currency: undefined });
});

test('no digit is lost on the way to pounds', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (pence) => {
      const { amount } = toMajorUnits(String(pence), 'GBX');
      const [whole = '', fraction = ''] = amount.split('.');
      expect(BigInt(whole + fraction.padEnd(2, '0'))).toBe(pence);
    }),
  );
});

test('a note is given for pence alone', () => {
  expect(priceNote('GBX')).toBe('Prices of this instrument are in pence (GBX): 100 GBX are 1 GBP.');
  expect(priceNote('GBP')).toBeUndefined();
  expect(priceNote(undefined)).toBeUndefined();
});
