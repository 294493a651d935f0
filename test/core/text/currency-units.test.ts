import { expect, test } from 'vitest';
import { isPence, normalizeCurrency } from '../../../src/core/text/currency-units.ts';

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
