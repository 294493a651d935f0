/** The table of excess reportable income. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { buildFundIncomeSections } from '../../../src/features/tax-pack/gain-sections.ts';

const income = (amount: string, currency = 'GBP') => ({
  isin: 'IE00B3XXRP09',
  ticker: 'A',
  periodEnd: '2024-12-31',
  taxedOn: '2025-06-30',
  shares: new Big('1.5'),
  amount: new Big(amount),
  currency,
});

test('each row is rounded, and the total is that of the exact amounts', () => {
  expect(buildFundIncomeSections([income('5.005'), income('1.005')])).toEqual([
    {
      name: 'excess-reportable-income',
      title: 'Excess reportable income of offshore funds',
      note: 'From eri.csv: the amount of the shares held at the end of the period, which also joins their cost.',
      figures: [['Total GBP', '6.01']],
      columns: ['ticker', 'isin', 'periodEnd', 'taxedOn', 'shares', 'amount', 'currency'],
      rows: [
        ['A', 'IE00B3XXRP09', '2024-12-31', '2025-06-30', '1.5', '5.01', 'GBP'],
        ['A', 'IE00B3XXRP09', '2024-12-31', '2025-06-30', '1.5', '1.01', 'GBP'],
      ],
    },
  ]);
});

test('income of two currencies has no total, and none has no table', () => {
  expect(buildFundIncomeSections([income('5'), income('1', 'USD')])[0]?.figures).toEqual([]);
  expect(buildFundIncomeSections([])).toEqual([]);
});
