/** Payments of capital as changes of the cost. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { describeManufacturedCapital, listPaidCapital, toCostRow } from '../../../src/features/gains/apply-records.ts';
import { dividend } from '../analytics/support.ts';
import { at } from './trades.ts';

const paidOn = '2024-06-10T12:00:00Z';
const paid = (amount: string | undefined, more = {}) => ({
  ...dividend({ ticker: 'A', paidOn, type: 'RETURN_OF_CAPITAL' }),
  amount,
  ...more,
});

test.each([
  ['3000', true, 'CAPITAL_RETURNED', '-3000'],
  ['3000.01', true, 'CAPITAL_DISTRIBUTED', '3000.01'],
  ['3000.01', false, 'CAPITAL_RETURNED', '-3000.01'],
  // A correction has the size of what it corrects.
  ['-3000', true, 'CAPITAL_RETURNED', '3000'],
  ['-3000.01', true, 'CAPITAL_DISTRIBUTED', '-3000.01'],
  ['-3000.01', false, 'CAPITAL_RETURNED', '3000.01'],
])('%s of returned capital, by the UK rules %s, is %s of %s', (amount, isUk, type, change) => {
  expect(listPaidCapital([paid(amount)], isUk)).toEqual([
    { type, at: at(paidOn), ticker: 'A', currency: 'GBP', amount: new Big(change) },
  ]);
});

test.each([true, false])('a payment of a liquidation is a distribution, however small; UK rules %s', (isUk) => {
  expect(listPaidCapital([paid('1', { type: 'INTERIM_LIQUIDATION' })], isUk)).toEqual([
    { type: 'CAPITAL_DISTRIBUTED', at: at(paidOn), ticker: 'A', currency: 'GBP', amount: new Big(1) },
  ]);
});

test.each([
  ['no date', { paidOn: undefined }],
  ['no amount', { amount: undefined }],
  ['no ticker', { ticker: undefined }],
  ['no type', { type: undefined }],
  ['income', { type: 'ORDINARY' }],
  ['a demerger', { type: 'DEMERGER' }],
  ['paid by the borrower of the shares', { type: 'RETURN_OF_CAPITAL_MANUFACTURED_PAYMENT' }],
])('a payment that is %s changes no cost', (_, more) => {
  expect(listPaidCapital([paid('5', more)], true)).toEqual([]);
});

test('a change of cost is a row of no shares, and the value has its sign', () => {
  const change = { type: 'CAPITAL_RETURNED', at: 5, ticker: 'A', amount: new Big(-7), currency: 'GBP' } as const;
  expect(toCostRow(change)).toEqual({
    at: 5,
    ticker: 'A',
    isin: undefined,
    currency: undefined,
    side: 'BUY',
    type: 'CAPITAL_RETURNED',
    quantity: new Big(0),
    price: undefined,
    netValue: new Big(-7),
    valueCurrency: 'GBP',
    realisedProfitLoss: undefined,
    charges: [],
    orderId: undefined,
    fillId: undefined,
  });
});

test('payments of the borrower are named by ticker, type and currency, with their sum', () => {
  const type = 'RETURN_OF_CAPITAL_MANUFACTURED_PAYMENT';
  const rest =
    'came from the borrower of the shares and not from the company, so it is not deducted from their cost, and no gain includes it.';
  const rows = [
    paid('5', { type }),
    paid('1.5', { type }),
    paid(undefined, { type }),
    paid('3', { type, currency: 'USD' }),
    paid('4', { type, currency: undefined, ticker: undefined }),
    paid('8', { type: 'ORDINARY_MANUFACTURED_PAYMENT' }),
    paid('9'),
    paid('9', { type: undefined }),
  ];
  expect(describeManufacturedCapital(rows)).toEqual([
    `A: 6.50 GBP of ${type} ${rest}`,
    `A: 3.00 USD of ${type} ${rest}`,
    `A ticker that is not named: 4.00 of ${type} ${rest}`,
  ]);
});
