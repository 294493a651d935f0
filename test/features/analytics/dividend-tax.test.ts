import { describe, expect, test } from 'vitest';
import type { Dividend } from '../../../src/core/endpoints/index.ts';
import { computeDividendTax } from '../../../src/features/analytics/dividend-tax.ts';
import { dividend } from './support.ts';

/** Ten shares that paid into an account in pounds. */
const taxOf = (amount: string | undefined, fields: Partial<Dividend>, quantity = '10') => {
  const row = { ...dividend({ ticker: 'A', quantity, ...(amount === undefined ? {} : { amount }) }), ...fields };
  const { gross, ownGross, ownWithheld } = computeDividendTax(row, 'GBP');
  return [gross && `${gross.amount} ${gross.currency}`, ownGross?.toFixed(2), ownWithheld?.toFixed(2)];
};

describe('in the currency of the payment', () => {
  test('the tax is what is missing of quantity × gross amount per share', () => {
    expect(taxOf('8.5', { grossAmountPerShare: '1', tickerCurrency: 'GBP' })).toEqual(['10 GBP', '10.00', '1.50']);
  });

  test('an amount per share in pence is a hundredth in pounds', () => {
    expect(taxOf('10', { grossAmountPerShare: '100', tickerCurrency: 'GBX' })).toEqual(['10 GBP', '10.00', '0.00']);
  });

  test('a difference below a penny is a rounding and no tax', () => {
    expect(taxOf('1.23', { grossAmountPerShare: '0.12345', tickerCurrency: 'GBP' })).toEqual([
      '1.2345 GBP',
      '1.23',
      '0.00',
    ]);
  });

  test('the tax is unknown where the payment is larger than its gross amount', () => {
    expect(taxOf('10', { grossAmountPerShare: '1', tickerCurrency: 'GBX' })).toEqual(['0.1 GBP', undefined, undefined]);
  });

  test.each(['10', '-10'])('a reversal has negative amounts, whatever the sign of its quantity (%s)', (quantity) => {
    expect(taxOf('-8.5', { grossAmountPerShare: '1', tickerCurrency: 'GBP' }, quantity)).toEqual([
      '-10 GBP',
      '-10.00',
      '-1.50',
    ]);
  });
});

describe('in another currency', () => {
  const dollars = { grossAmountPerShare: '1', tickerCurrency: 'USD' };

  test('the tax is unknown without a rate', () => {
    expect(taxOf('6.8', dollars)).toEqual(['10 USD', undefined, undefined]);
  });

  test('a named tax makes the payment its own exchange rate', () => {
    // 8.50 of 10 dollars are 6.80 pounds, so 10 are 8.00.
    expect(taxOf('6.8', { ...dollars, withholdingTax: '1.5', withholdingTaxCurrency: 'USD' })).toEqual([
      '10 USD',
      '8.00',
      '1.20',
    ]);
    expect(taxOf('6.8', { ...dollars, withholdingTax: '1.5' })).toEqual(['10 USD', '8.00', '1.20']);
  });

  test('a tax named in the currency of the payment needs no rate', () => {
    const named = { withholdingTax: '1.2', withholdingTaxCurrency: 'GBP' };
    expect(taxOf('6.8', { ...dollars, ...named })).toEqual(['10 USD', '8.00', '1.20']);
    expect(taxOf('6.8', named)).toEqual([undefined, '8.00', '1.20']);
  });

  test('a tax of the complete amount or in a third currency is not converted', () => {
    expect(taxOf('6.8', { ...dollars, withholdingTax: '10' })).toEqual(['10 USD', undefined, undefined]);
    expect(taxOf('6.8', { ...dollars, withholdingTax: '1', withholdingTaxCurrency: 'EUR' })).toEqual([
      '10 USD',
      undefined,
      undefined,
    ]);
  });
});

test('a row without an amount has at most its gross amount', () => {
  expect(taxOf(undefined, { grossAmountPerShare: '1', tickerCurrency: 'GBP' })).toEqual([
    '10 GBP',
    undefined,
    undefined,
  ]);
  expect(taxOf('1', {})).toEqual([undefined, undefined, undefined]);
});
