import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dividend } from '../../../src/core/endpoints/index.ts';
import { formatMoney, formatPercent } from '../../../src/core/text/format-figures.ts';
import type { DividendGroup } from '../../../src/features/analytics/dividend-groups.ts';
import { type DividendQuestion, getTreatment } from '../../../src/features/analytics/dividend-payments.ts';
import { findUnknownTaxes } from '../../../src/features/analytics/dividend-tax.ts';
import { dividendsNeededSince, summarizeDividends } from '../../../src/features/analytics/dividends.ts';
import { addYears, periodsBetween } from '../../../src/features/analytics/periods.ts';
import { at, dividend, position, simulated } from './support.ts';

const now = at('2026-11-21T12:00:00Z');
const question = (options: Partial<DividendQuestion>): DividendQuestion => ({
  groupBy: 'month',
  now,
  currency: 'GBP',
  ...options,
});
const line = ({ group, amount, count }: DividendGroup) => [group, formatMoney(amount), count];

const paid = [
  dividend({ ticker: 'A', amount: '10.00', paidOn: '2025-10-31T23:59:59Z', quantity: '100' }),
  dividend({ ticker: 'A', amount: '12.50', paidOn: '2026-01-15T09:00:00Z', quantity: '100' }),
  dividend({ ticker: 'B', amount: '3.10', paidOn: '2026-01-31T23:30:00-05:00', type: 'PROPERTY_INCOME' }),
  dividend({
    ticker: 'A',
    amount: '20.01',
    paidOn: '2026-04-02T09:00:00Z',
    quantity: '160',
    type: 'ORDINARY_MANUFACTURED_PAYMENT',
  }),
];

describe('four payments', () => {
  test('by UTC month, including months without a payment', () => {
    const { groups, total, count } = summarizeDividends(paid, question({ until: at('2026-05-01') }));
    expect(groups.map(line)).toEqual([
      ['2025-10', '10.00', 1],
      ['2025-11', '0.00', 0],
      ['2025-12', '0.00', 0],
      ['2026-01', '12.50', 1],
      // Half past eleven at night in New York on the last of January.
      ['2026-02', '3.10', 1],
      ['2026-03', '0.00', 0],
      ['2026-04', '20.01', 1],
    ]);
    expect([formatMoney(total), count]).toEqual(['45.61', 4]);
  });

  test('by quarter and by year', () => {
    expect(summarizeDividends(paid, question({ groupBy: 'quarter' })).groups.map(line)).toEqual([
      ['2025-Q4', '10.00', 1],
      ['2026-Q1', '15.60', 2],
      ['2026-Q2', '20.01', 1],
      ['2026-Q3', '0.00', 0],
      ['2026-Q4', '0.00', 0],
    ]);
    expect(summarizeDividends(paid, question({ groupBy: 'year' })).groups.map(line)).toEqual([
      ['2025', '10.00', 1],
      ['2026', '35.61', 3],
    ]);
  });

  test('by type, with payments in lieu of a dividend apart', () => {
    expect(summarizeDividends(paid, question({ groupBy: 'type' })).groups.map(line)).toEqual([
      ['ORDINARY', '22.50', 2],
      ['ORDINARY_MANUFACTURED_PAYMENT', '20.01', 1],
      ['PROPERTY_INCOME', '3.10', 1],
    ]);
  });

  test('since is inclusive, until is exclusive, and the trailing year reaches back before since', () => {
    const since = at('2026-01-15T09:00:00Z');
    const until = at('2026-04-02T09:00:00Z');
    const result = summarizeDividends(paid, question({ since, until }));
    expect(result.groups.map(line)).toEqual([
      ['2026-01', '12.50', 1],
      ['2026-02', '3.10', 1],
      ['2026-03', '0.00', 0],
      ['2026-04', '0.00', 0],
    ]);
    expect(formatMoney(result.total)).toBe('15.60');
    // From 2 April 2025 to 2 April 2026: a payment at that exact end belongs to the next year.
    expect(formatMoney(result.trailingTwelveMonths.amount)).toBe('25.60');
    expect(new Date(result.trailingTwelveMonths.from).toISOString()).toBe('2025-04-02T09:00:00.000Z');
    expect(dividendsNeededSince({ since, until, now })).toBe(result.trailingTwelveMonths.from);
  });

  test('the trailing year to now leaves out older payments', () => {
    expect(formatMoney(summarizeDividends(paid, question({})).trailingTwelveMonths.amount)).toBe('35.61');
  });

  test('a month is shown as empty only where every row has been read', () => {
    const covered = { from: at('2025-12-01'), to: at('2026-03-10') };
    const { groups } = summarizeDividends(paid, question({ covered, since: at('2025-09-01') }));
    expect(groups.map(({ group }) => group)).toEqual(['2025-10', '2025-12', '2026-01', '2026-02', '2026-04']);
    const nothing = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
    expect(summarizeDividends([], question({ covered: nothing, since: at('2026-01-01') })).groups).toEqual([]);
  });
});

describe('yield on cost', () => {
  const positions = [
    position({ ticker: 'A', cost: '400', quantity: '200' }),
    position({ ticker: 'C', cost: '600', quantity: '5' }),
  ];

  test('is the last year of dividends per share of current holdings, in percent of their cost', () => {
    // With the 200 shares of today A would have paid 12.50 × 200/100 + 20.01 × 200/160 = 50.0125 within the year; B is
    // no longer held; 50.0125 / 1,000 = 5.00125 %, and 50.0125 / 400 = 12.503125 %.
    const { yieldOnCost, groups } = summarizeDividends(paid, question({ positions, groupBy: 'ticker' }));
    expect(yieldOnCost.percent?.toFixed()).toBe('5.00125');
    expect(yieldOnCost.dividends?.toFixed()).toBe('50.0125');
    expect(
      groups.map((group) => [
        group.group,
        formatMoney(group.amount),
        formatMoney(group.trailingTwelveMonths),
        formatPercent(group.yieldOnCostPercent),
      ]),
    ).toEqual([
      ['A', '42.51', '32.51', '12.50'],
      ['B', '3.10', '3.10', undefined],
    ]);
  });

  test('of one ticker uses that position alone', () => {
    expect(formatPercent(summarizeDividends(paid, question({ positions, ticker: 'A' })).yieldOnCost.percent)).toBe(
      '12.50',
    );
    const gone = summarizeDividends(paid, question({ positions, ticker: 'B' })).yieldOnCost;
    expect(gone).toMatchObject({ percent: undefined, reason: 'No shares are held now.' });
  });

  test.each([
    [undefined, 'The positions are unknown.'],
    [[], 'No shares are held now.'],
    [[position({ ticker: 'A' })], 'The service does not report the total cost of every position.'],
    [[position({ ticker: 'A', cost: '0' })], 'The cost of the shares held is zero.'],
  ])('is unknown with a reason (%#)', (held, reason) => {
    expect(summarizeDividends(paid, question({ positions: held })).yieldOnCost).toMatchObject({
      percent: undefined,
      reason,
    });
  });
});

describe('the projection', () => {
  const positions = [position({ ticker: 'A', cost: '1', quantity: '200' }), position({ ticker: 'C', cost: '1' })];

  test('repeats the last year of dividends, scaled to the shares held now', () => {
    const { projection, total } = summarizeDividends(paid, question({ positions, project: true }));
    // 12.50 × 200/100 in January, 20.01 × 200/160 in April.
    expect(
      projection?.months.filter(({ amount }) => !amount.eq(0)).map(({ month, amount }) => [month, amount.toFixed()]),
    ).toEqual([
      ['2027-01', '25'],
      ['2027-04', '25.0125'],
    ]);
    expect(projection?.next.map(({ about, ticker, amount }) => [about, ticker, amount.toFixed()])).toEqual([
      ['2027-01-15', 'A', '25'],
      ['2027-04-02', 'A', '25.0125'],
    ]);
    expect(projection?.months.map(({ month }) => month)).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
      '2027-03',
      '2027-04',
      '2027-05',
      '2027-06',
      '2027-07',
      '2027-08',
      '2027-09',
      '2027-10',
      '2027-11',
    ]);
    expect(projection?.total.toFixed()).toBe('50.0125');
    expect(projection?.method).toMatch(/^An assumption, not a forecast/);
    expect(projection?.notProjected).toEqual(['C']);
    expect(formatMoney(total)).toBe('45.61');
  });

  test('repeats the last year, whatever range is asked for', () => {
    const since = Date.parse('2026-06-01T00:00:00Z');
    const { projection, total } = summarizeDividends(paid, question({ positions, project: true, since }));
    expect(projection?.total.toFixed()).toBe('50.0125');
    // Nothing was paid since.
    expect(formatMoney(total)).toBe('0.00');
  });

  test('is made only when requested, and leaves out what cannot be scaled', () => {
    expect(summarizeDividends(paid, question({ positions })).projection).toBeUndefined();
    const unscalable = [dividend({ ticker: 'A', amount: '5', paidOn: '2026-06-01', quantity: '0' })];
    const { projection } = summarizeDividends(unscalable, question({ positions, project: true }));
    expect(projection).toMatchObject({ notScaled: 1, notProjected: ['C'] });
    expect(projection?.total.toFixed()).toBe('0');
  });
});

describe('by country and treatment', () => {
  const isin = { ticker: 'A', name: undefined, currency: 'GBP' };
  const irish = { ...isin, isin: 'IE00B0000001' };
  const rows = [
    {
      ...dividend({ ticker: 'A', amount: '85', paidOn: '2026-01-05' }),
      instrument: irish,
      grossAmountPerShare: '10',
      tickerCurrency: 'GBP',
    },
    {
      ...dividend({ ticker: 'B', amount: '4', paidOn: '2026-01-06', type: 'RETURN_OF_CAPITAL' }),
      instrument: irish,
      grossAmountPerShare: '0.5',
      tickerCurrency: 'USD',
    },
    dividend({ ticker: 'C', amount: '2', paidOn: '2026-01-07', type: 'PROPERTY_INCOME_MANUFACTURED_PAYMENT' }),
  ];
  const taxOf = ({ tax, ...group }: DividendGroup) => [
    ...line(group),
    formatMoney(tax?.gross),
    formatMoney(tax?.withheld),
    tax?.unknown,
    [...(tax?.grossByCurrency ?? [])].map(([currency, gross]) => `${currency} ${gross}`).join(),
  ];

  test('a group has its gross amount and tax only where those of every payment are known', () => {
    const { groups } = summarizeDividends(rows, question({ groupBy: 'country' }));
    expect(groups.map(taxOf)).toEqual([
      ['IE', '89.00', 2, undefined, undefined, 1, 'GBP 100,USD 5'],
      ['unknown', '2.00', 1, undefined, undefined, 1, ''],
    ]);
  });

  test('the treatment follows from the type, also of a manufactured payment', () => {
    const { groups } = summarizeDividends(rows, question({ groupBy: 'treatment' }));
    expect(groups.map(taxOf)).toEqual([
      ['ordinary', '85.00', 1, '100.00', '15.00', 0, 'GBP 100'],
      ['return_of_capital', '4.00', 1, undefined, undefined, 1, 'USD 5'],
      ['property_income', '2.00', 1, undefined, undefined, 1, ''],
    ]);
  });

  test('a payment without a tax is listed by what its row lacks', () => {
    const american = { amount: '8.5', paidOn: '2026-01-05' };
    const payment = (ticker: string, more: Partial<Dividend>) => ({ ...dividend({ ...american, ticker }), ...more });
    const { payments } = summarizeDividends(
      [
        payment('PAGE', {}),
        payment('SEVERAL', { withholdingTaxIsAmbiguous: true }),
        payment('REPORT', { fromReport: true }),
        payment('KNOWN', { withholdingTax: '1.5', withholdingTaxCurrency: 'GBP' }),
      ],
      question({ groupBy: 'country' }),
    );
    const { ambiguous, unreported } = findUnknownTaxes(payments);
    expect([ambiguous, unreported].map((rows) => rows.map(({ ticker }) => ticker))).toEqual([['SEVERAL'], ['PAGE']]);
  });

  test('a return of capital is listed apart and gives no yield', () => {
    const positions = [position({ ticker: 'B', cost: '100', quantity: '10' })];
    const result = summarizeDividends(rows, question({ positions }));
    expect(result.capital.map(({ ticker }) => ticker)).toEqual(['B']);
    expect(result.yieldOnCost.percent?.toFixed()).toBe('0');
  });
});

test('amounts in another currency are listed apart and not added to the total', () => {
  const rows = [...paid, dividend({ ticker: 'A', amount: '7', paidOn: '2026-04-03', currency: 'USD' })];
  const result = summarizeDividends(rows, question({ groupBy: 'ticker' }));
  expect(formatMoney(result.total)).toBe('45.61');
  expect(result.otherCurrencies.map(({ currency, amount, count }) => [currency, formatMoney(amount), count])).toEqual([
    ['USD', '7.00', 1],
  ]);
  expect(result.groups.map((group) => [...line(group), group.currency])).toEqual([
    ['A', '42.51', 3, 'GBP'],
    ['A', '7.00', 1, 'USD'],
    ['B', '3.10', 1, 'GBP'],
  ]);
  expect(summarizeDividends(rows, question({ currency: undefined })).currency).toBe('GBP');
});

test('a row without an amount is counted apart, and one without a date belongs to no month', () => {
  const rows = [dividend({ ticker: 'A', paidOn: '2026-11-01' }), dividend({ ticker: 'A', amount: '4' })];
  const result = summarizeDividends(rows, question({}));
  expect(result.withoutAmount.map(({ ticker }) => ticker)).toEqual(['A']);
  expect(result.count).toBe(1);
  expect(result.groups.map(line)).toEqual([
    ['2026-11', '0.00', 0],
    ['unknown', '4.00', 1],
  ]);
});

test('groups add up to the total, and to a separate sum in pence', () => {
  const row = fc.record({
    ticker: fc.constantFrom('A', 'B', 'C'),
    pence: fc.integer({ min: -50_000, max: 5_000_000 }),
    day: fc.integer({ min: 0, max: 1500 }),
    type: fc.constantFrom('ORDINARY', 'BONUS'),
  });
  const groupBy = fc.constantFrom('month', 'quarter', 'year', 'ticker', 'type') as fc.Arbitrary<
    DividendQuestion['groupBy']
  >;
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      groupBy,
      fc.option(fc.integer({ min: 0, max: 1500 }), { nil: undefined }),
      (rows, grouping, sinceDay) => {
        const first = at('2022-10-01');
        const since = sinceDay === undefined ? undefined : first + sinceDay * 86_400_000;
        const made = rows.map(({ pence, day, ...rest }) =>
          dividend({
            ...rest,
            amount: new Big(pence).times('0.01').toFixed(),
            paidOn: new Date(first + day * 86_400_000).toISOString(),
          }),
        );
        const { groups, total, count } = summarizeDividends(made, question({ groupBy: grouping, since }));
        const wanted = rows.filter(({ day }) => sinceDay === undefined || day >= sinceDay);
        expect(total.times(100).toFixed()).toBe(String(wanted.reduce((sum, { pence }) => sum + pence, 0)));
        expect(groups.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).eq(total)).toBe(true);
        expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(count);
        expect(new Set(groups.map(({ group }) => group)).size).toBe(groups.length);
      },
    ),
  );
});

test.each(['month', 'quarter', 'year', 'ticker', 'type', 'treatment'] as const)(
  'the dividends of the simulated account by %s are those of its books',
  { tags: ['slow'] },
  async (groupBy) => {
    const { rows, books, clock } = await simulated();
    const { groups, total, count } = summarizeDividends(
      rows.dividends,
      question({ groupBy, now: clock.now(), positions: rows.positions }),
    );
    const booked = new Map<string, number>();
    for (const { at, ticker, type, amount } of books.dividends) {
      const day = new Date(at).toISOString();
      const quarter = `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
      const names = { month: day.slice(0, 7), quarter, year: day.slice(0, 4), ticker, type };
      const key = groupBy === 'treatment' ? getTreatment(type) : names[groupBy];
      booked.set(key, (booked.get(key) ?? 0) + Math.round(Number(amount) * 100));
    }
    const found = groups
      .filter((group) => group.count > 0)
      .map(({ group, amount }) => [group, Number(amount.times(100))] as const);
    expect(new Map(found)).toEqual(booked);
    expect(Number(total.times(100))).toBe([...booked.values()].reduce((sum, pence) => sum + pence, 0));
    expect(count).toBe(books.dividends.length);
  },
);

describe('the calendar', () => {
  test('a year before 29 February is 28 February', () => {
    expect(new Date(addYears(at('2028-02-29T12:00:00Z'), -1)).toISOString()).toBe('2027-02-28T12:00:00.000Z');
    expect(new Date(addYears(at('2027-02-28T12:00:00Z'), 1)).toISOString()).toBe('2028-02-28T12:00:00.000Z');
  });

  test('periods are adjacent and cover the range, and a very long range keeps its end', () => {
    const months = periodsBetween(at('2025-11-30T23:59:59Z'), at('2026-03-01'), 'month');
    expect(months.map(({ name }) => name)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    for (const [n, month] of months.entries()) if (n > 0) expect(month.from).toBe(months[n - 1]?.to);
    expect(periodsBetween(at('0001-01-01'), now, 'month')).toHaveLength(600);
    expect(periodsBetween(at('0001-01-01'), now, 'month').at(-1)?.name).toBe('2026-11');
    expect(periodsBetween(now, now, 'month')).toEqual([]);
  });
});

describe('the bounds of the trailing year', () => {
  const positions = [position({ ticker: 'A', cost: '100', quantity: '10' })];
  const of = (paidOn: string, more: Partial<Dividend> = {}) =>
    summarizeDividends(
      [{ ...dividend({ ticker: 'A', amount: '4', paidOn, quantity: '10' }), ...more }],
      question({ positions, project: true }),
    );

  test.each([
    ['2025-11-21T11:59:59.999Z', '0'],
    ['2025-11-21T12:00:00.000Z', '4'],
    ['2026-11-21T11:59:59.999Z', '4'],
    ['2026-11-21T12:00:00.000Z', '0'],
  ])('a payment at %s is in it, in the yield and in the projection with %s', (paidOn, amount) => {
    const { trailingTwelveMonths, yieldOnCost, projection } = of(paidOn);
    expect([trailingTwelveMonths.amount, yieldOnCost.percent, projection?.total].map((sum) => sum?.toFixed())).toEqual([
      amount,
      amount,
      amount,
    ]);
    expect(projection?.notProjected).toEqual(amount === '0' ? ['A'] : []);
  });

  test.each([
    [{ quantity: '0' }, 1, undefined],
    [{ quantity: '-10' }, 0, '4'],
    [{ quantity: undefined }, 1, undefined],
    [{ amount: undefined }, 1, '0'],
    [{ quantity: '5' }, 0, '8'],
    [{ currency: 'USD' }, 0, '0'],
  ])('a payment with %j has %i that is not scaled, and a yield of %s', (more, notScaled, percent) => {
    const { projection, yieldOnCost } = of('2026-06-01', more);
    expect([projection?.notScaled, yieldOnCost.percent?.toFixed()]).toEqual([notScaled, percent]);
  });

  test.each(['10', '-10'])('a reversal takes its payment back, whatever the sign of its quantity (%s)', (quantity) => {
    const rows = ['4', '-4'].map((amount) =>
      dividend({ ticker: 'A', amount, paidOn: '2026-06-01', quantity: amount === '4' ? '10' : quantity }),
    );
    const { yieldOnCost, projection } = summarizeDividends(rows, question({ positions, project: true }));
    expect([yieldOnCost.percent?.toFixed(), projection?.total.toFixed(), projection?.notScaled]).toEqual(['0', '0', 0]);
  });

  test('of a range that ends before now, it ends with the range', () => {
    const { trailingTwelveMonths } = summarizeDividends([], question({ until: at('2026-05-01') }));
    expect(trailingTwelveMonths).toMatchObject({ from: at('2025-05-01'), to: at('2026-05-01') });
    const later = summarizeDividends([], question({ until: now + 1 })).trailingTwelveMonths;
    expect(later).toMatchObject({ from: at('2025-11-21T12:00:00Z'), to: now });
  });

  test('needs rows of the year before the range, or of the range if it begins earlier', () => {
    expect(dividendsNeededSince({ since: undefined, until: undefined, now })).toBeUndefined();
    expect(dividendsNeededSince({ since: at('2026-06-01'), until: undefined, now })).toBe(at('2025-11-21T12:00:00Z'));
    expect(dividendsNeededSince({ since: at('2025-06-01'), until: undefined, now })).toBe(at('2025-06-01'));
    expect(dividendsNeededSince({ since: at('2026-06-01'), until: at('2026-07-01'), now })).toBe(at('2025-07-01'));
  });
});

test.each([
  ['2024-02-29T12:00:00Z', 1, '2025-02-28T12:00:00.000Z'],
  ['2024-02-29T12:00:00Z', -4, '2020-02-29T12:00:00.000Z'],
  ['2025-12-31T23:59:59Z', 1, '2026-12-31T23:59:59.000Z'],
])('%s and %i years is %s', (moment, years, expected) => {
  expect(new Date(addYears(at(moment), years)).toISOString()).toBe(expected);
});

test('a yield needs the quantity and the cost of each position of the ticker', () => {
  const rows = [dividend({ ticker: 'A', amount: '4', paidOn: '2026-06-01', quantity: '10' })];
  const twice = [
    position({ ticker: 'A', cost: '30', quantity: '6' }),
    position({ ticker: 'A', cost: '50', quantity: '4' }),
  ];
  // 4 for 10 shares that cost 80.
  expect(summarizeDividends(rows, question({ positions: twice })).yieldOnCost.percent?.toFixed()).toBe('5');
  const without = [...twice, { ...position({ ticker: 'A', cost: '1' }), quantity: undefined }];
  expect(summarizeDividends(rows, question({ positions: without })).yieldOnCost.percent).toBeUndefined();
});
