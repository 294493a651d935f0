import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatPercent } from '../../../src/core/text/format-figures.ts';
import { type CashFlow, toCashFlows } from '../../../src/features/analytics/cash-flows.ts';
import { type CostGroup, type CostQuestion, summarizeCosts } from '../../../src/features/analytics/costs.ts';
import { type Trade, toTrades } from '../../../src/features/analytics/trades.ts';
import { at, simulated } from './support.ts';

const trade = (figures: {
  day: string;
  ticker?: string;
  net?: string;
  type?: string;
  charges?: readonly [string, string, string?][];
}): Trade => ({
  at: at(figures.day),
  ticker: figures.ticker ?? 'A',
  isin: undefined,
  currency: 'GBP',
  side: 'BUY',
  type: figures.type ?? 'TRADE',
  quantity: new Big(1),
  price: undefined,
  netValue: figures.net === undefined ? undefined : new Big(figures.net),
  valueCurrency: 'GBP',
  realisedProfitLoss: undefined,
  charges: (figures.charges ?? []).map(([name, amount, currency]) => ({ name, amount: new Big(amount), currency })),
  orderId: undefined,
  fillId: undefined,
});

const fee = (day: string, amount: string, type = 'FEE'): CashFlow => ({
  at: at(day),
  type,
  amount: new Big(amount),
  currency: 'GBP',
  isExternal: false,
});

const trades = [
  trade({
    day: '2025-12-31T23:59:59Z',
    net: '1000',
    charges: [
      ['STAMP_DUTY', '5.00', 'GBP'],
      ['PTM_LEVY', '1.50', 'GBP'],
    ],
  }),
  trade({ day: '2026-01-01', ticker: 'B', net: '600', charges: [['CURRENCY_CONVERSION_FEE', '0.90']] }),
  trade({ day: '2026-02-01', ticker: 'B', net: '400', charges: [['CURRENCY_CONVERSION_FEE', '0.60', 'GBP']] }),
];
const flows = [fee('2026-02-03', '-12.00'), fee('2026-03-03', '2.00'), fee('2026-03-04', '-0.01', 'LENDING_FEE')];
const question = (options: Partial<CostQuestion>): CostQuestion => ({
  groupBy: 'name',
  flows,
  currency: 'GBP',
  ...options,
});
const line = ({ group, amount, count }: CostGroup) => [group, formatMoney(amount), count];

test('charges by name include account fees, less a refund', () => {
  const result = summarizeCosts(trades, question({}));
  expect(result.groups.map(line)).toEqual([
    ['ACCOUNT_FEE', '10.00', 2],
    ['STAMP_DUTY', '5.00', 1],
    ['CURRENCY_CONVERSION_FEE', '1.50', 2],
    ['PTM_LEVY', '1.50', 1],
    ['LENDING_FEE', '0.01', 1],
  ]);
  expect([formatMoney(result.total), result.count, formatMoney(result.turnover)]).toEqual(['18.01', 7, '2000.00']);
  // 18.01 / 2,000 = 0.9005 %
  expect(result.percentOfTurnover?.toFixed()).toBe('0.9005');
  expect(formatPercent(result.percentOfTurnover)).toBe('0.90');
  expect(result).toMatchObject({ trades: 3, tradesWithoutCosts: [], reason: undefined });
});

test('charges by UTC month, by year and by ticker', () => {
  expect(summarizeCosts(trades, question({ groupBy: 'month' })).groups.map(line)).toEqual([
    ['2025-12', '6.50', 2],
    ['2026-01', '0.90', 1],
    ['2026-02', '12.60', 2],
    ['2026-03', '-1.99', 2],
  ]);
  expect(summarizeCosts(trades, question({ groupBy: 'year' })).groups.map(line)).toEqual([
    ['2025', '6.50', 2],
    ['2026', '11.51', 5],
  ]);
  expect(summarizeCosts(trades, question({ groupBy: 'ticker' })).groups.map(line)).toEqual([
    ['account', '10.01', 3],
    ['A', '6.50', 2],
    ['B', '1.50', 2],
  ]);
});

test('since is inclusive, until is exclusive, and one ticker has no account fees', () => {
  const range = { since: at('2026-01-01'), until: at('2026-02-01') };
  expect(summarizeCosts(trades, question(range)).groups.map(line)).toEqual([['CURRENCY_CONVERSION_FEE', '0.90', 1]]);
  expect(summarizeCosts(trades, question({ ticker: 'A' })).groups.map(line)).toEqual([
    ['STAMP_DUTY', '5.00', 1],
    ['PTM_LEVY', '1.50', 1],
  ]);
});

test('a charge in another currency is listed apart and not added to the total', () => {
  const rows = [
    ...trades,
    trade({
      day: '2026-03-01',
      net: '100',
      charges: [
        ['FINRA_FEE', '9', 'USD'],
        ['TRANSACTION_FEE', '1', 'USD'],
      ],
    }),
  ];
  const result = summarizeCosts(rows, question({}));
  expect(formatMoney(result.total)).toBe('18.01');
  expect(result.otherCurrencies.map(({ currency, amount, count }) => [currency, formatMoney(amount), count])).toEqual([
    ['USD', '10.00', 2],
  ]);
  expect(result.groups.find(({ group }) => group === 'FINRA_FEE')).toMatchObject({ currency: 'USD', count: 1 });
  expect(result.reason).toBe('The percentage excludes charges and trades in USD.');
});

test('trades without charge data are counted, and the percentage is left out', () => {
  const rows = [...trades, trade({ day: '2026-03-01' }), trade({ day: '2026-03-02', type: 'STOCK_SPLIT' })];
  const result = summarizeCosts(rows, question({}));
  expect(result).toMatchObject({ trades: 4, turnover: undefined, percentOfTurnover: undefined });
  expect(result.tradesWithoutCosts).toEqual(['A on 2026-03-01']);
  expect(result.reason).toBe(
    'The service does not report the amount of 1 of 4 trades (A on 2026-03-01), so the turnover is unknown.',
  );
  expect(summarizeCosts([], question({ flows: [] })).reason).toBe('This range has no trades.');
});

test('groups add up to the total under every grouping', () => {
  const charge = fc.tuple(
    fc.constantFrom('STAMP_DUTY', 'PTM_LEVY', 'FINRA_FEE'),
    fc.integer({ min: 0, max: 9_999_999 }),
  );
  const rows = fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 900 }),
      ticker: fc.constantFrom('A', 'B'),
      charges: fc.array(charge, { maxLength: 4 }),
    }),
  );
  const groupBy = fc.constantFrom('name', 'month', 'year', 'ticker') as fc.Arbitrary<CostQuestion['groupBy']>;
  fc.assert(
    fc.property(rows, groupBy, (drawn, grouping) => {
      const made = drawn.map(({ day, ticker, charges }) =>
        trade({
          day: new Date(at('2024-01-01') + day * 86_400_000).toISOString(),
          ticker,
          net: '1',
          charges: charges.map(([name, pence]) => [name, new Big(pence).times('0.01').toFixed(), 'GBP']),
        }),
      );
      const { groups, total, count } = summarizeCosts(made, question({ groupBy: grouping, flows: [] }));
      const pence = drawn.flatMap(({ charges }) => charges).reduce((sum, [, amount]) => sum + amount, 0);
      expect(total.times(100).toFixed()).toBe(String(pence));
      expect(groups.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).eq(total)).toBe(true);
      expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(count);
    }),
  );
});

test.each([
  ['with signs', {}],
  ['without signs', { unsignedSells: true, positiveWithdrawals: true }],
])('the costs of the simulated account are those of its books, %s', { tags: ['slow'] }, async (_, quirks) => {
  const { rows, books } = await simulated({ quirks });
  const result = summarizeCosts(toTrades(rows.orders), {
    groupBy: 'name',
    flows: toCashFlows(rows.transactions),
    currency: 'GBP',
  });
  const booked = new Map<string, number>();
  const book = (name: string, amount: string) =>
    booked.set(name, (booked.get(name) ?? 0) + Math.round(Number(amount) * 100));
  for (const { fill } of books.history) for (const { name, quantity } of fill?.taxes ?? []) book(name, quantity);
  for (const { type, amount } of books.transactions) if (type === 'FEE') book('ACCOUNT_FEE', String(-Number(amount)));
  expect(booked.size).toBeGreaterThan(4);
  expect(new Map(result.groups.map(({ group, amount }) => [group, Number(amount.times(100))]))).toEqual(booked);
  const turnover = books.history.reduce((sum, { fill }) => sum + Math.round(Number(fill?.netValue ?? 0) * 100), 0);
  expect(Number(result.turnover?.times(100))).toBe(turnover);
  expect(result.tradesWithoutCosts).toEqual([]);
});
