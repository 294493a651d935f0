/** Cases that gave a wrong figure once, with the figure that the rule gives. */
import { describe, expect, test } from 'vitest';
import type { HistoricalOrder } from '../../../src/core/endpoints/index.ts';
import { formatMoney, formatPercent } from '../../../src/core/text/format-figures.ts';
import { toCashFlows } from '../../../src/features/analytics/cash-flows.ts';
import { type CostQuestion, summarizeCosts } from '../../../src/features/analytics/costs.ts';
import { summarizeDividends } from '../../../src/features/analytics/dividends.ts';
import { checkCash } from '../../../src/features/analytics/reconciliation.ts';
import { calculateReturns, type ReturnQuestion } from '../../../src/features/analytics/returns.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';
import { at, dividend, position, summaryOf } from './support.ts';

const now = at('2026-06-01T12:00:00Z');

const booking = (type: string, amount: string, day = '2025-06-01', currency = 'GBP') => ({
  type,
  amount,
  currency,
  dateTime: `${day}T08:00:00Z`,
  reference: undefined,
});

interface FillFields {
  readonly side?: 'BUY' | 'SELL';
  readonly type?: string;
  readonly day?: string;
  readonly quantity?: string;
  readonly netValue?: string | undefined;
  readonly currency?: string;
  readonly ticker?: string;
  readonly taxes?: readonly { readonly name: string; readonly quantity: string }[];
}

const fill = (id: string, fields: FillFields): HistoricalOrder =>
  ({
    order: { id, ticker: fields.ticker ?? 'A', side: fields.side ?? 'BUY' },
    fill: {
      id,
      type: fields.type ?? 'TRADE',
      filledAt: `${fields.day ?? '2025-06-01'}T09:00:00Z`,
      quantity: fields.quantity ?? '10',
      walletImpact: {
        currency: fields.currency ?? 'GBP',
        netValue: fields.netValue,
        taxes: fields.taxes?.map((tax) => ({ ...tax, currency: fields.currency ?? 'GBP' })),
      },
    },
  }) as unknown as HistoricalOrder;

const returnsOf = (
  bookings: readonly ReturnType<typeof booking>[],
  totalValue: string,
  rest: Partial<ReturnQuestion> = {},
) =>
  calculateReturns({ flows: toCashFlows(bookings), summary: summaryOf({ totalValue }), snapshots: [], now, ...rest });

describe('shares transferred in', () => {
  const deposit = [booking('DEPOSIT', '50')];

  test.each(['0', undefined])('without a value (%s) leave the return unknown, with a code', (netValue) => {
    const trades = toTrades([fill('1', { type: 'FOP', netValue })]);
    const result = returnsOf(deposit, '200', { trades });
    expect([result.gain, result.gainPercent, result.netDeposits, result.sharesIn]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(formatMoney(result.moneyIn)).toBe('50.00');
    expect(result.unknown).toEqual([
      {
        code: 'transfer_value_unknown',
        message: 'Shares were transferred without a value (A on 2025-06-01), so gain and rates are unknown.',
      },
    ]);
    expect([result.moneyWeighted.code, result.timeWeighted.code]).toEqual([
      'transfer_value_unknown',
      'transfer_value_unknown',
    ]);
  });

  test('with a value count as money in, and move no cash', () => {
    // Worth 150 today, with 50 in cash: 200 − (50 + 100) = 50, on 150.
    const trades = toTrades([fill('1', { type: 'FOP', netValue: '100' })]);
    const result = returnsOf(deposit, '200', { trades });
    expect([result.moneyIn, result.sharesIn, result.netDeposits, result.gain].map(formatMoney)).toEqual([
      '50.00',
      '100.00',
      '150.00',
      '50.00',
    ]);
    expect(formatPercent(result.gainPercent)).toBe('33.33');
    const books = { flows: toCashFlows(deposit), dividends: [], trades };
    expect(checkCash(books, summaryOf({ cash: '50' }))?.holds).toBe(true);
  });

  test('and out again count as money out', () => {
    const trades = toTrades([
      fill('1', { type: 'FOP', netValue: '100' }),
      fill('2', { type: 'FOP', side: 'SELL', quantity: '-10', netValue: '120', day: '2026-01-01' }),
    ]);
    const result = returnsOf(deposit, '50', { trades });
    expect([result.sharesOut, result.netDeposits, result.gain].map(formatMoney)).toEqual(['120.00', '30.00', '20.00']);
  });
});

describe('signs', () => {
  test.each([
    ['-1', '1.00'],
    ['1', '1.00'],
  ])('of withdrawals do not depend on a fee of %s', (fee, cost) => {
    const rows = [booking('DEPOSIT', '1000'), booking('WITHDRAW', '100', '2025-09-01'), booking('FEE', fee)];
    const result = returnsOf(rows, '899');
    expect([result.moneyIn, result.moneyOut, result.accountFees, result.gain].map(formatMoney)).toEqual([
      '1000.00',
      '100.00',
      cost,
      '-1.00',
    ]);
  });

  test('of a returned withdrawal are kept where withdrawals have a minus', () => {
    const rows = [booking('DEPOSIT', '1000'), booking('WITHDRAW', '-100'), booking('WITHDRAW', '100')];
    expect(formatMoney(returnsOf(rows, '1000').netDeposits)).toBe('1000.00');
  });
});

test('a payment by card is money out and not a loss', () => {
  const rows = [
    booking('DEPOSIT', '2500'),
    booking('CARD_DEBIT', '250', '2025-09-01'),
    booking('SPENDING_CASHBACK', '1'),
  ];
  const result = returnsOf(rows, '2251');
  expect([result.moneyOut, result.accountFees, result.gain].map(formatMoney)).toEqual(['250.00', '0.00', '1.00']);
  expect(result.otherTypes).toEqual(['SPENDING_CASHBACK']);
});

test('a total loss is −100 %', () => {
  const result = returnsOf([booking('DEPOSIT', '1000', '2023-06-01')], '0');
  expect(formatPercent(result.gainPercent)).toBe('-100.00');
  // 2024 is a leap year.
  expect(result.moneyWeighted).toEqual({
    from: '2023-06-01',
    to: '2026-06-01',
    days: 1096,
    periodPercent: -100,
    annualPercent: -100,
  });
});

test('daily values of 2 and 20 December without a flow in between give an exact time-weighted return', () => {
  const snapshots = [
    { day: '2025-12-02', at: at('2025-12-02T08:00:00Z'), totalValue: '1000', currency: 'GBP' },
    { day: '2025-12-20', at: at('2025-12-20T08:00:00Z'), totalValue: '1210', currency: 'GBP' },
  ];
  const { timeWeighted } = returnsOf([booking('DEPOSIT', '1000', '2025-12-02')], '1210', {
    snapshots,
    until: at('2025-12-20T09:00:00Z'),
  });
  expect(timeWeighted).toMatchObject({ from: '2025-12-02', to: '2025-12-20', periodPercent: expect.closeTo(21, 9) });
});

describe('amounts of two currencies', () => {
  const trades = toTrades([
    fill('1', { netValue: '100' }),
    fill('2', { netValue: '100', currency: 'USD', ticker: 'B' }),
  ]);

  test('are not added in the check of the cash', () => {
    const check = checkCash({ flows: [], dividends: [], trades }, summaryOf({ cash: '0' }));
    expect([check?.expected, check?.holds]).toEqual(['-100', false]);
    expect(check?.note).toMatch(/ not counted: BUY of B on 2025-06-01 in USD\.$/);
  });

  test('are named in a return', () => {
    const rows = [booking('DEPOSIT', '1000'), booking('INTEREST', '5', '2025-07-01', 'EUR')];
    const dividends = [dividend({ ticker: 'A', amount: '3', currency: 'EUR', paidOn: '2025-07-01T08:00:00Z' })];
    const result = returnsOf(rows, '1000', { dividends });
    expect(result.interest.toFixed()).toBe('0');
    expect(result.otherCurrencies).toEqual(['Rows in EUR are in no figure: INTEREST (1), dividends (1).']);
  });
});

test('the yield on cost is per share, also where most shares were bought after the payments', () => {
  // 5 shares paid 3 + 4, so 1.40 each; 100 shares that cost 1,000 make 10 a share: 14 %.
  const dividends = ['3', '4'].map((amount, n) =>
    dividend({ ticker: 'A', amount, quantity: '5', paidOn: `2026-0${n + 1}-01T08:00:00Z` }),
  );
  const positions = [position({ ticker: 'A', quantity: '100', cost: '1000' })];
  const result = summarizeDividends(dividends, { groupBy: 'ticker', now, currency: 'GBP', positions, project: true });
  expect(formatPercent(result.yieldOnCost.percent)).toBe('14.00');
  expect(formatPercent(result.groups[0]?.yieldOnCostPercent)).toBe('14.00');
  expect(formatMoney(result.projection?.total)).toBe('140.00');
});

describe('costs', () => {
  const costsOf = (rows: readonly HistoricalOrder[], question: Partial<CostQuestion> = {}) =>
    summarizeCosts(toTrades(rows), { groupBy: 'name', flows: [], currency: 'GBP', ...question });
  const duty = (quantity: string) => [{ name: 'STAMP_DUTY', quantity }];

  test('are less by a refund', () => {
    // −0.50, −0.50 and +0.50: 0.50 was charged in the end.
    const rows = ['-0.50', '-0.50', '0.50'].map((amount, n) => fill(`${n}`, { netValue: '100', taxes: duty(amount) }));
    expect(formatMoney(costsOf(rows).total)).toBe('0.50');
  });

  test('have a turnover per currency', () => {
    const rows = [
      fill('1', { netValue: '100', taxes: duty('-0.59') }),
      fill('2', { netValue: '100', currency: 'USD', taxes: [{ name: 'FINRA_FEE', quantity: '-0.02' }] }),
    ];
    const result = costsOf(rows);
    expect([formatMoney(result.turnover), formatPercent(result.percentOfTurnover)]).toEqual(['100.00', '0.59']);
    expect(result.otherTurnover.map(({ currency, amount }) => [currency, formatMoney(amount)])).toEqual([
      ['USD', '100.00'],
    ]);
    expect(result.reason).toBe('The percentage excludes charges and trades in USD.');
  });

  test('count purchases and sales as trades, and no corporate action', () => {
    // BUY 100, a split of 120 closed and opened, SELL 70: 170.00 in 2 trades.
    const rows = [
      fill('1', { netValue: '100' }),
      fill('2', { type: 'STOCK_SPLIT', side: 'SELL', quantity: '-10', netValue: '120' }),
      fill('3', { type: 'STOCK_SPLIT', quantity: '20', netValue: '120' }),
      fill('4', { type: 'FOP', netValue: '50' }),
      fill('5', { side: 'SELL', quantity: '-20', netValue: '70' }),
    ];
    const result = costsOf(rows);
    expect([formatMoney(result.turnover), result.trades]).toEqual(['170.00', 2]);
  });

  test('by month follow the days of the given zone', () => {
    // 23:30 UTC on 31 May 2025 is 1 June in London.
    const flows = toCashFlows([{ ...booking('FEE', '-1'), dateTime: '2025-05-31T23:30:00Z' }]);
    const groups = (zone: string | undefined) => costsOf([], { groupBy: 'month', flows, zone }).groups;
    expect([groups(undefined)[0]?.group, groups('Europe/London')[0]?.group]).toEqual(['2025-05', '2025-06']);
  });
});
