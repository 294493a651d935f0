/** In which currency the amounts of a table are, and which columns a narrow terminal leaves out. */
import { expect, test } from 'vitest';
import { findLeastImportant, joinCurrencies } from '../../src/cli/format-table.ts';

/** The cells of a table with one row, by the names of its columns. */
const join = (row: Readonly<Record<string, unknown>>) => {
  const { names, rows } = joinCurrencies({ names: Object.keys(row), rows: [Object.values(row)] });
  return Object.fromEntries(names.map((name, at) => [name, rows[0]?.[at]]));
};

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'an order',
    { limitPrice: '71.25', stopPrice: '70', lastKnownPrice: '72', percentFromLast: '-1.0', priceCurrency: 'GBX' },
    { limitPrice: '71.25 GBX', stopPrice: '70 GBX', lastKnownPrice: '72 GBX', percentFromLast: '-1.0' },
  ],
  [
    'a leg of a draft, whose value is in the currency of the account',
    { quantity: '5', priceCurrency: 'USD', price: '9', priceNow: '10', value: '40.00' },
    { quantity: '5', price: '9 USD', priceNow: '10 USD', value: '40.00' },
  ],
  [
    'a fill, whose price and value have currencies of their own',
    { price: '9', currency: 'USD', netValue: '7.00', realisedProfitLoss: '-1.50', accountCurrency: 'GBP' },
    { price: '9 USD', netValue: '7.00 GBP', realisedProfitLoss: '-1.50 GBP' },
  ],
  [
    'a dividend',
    { quantity: '5', grossAmountPerShare: '0.5', tickerCurrency: 'USD', amount: '2.10', currency: 'GBP' },
    { quantity: '5', grossAmountPerShare: '0.5 USD', amount: '2.10 GBP' },
  ],
  [
    'a position, whose value is in the currency of the account',
    { currency: 'GBX', quantity: '5', averagePricePaid: '698', currentPrice: '700', currentValue: '35.00' },
    { quantity: '5', averagePricePaid: '698 GBX', currentPrice: '700 GBX', currentValue: '35.00' },
  ],
  [
    'a sale',
    { currency: 'GBP', proceeds: '9.00', cost: '7.00', gain: '2.00', gains: '2.00', losses: '0.00' },
    { proceeds: '9.00 GBP', cost: '7.00 GBP', gain: '2.00 GBP', gains: '2.00 GBP', losses: '0.00 GBP' },
  ],
  [
    'a sale with its charges',
    { proceeds: '9.00', charges: '0.00', currency: 'GBP', matches: ['section_104 5 = 7.00'] },
    { proceeds: '9.00 GBP', charges: '0.00 GBP', matches: ['section_104 5 = 7.00'] },
  ],
  [
    'a group of dividends',
    {
      country: 'US',
      currency: 'USD',
      amount: '85.00',
      gross: '100.00',
      withheld: '15.00',
      trailingTwelveMonths: '9.00',
    },
    {
      country: 'US',
      amount: '85.00 USD',
      gross: '100.00 USD',
      withheld: '15.00 USD',
      trailingTwelveMonths: '9.00 USD',
    },
  ],
  ['a row of a report', { Total: '9.00', 'Currency (Total)': 'EUR', Fee: '1' }, { Total: '9.00 EUR', Fee: '1' }],
  ['a number', { amount: 9, currency: 'GBP' }, { amount: '9 GBP' }],
  ['an amount without a currency', { amount: '9', currency: null }, { amount: '9' }],
  ['an amount that is unknown', { amount: null, currency: 'GBP' }, { amount: null }],
  ['an amount that is empty', { amount: '', currency: 'GBP' }, { amount: '' }],
  ['a currency of no amount', { name: 'A', currency: 'GBP' }, { name: 'A', currency: 'GBP' }],
])('the currency of %s stands beside its amounts alone', (_, row, expected) => {
  expect(join(row)).toEqual(expected);
});

test.each([
  [['ticker', 'ISIN', 'id', 'type', 'remark'], 'ISIN'],
  [['ticker', 'id', 'type', 'remark'], 'id'],
  [['ticker', 'type', 'remark'], 'type'],
  [['ticker', 'remark', 'other'], 'other'],
  [['ticker', 'amount', 'name', 'status', 'time', 'total'], 'name'],
  [['ticker', 'amount', 'status', 'time', 'total', 'action'], 'status'],
  [['ticker', 'amount', 'time', 'total', 'action'], 'time'],
  [['ticker', 'amount', 'total', 'action'], 'total'],
  [['ticker', 'amount', 'action', 'value', 'cost', 'proceeds'], 'action'],
  [['ticker', 'amount', 'value', 'cost', 'proceeds'], 'cost'],
  [['ticker', 'amount', 'value', 'proceeds'], 'proceeds'],
  [['ticker', 'gain', 'amount', 'side', 'quantity', 'price', 'value'], 'value'],
  [['ticker', 'gain', 'amount', 'side', 'quantity', 'price'], 'price'],
  [['ticker', 'gain', 'amount', 'side', 'quantity'], 'quantity'],
  [['ticker', 'gain', 'amount', 'side'], 'side'],
  [['ticker', 'gain', 'amount'], 'gain'],
  [['ticker', 'amount'], 'amount'],
  [[], undefined],
])('of the columns %j the next one that is left out is %s', (headers, header) => {
  expect(findLeastImportant(headers)).toBe(header);
});
