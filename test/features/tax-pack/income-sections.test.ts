/** The tables of dividends, interest and costs: which column has which fact, and in which currency. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Payment } from '../../../src/features/analytics/dividend-payments.ts';
import {
  buildCostSection,
  buildDividendSections,
  buildInterestSection,
} from '../../../src/features/tax-pack/income-sections.ts';

const toDay = (at: number) => `DAY ${at}`;

test('interest has the currency of its booking, and that of the account where the booking names none', () => {
  const flows = [
    { at: 1, type: 'INTEREST', amount: new Big('1.005'), currency: 'USD' },
    { at: 2, type: 'INTEREST', amount: new Big('2'), currency: undefined },
    { at: 3, type: 'INTEREST', amount: new Big('1.005'), currency: 'USD' },
  ];
  const section = buildInterestSection(flows as never, 'GBP', toDay);
  expect(section).toMatchObject({ columns: ['paidOn', 'type', 'amount', 'currency'] });
  expect(section.rows).toEqual([
    ['DAY 1', 'INTEREST', '1.01', 'USD'],
    ['DAY 2', 'INTEREST', '2.00', 'GBP'],
    ['DAY 3', 'INTEREST', '1.01', 'USD'],
  ]);
  // The sum is of the exact amounts.
  expect(section.figures).toEqual([
    ['INTEREST GBP', '2.00'],
    ['INTEREST USD', '2.01'],
  ]);
  expect(section.totals).toEqual([
    { currency: 'USD', count: 2, sums: { amount: '2.01' } },
    { currency: 'GBP', count: 1, sums: { amount: '2.00' } },
  ]);
});

test('costs are in the order of their days, each in its currency, with a total of each', () => {
  const charges = [
    { at: 3, ticker: 'B', name: 'STAMP_DUTY', amount: new Big('3'), currency: undefined },
    { at: 1, ticker: 'A', name: 'STAMP_DUTY', amount: new Big('1'), currency: 'USD' },
    { at: 2, ticker: 'account', name: 'FEE', amount: new Big('-2'), currency: 'GBP' },
  ];
  const section = buildCostSection(charges as never, 'GBP', toDay);
  expect(section).toMatchObject({ columns: ['chargedOn', 'ticker', 'name', 'amount', 'currency'] });
  expect(section.rows).toEqual([
    ['DAY 1', 'A', 'STAMP_DUTY', '1.00', 'USD'],
    ['DAY 2', 'account', 'FEE', '-2.00', 'GBP'],
    ['DAY 3', 'B', 'STAMP_DUTY', '3.00', 'GBP'],
  ]);
  expect(section.figures).toEqual([
    ['FEE GBP', '-2.00'],
    ['STAMP_DUTY GBP', '3.00'],
    ['STAMP_DUTY USD', '1.00'],
  ]);
});

/** Ten shares pay 0.5 dollars each, of which 0.75 are withheld; the account is in pounds. */
const payment = (row: object, change: object = {}) =>
  ({
    at: 5,
    ticker: 'A',
    type: 'ORDINARY',
    quantity: '10',
    amount: '4.25',
    currency: 'USD',
    ...change,
    row: {
      ticker: 'A',
      type: 'ORDINARY',
      quantity: '10',
      amount: '4.25',
      currency: 'USD',
      grossAmountPerShare: '0.5',
      tickerCurrency: 'USD',
      instrument: { ticker: 'A', name: 'A plc', isin: 'US0000000001', currency: 'EUR' },
      ...row,
    },
  }) as unknown as Payment;

const dividends = (payments: readonly Payment[]) => {
  const [byCountry, each] = buildDividendSections(payments, 'GBP', toDay, 9);
  const named = each?.rows.map((row) => Object.fromEntries(each.columns.map((name, at) => [name, row[at]])));
  return { byCountry, named };
};

test('a dividend has its gross per share in the currency that the row names for it', () => {
  expect(dividends([payment({})]).named).toEqual([
    {
      paidOn: 'DAY 5',
      ticker: 'A',
      name: 'A plc',
      isin: 'US0000000001',
      country: 'US',
      type: 'ORDINARY',
      treatment: 'ordinary',
      quantity: '10',
      grossAmountPerShare: '0.5',
      instrumentCurrency: 'USD',
      gross: '5.00',
      withheld: '0.75',
      paid: '4.25',
      currency: 'USD',
      grossInInstrumentCurrency: '5.00 USD',
    },
  ]);
  expect(dividends([payment({ tickerCurrency: undefined })]).named?.[0]?.instrumentCurrency).toBe('EUR');
});

test('the countries are in the order of their codes', () => {
  const of = (isin: string) => payment({ instrument: { ticker: 'A', isin, currency: 'USD' } });
  const { byCountry } = dividends(['US0000000001', 'GB0000000001', 'IE0000000001'].map(of));
  expect(byCountry?.rows.map(([country]) => country)).toEqual(['GB', 'IE', 'US']);
});

test('each country, treatment and currency has its sums, and what is unknown is counted', () => {
  const gb = { instrument: { ticker: 'A', isin: 'GB0000000001', currency: 'GBP' } };
  const capital = { type: 'RETURN_OF_CAPITAL' };
  const { byCountry } = dividends([
    payment({}),
    payment({ quantity: '20', amount: '8.50' }, { quantity: '20', amount: '8.50' }),
    payment({ ...gb, grossAmountPerShare: undefined }),
    payment({ ...gb, ...capital, grossAmountPerShare: undefined }, capital),
  ]);
  expect(byCountry).toMatchObject({
    name: 'dividends-by-country',
    columns: [
      'country',
      'treatment',
      'currency',
      'payments',
      'gross',
      'withheld',
      'paid',
      'withheldUnknown',
      'grossInInstrumentCurrency',
    ],
  });
  expect(byCountry?.rows).toEqual([
    ['GB', 'ordinary', 'USD', 1, null, null, '4.25', 1, ''],
    ['GB', 'return_of_capital', 'USD', 1, null, null, '4.25', 1, ''],
    ['US', 'ordinary', 'USD', 2, '15.00', '2.25', '12.75', 0, '15.00 USD'],
  ]);
  // 4.25 + 8.50 + 4.25; capital that is returned is no income.
  expect(byCountry?.figures).toEqual([['Dividends paid USD', '17.00']]);
});

test('a payment in another currency than its gross has no gross or tax of its own, and one without an amount nothing paid', () => {
  const [inPounds] = dividends([payment({ currency: 'GBP' }, { currency: 'GBP' })]).named ?? [];
  expect(inPounds).toMatchObject({
    gross: null,
    withheld: null,
    paid: '4.25',
    currency: 'GBP',
    grossInInstrumentCurrency: '5.00 USD',
  });
  const [unpaid] = dividends([payment({ amount: undefined }, { amount: undefined, at: undefined })]).named ?? [];
  expect(unpaid).toMatchObject({ paidOn: null, paid: null, withheld: null });
});

test('without a currency of booking and account the total has none in its name', () => {
  const flows = [{ at: 1, type: 'INTEREST', amount: new Big('2'), currency: undefined }];
  const section = buildInterestSection(flows as never, undefined, toDay);
  expect([section.figures, section.rows]).toEqual([[['INTEREST', '2.00']], [['DAY 1', 'INTEREST', '2.00', null]]]);
});

test('gross amounts in two currencies are listed one after the other', () => {
  const { byCountry } = dividends([payment({}), payment({ tickerCurrency: 'EUR' })]);
  expect(byCountry?.rows.map((row) => row.at(-1))).toEqual(['5.00 USD, 5.00 EUR']);
});

test('each table has its title', () => {
  const [byCountry, each] = buildDividendSections([], 'GBP', toDay, 9);
  const titles = [byCountry, each, buildInterestSection([], 'GBP', toDay), buildCostSection([], 'GBP', toDay)];
  expect(titles.map((section) => section?.title)).toEqual([
    'Dividends by country and treatment',
    'Dividends',
    'Interest',
    'Costs',
  ]);
});

test('what was paid by origin, treatment and currency is the exact amounts, rounded once', () => {
  const paid = (isin: string | undefined, amount: string | undefined, change: object = {}) =>
    payment({ amount, instrument: isin && { ticker: 'A', isin } }, { amount, ...change });
  const { byCountry } = dividends([
    paid('US0000000001', '0.104'),
    paid('FR0000000001', '0.104'),
    paid('FR0000000001', '0.104', { currency: 'GBP' }),
    paid('GB0000000001', '0.104'),
    paid('GB0000000001', '0.104', { type: 'INTEREST' }),
    paid('GB0000000001', undefined, { type: 'INTEREST' }),
    paid(undefined, '9.00'),
  ]);
  expect(byCountry?.paidSums).toEqual([
    // 0.104 + 0.104, of which each alone is 0.10.
    { isUk: false, treatment: 'ordinary', currency: 'USD', paid: '0.21' },
    { isUk: false, treatment: 'ordinary', currency: 'GBP', paid: '0.10' },
    { isUk: true, treatment: 'ordinary', currency: 'USD', paid: '0.10' },
    { isUk: true, treatment: 'interest', currency: 'USD', paid: undefined },
    { isUk: undefined, treatment: 'ordinary', currency: 'USD', paid: '9.00' },
  ]);
});

test('the totals of dividends say how many withheld taxes are unknown', () => {
  const { byCountry } = dividends([
    // In the currency of the payment, where the gross amount less the payment is the tax.
    payment({}),
    payment({ tickerCurrency: 'EUR' }),
    payment({ tickerCurrency: 'EUR' }, { currency: 'GBP' }),
  ]);
  expect(
    byCountry?.totals?.map(({ currency, count, sums }) => [currency, count, sums.withheld, sums.withheldUnknown]),
  ).toEqual([
    ['USD', 2, undefined, '1'],
    ['GBP', 1, undefined, '1'],
  ]);
});
