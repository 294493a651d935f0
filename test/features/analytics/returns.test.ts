import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { formatMoney, formatPercent } from '../../../src/core/text/format-figures.ts';
import { type CashFlow, toCashFlows } from '../../../src/features/analytics/cash-flows.ts';
import type { DailySnapshot } from '../../../src/features/analytics/return-period.ts';
import { timeWeightedReturn } from '../../../src/features/analytics/return-rates.ts';
import { calculateReturns, type ReturnQuestion } from '../../../src/features/analytics/returns.ts';
import { toTrades } from '../../../src/features/analytics/trades.ts';
import { at, dividend, simulated, summaryOf } from './support.ts';

const flow = (day: string, amount: string, type = 'DEPOSIT', currency = 'GBP'): CashFlow => ({
  at: at(day),
  type,
  amount: new Big(amount),
  currency,
  isExternal: ['DEPOSIT', 'WITHDRAW', 'TRANSFER'].includes(type),
});
const snapshot = (day: string, totalValue: string): DailySnapshot => ({
  day,
  at: at(`${day}T20:00:00Z`),
  totalValue,
  currency: 'GBP',
});

/** 1,000 paid in exactly 365 days ago; worth 1,100 now. */
const now = at('2026-06-01T12:00:00Z');
const question = (options: Partial<ReturnQuestion>): ReturnQuestion => ({
  flows: [flow('2025-06-01', '1000')],
  summary: summaryOf({ totalValue: '1100' }),
  snapshots: [],
  now,
  ...options,
});

describe('over the life of the account', () => {
  test('a gain of a tenth in a year is 10 %', () => {
    const result = calculateReturns(question({}));
    expect(
      [result.moneyIn, result.moneyOut, result.netDeposits, result.gain, result.gainPercent].map((x) => x?.toFixed()),
    ).toEqual(['1000', '0', '1000', '100', '10']);
    expect(result.moneyWeighted).toMatchObject({ from: '2025-06-01', to: '2026-06-01', days: 365 });
    expect(result.moneyWeighted.annualPercent).toBeCloseTo(10, 9);
    expect(result.moneyWeighted.periodPercent).toBeCloseTo(10, 9);
    expect(result.moneyWeighted.note).toBeUndefined();
  });

  test('income inside the account is not counted as a deposit', () => {
    const flows = [
      ...question({}).flows,
      flow('2025-09-01', '5', 'INTEREST_ON_FREE_CASH'),
      flow('2025-10-01', '-2', 'FEE'),
      flow('2025-11-01', '1', 'BONUS'),
    ];
    const dividends = [dividend({ ticker: 'A', amount: '7', paidOn: '2025-12-01' })];
    const result = calculateReturns(question({ flows, dividends }));
    expect(
      [
        result.netDeposits,
        result.interest,
        result.accountFees,
        result.otherBookings,
        result.dividends,
        result.gain,
      ].map(formatMoney),
    ).toEqual(['1000.00', '5.00', '2.00', '1.00', '7.00', '100.00']);
  });

  test('under a year the yearly rate is labelled as one', () => {
    // 73 days: (1.02)^5 = 1.1040808…
    const result = calculateReturns(question({ now: at('2025-08-13'), summary: summaryOf({ totalValue: '1020' }) }));
    expect(result.moneyWeighted.periodPercent).toBeCloseTo(2, 9);
    expect(result.moneyWeighted.annualPercent).toBeCloseTo(10.40808032, 8);
    expect(result.moneyWeighted.note).toMatch(/^Less than a year/);
  });

  test('a gain of 10 % in a day is not turned into a yearly rate', () => {
    const { moneyWeighted } = calculateReturns(question({ now: at('2025-06-02') }));
    expect(moneyWeighted.periodPercent).toBeCloseTo(10, 9);
    expect(moneyWeighted.annualPercent).toBeUndefined();
    expect(moneyWeighted.note).toBe('Too large for a yearly rate.');
  });

  test('an account with more withdrawn than deposited has a gain but no percentage', () => {
    const result = calculateReturns(
      question({ flows: [flow('2025-06-01', '100'), flow('2025-12-01', '-150', 'WITHDRAW')] }),
    );
    expect(result.gain?.toFixed()).toBe('1150');
    expect(result.gainPercent).toBeUndefined();
    expect(result.unknown.map(({ code }) => code)).toEqual(['net_deposits_not_positive']);
  });

  test('an account without listed deposits has no gain, because its initial value is unknown', () => {
    const result = calculateReturns(question({ flows: [] }));
    expect([result.gain, result.moneyWeighted.annualPercent]).toEqual([undefined, undefined]);
    expect(result.unknown).toEqual([
      { code: 'no_deposit_listed', message: 'The history lists no deposit, so the amount deposited is unknown.' },
    ]);
  });

  test('a deposit in another currency makes gain and rates unknown, and enters no sum', () => {
    const result = calculateReturns(
      question({ flows: [flow('2025-06-01', '1000'), flow('2025-07-01', '500', 'DEPOSIT', 'EUR')] }),
    );
    expect(formatMoney(result.moneyIn)).toBe('1000.00');
    expect([result.gain, result.moneyWeighted.annualPercent, result.timeWeighted.annualPercent]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(result.unknown[0]?.message).toMatch(/another currency/);
  });

  test('a value missing from the summary stays unknown', () => {
    const result = calculateReturns(question({ summary: summaryOf({}) }));
    expect(result.gain).toBeUndefined();
    expect(result.unknown[0]?.message).toBe('The summary does not report the total value.');
  });
});

describe('of a range', () => {
  const flows = [flow('2025-06-01', '1000'), flow('2026-02-10', '200'), flow('2026-03-10', '-50', 'WITHDRAW')];
  const since = at('2026-01-02');

  test('is left out without the value at its start; deposits and withdrawals are still given', () => {
    const result = calculateReturns(question({ flows, since }));
    expect([result.moneyIn, result.moneyOut, result.netDeposits].map(formatMoney)).toEqual([
      '200.00',
      '50.00',
      '150.00',
    ]);
    expect(result.gain).toBeUndefined();
    const code = 'value_at_start_unknown';
    const message =
      "The account's value at the start (2026-01-02) is unknown: this server has stored no daily value yet.";
    expect(result.unknown).toEqual([{ code, message }]);
    // The sentence is said once, in `unknown`.
    expect([result.moneyWeighted, result.timeWeighted]).toEqual([{ code }, { code }]);
  });

  test('starts from the value that the user names, before anything of its first moment happens', () => {
    const atOnce = { ...flow('2026-01-02', '40'), at: since };
    // 1,100 − 1,000 − 40 − what moved in the range.
    const moved = [...flows, atOnce].filter(({ at, isExternal }) => isExternal && at >= since);
    const sum = moved.reduce((total, { amount }) => total.plus(amount), new Big(0));
    const result = calculateReturns(
      question({
        flows: [...flows, atOnce].sort((a, b) => a.at - b.at),
        since,
        valueAtStart: new Big(1000),
        snapshots: [snapshot('2026-01-01', '1')],
      }),
    );
    expect(result.start).toEqual({ at: since, value: new Big(1000) });
    expect(result.gain).toEqual(new Big(100).minus(sum));
    expect(result.unknown).toEqual([]);
  });

  const stored = (...days: string[]) => ({ snapshots: days.map((day) => snapshot(day, '1000')) });
  const tellUnknown = (options: Partial<ReturnQuestion>) =>
    calculateReturns(question({ flows, since, ...options })).unknown.map(({ message }) => message);

  test.each([
    [
      'starts later',
      stored('2026-02-01'),
      'the first daily value that this server has stored is of 2026-02-01 20:00 UTC',
    ],
    [
      'starts later on the same day',
      stored('2026-01-02'),
      'the first daily value that this server has stored is of 2026-01-02 20:00 UTC',
    ],
    [
      'has a gap there',
      stored('2025-12-01', '2026-02-01'),
      'this server has stored no daily value in the 3 days before it',
    ],
    [
      'is in another currency',
      { snapshots: [{ ...snapshot('2026-01-01', '900'), currency: 'USD' }] },
      'this server has stored no daily value in GBP yet',
    ],
  ])('says what the record of daily values lacks when it %s', (_, options, cause) => {
    expect(tellUnknown(options)).toEqual([`The account's value at the start (2026-01-02) is unknown: ${cause}.`]);
  });

  test('without the values at both ends names both in one sentence, and each with its code', () => {
    const { unknown, gain } = calculateReturns(
      question({ flows, since, until: at('2026-02-01'), ...stored('2026-05-20') }),
    );
    expect(gain).toBeUndefined();
    expect(unknown).toEqual([
      {
        code: 'value_at_start_unknown',
        message:
          "The account's values at the start (2026-01-02) and at the end (2026-02-01) are unknown: the first daily value that this server has stored is of 2026-05-20 20:00 UTC.",
      },
      { code: 'value_at_end_unknown' },
    ]);
  });

  test('with other causes at both ends names each cause', () => {
    expect(tellUnknown({ until: at('2026-02-01'), ...stored('2026-01-10') })).toEqual([
      "The account's value at the start (2026-01-02) is unknown: the first daily value that this server has stored is of 2026-01-10 20:00 UTC.",
      "The account's value at the end (2026-02-01) is unknown: this server has stored no daily value in the 3 days before it.",
    ]);
  });

  test('names days and times in the zone of the range', () => {
    // A summer day begins in London an hour earlier than in UTC.
    const range = { since: Date.parse('2026-05-31T23:00:00Z'), zone: 'Europe/London' };
    expect(tellUnknown({ ...range, now: at('2026-06-03'), ...stored('2026-06-01') })).toEqual([
      "The account's value at the start (2026-06-01) is unknown: the first daily value that this server has stored is of 2026-06-01 21:00 Europe/London.",
    ]);
  });

  test('starts from a daily value up to three days older', () => {
    const snapshots = [snapshot('2025-12-30', '900')];
    const result = calculateReturns(question({ flows, since, snapshots }));
    // 1,100 − 900 − 150
    expect(formatMoney(result.gain)).toBe('50.00');
    expect(result.gainPercent).toBeUndefined();
    expect(result.moneyWeighted).toMatchObject({ from: '2025-12-30', to: '2026-06-01', days: 153 });
    // The rate satisfies its own definition.
    const growth = 1 + (result.moneyWeighted.periodPercent as number) / 100;
    const grown = (days: number, amount: number) => amount * growth ** (days / 153);
    expect(grown(153, 900) + grown(111, 200) - grown(83, 50)).toBeCloseTo(1100, 6);
    expect(
      calculateReturns(question({ flows, since, snapshots: [snapshot('2025-12-29', '900')] })).gain,
    ).toBeUndefined();
  });

  test('with an end in the past needs the value of that day', () => {
    const until = at('2026-03-01');
    expect(calculateReturns(question({ flows, until })).unknown).toMatchObject([
      { code: 'value_at_end_unknown', message: expect.stringMatching(/value at the end \(2026-03-01\)/) },
    ]);
    const result = calculateReturns(question({ flows, until, snapshots: [snapshot('2026-02-28', '1290')] }));
    expect(formatMoney(result.gain)).toBe('90.00');
    expect(formatMoney(result.moneyOut)).toBe('0.00');
  });

  test('that starts before the first deposit needs no value', () => {
    expect(formatMoney(calculateReturns(question({ since: at('2020-01-01') })).gain)).toBe('100.00');
  });
});

describe('the time-weighted return', () => {
  const day = 86_400_000;
  const values = (...list: number[]) => list.map((value, n) => ({ at: n * day, value }));

  test('chains the daily returns and excludes deposits', () => {
    // +10 %, then 50 come in at that moment, then −10 %: 1.1 × 0.9 = 0.99.
    const result = timeWeightedReturn(
      [
        { at: 0, value: 100 },
        { at: day, value: 160 },
        { at: 2 * day, value: 144 },
      ],
      [{ at: day, amount: 50 }],
    );
    expect(result).toEqual({ rate: expect.closeTo(-0.01, 12) });
  });

  test('weights a flow inside a link by the time that it was invested', () => {
    // 100 for half of the day: gain 10 over 1,000 + 50.
    const result = timeWeightedReturn(
      [
        { at: 0, value: 1000 },
        { at: day, value: 1110 },
      ],
      [{ at: day / 2, amount: 100 }],
    );
    expect(result).toEqual({ rate: expect.closeTo(10 / 1050, 12) });
  });

  test('does not depend on the amount: ten times as much paid in half way changes nothing', () => {
    const markets = [1.02, 0.97, 1.01, 1.005, 0.99, 1.03];
    let [plain, fed] = [100, 100];
    const [one, other] = [values(100), values(100)];
    for (const [n, factor] of markets.entries()) {
      plain *= factor;
      fed = fed * factor + (n === 2 ? 1000 : 0);
      one.push({ at: (n + 1) * day, value: plain });
      other.push({ at: (n + 1) * day, value: fed });
    }
    const product = markets.reduce((all, factor) => all * factor, 1) - 1;
    expect(timeWeightedReturn(one, [])).toEqual({ rate: expect.closeTo(product, 12) });
    expect(timeWeightedReturn(other, [{ at: 3 * day, amount: 1000 }])).toEqual({ rate: expect.closeTo(product, 12) });
  });

  test('is left out for a flow in a gap of more than a week, for one day, and without values', () => {
    const apart = (ms: number) => [
      { at: 0, value: 1 },
      { at: ms, value: 2 },
    ];
    const flowInside = [{ at: day, amount: 1 }];
    expect(timeWeightedReturn(apart(7 * day), flowInside)).toEqual({ rate: 0 });
    expect(timeWeightedReturn(apart(7 * day + 1), flowInside)).toEqual({
      reason: 'Money moved between 1970-01-01 and 1970-01-08, where there is no daily value.',
    });
    expect(
      timeWeightedReturn(
        [
          { at: 0, value: 1 },
          { at: day - 1, value: 2 },
        ],
        [],
      ),
    ).toEqual({ reason: 'Daily values of at least two days are required.' });
    expect(timeWeightedReturn([], [])).toHaveProperty('reason');
    expect(timeWeightedReturn(values(0, 5), [])).toHaveProperty(
      'reason',
      'The account was empty on 1970-01-01, so no return can be measured.',
    );
  });

  test('of an account is given where daily values cover it; otherwise the start of those values is given', () => {
    const flows = [flow('2026-05-20T09:00:00Z', '1000'), flow('2026-05-27T20:00:00Z', '100')];
    const snapshots = [snapshot('2026-05-20', '1000'), snapshot('2026-05-27', '1200')];
    const { timeWeighted: told } = calculateReturns(
      question({ flows, snapshots, summary: summaryOf({ totalValue: '1260' }) }),
    );
    // 1,100 / 1,000 without the 100 that came in at that moment, then 1,260 / 1,200: 1.1 × 1.05 = 1.155.
    expect(told.periodPercent).toBeCloseTo(15.5, 9);
    expect(told).toMatchObject({ from: '2026-05-20', to: '2026-06-01', days: 12 });
    const older = calculateReturns(question({ flows: [flow('2025-06-01', '1'), ...flows], snapshots }));
    expect(older.timeWeighted).toEqual({
      reason:
        'Since 2025-06-01 there are not enough values: the first daily value that this server has stored is of 2026-05-20 20:00 UTC.',
    });
  });

  test('ignores a value in another currency', () => {
    const snapshots = [{ ...snapshot('2025-12-30', '900'), currency: 'USD' }];
    expect(calculateReturns(question({ since: at('2026-01-02'), snapshots })).gain).toBeUndefined();
  });
});

test.each([
  ['with signs', {}],
  ['without signs', { unsignedSells: true, positiveWithdrawals: true }],
])('three simulated years give the figures of the books, %s', async (_, quirks) => {
  const { rows, books, clock } = await simulated({ quirks });
  const flows = toCashFlows(rows.transactions);
  const result = calculateReturns({ ...rows, flows, trades: toTrades(rows.orders), snapshots: [], now: clock.now() });
  const pence = (amount: string) => Math.round(Number(amount) * 100);
  const sum = (types: readonly string[]) =>
    books.transactions.filter(({ type }) => types.includes(type)).reduce((all, { amount }) => all + pence(amount), 0);
  expect(Number(result.moneyIn.times(100))).toBe(sum(['DEPOSIT']));
  expect(Number(result.moneyOut.times(100))).toBe(-sum(['WITHDRAW']));
  expect(Number(result.interest.times(100))).toBe(sum(['INTEREST_ON_FREE_CASH']));
  expect(Number(result.accountFees.times(100))).toBe(-sum(['FEE']));
  expect(result.realised?.toFixed()).toBe(new Big(books.realisedProfitLoss).toFixed());
  const value = books.positions.reduce((all, { currentValue }) => all + pence(currentValue), pence(books.cash.total));
  expect(Number(result.gain?.times(100))).toBe(value - sum(['DEPOSIT', 'WITHDRAW']));
  // The rate satisfies its own definition: the discounted flows sum to zero.
  const rate = (result.moneyWeighted.annualPercent as number) / 100;
  const dayOf = (ms: number) => Math.floor(ms / 86_400_000);
  const years = (ms: number) => (dayOf(clock.now()) - dayOf(ms)) / 365;
  const grown = books.transactions
    .filter(({ type }) => type === 'DEPOSIT' || type === 'WITHDRAW')
    .reduce((all, { at: ms, amount }) => all + pence(amount) * (1 + rate) ** years(ms), 0);
  expect(grown / value).toBeCloseTo(1, 9);
  expect(formatPercent(result.gainPercent)).toMatch(/^-?\d+\.\d\d$/);
});

describe('the bounds of a return', () => {
  const ms = (moment: string, offset: number) => new Date(at(moment) + offset).toISOString();

  test.each([
    ['2026-01-01T23:59:59.999Z', 0],
    ['2026-01-02T00:00:00.000Z', 200],
    ['2026-02-28T23:59:59.999Z', 200],
    ['2026-03-01T00:00:00.000Z', 0],
  ])('a deposit at %s is in the range with %i', (moment, sum) => {
    const range = { since: at('2026-01-02'), until: at('2026-03-01') };
    const result = calculateReturns(question({ flows: [flow('2025-06-01', '1000'), flow(moment, '200')], ...range }));
    expect(Number(result.moneyIn)).toBe(sum);
    const trades: ReturnQuestion['trades'] = toTrades([
      {
        order: { side: 'SELL', ticker: 'A' },
        fill: { filledAt: moment, quantity: '-1', walletImpact: { currency: 'GBP', realisedProfitLoss: '200' } },
      } as never,
    ]);
    const dividends = [dividend({ ticker: 'A', amount: '200', paidOn: moment })];
    const other = calculateReturns(question({ ...range, trades, dividends }));
    expect([Number(other.realised), Number(other.dividends)]).toEqual([sum, sum]);
  });

  test.each([
    [0, 300],
    [1, 0],
  ])('a deposit %i ms after now is in it with %i', (offset, sum) => {
    const flows = [flow('2025-06-01', '1000'), flow(ms('2026-06-01T12:00:00Z', offset), '300')];
    expect(Number(calculateReturns(question({ flows, since: at('2026-01-02') })).moneyIn)).toBe(sum);
  });

  // 1,000 stored at 20:00 on 1 January, 1,100 now.
  test.each([
    ['2026-01-01T20:00:00.000Z', '100.00'],
    ['2026-01-01T20:00:00.001Z', '90.00'],
    ['2026-06-01T12:00:00.000Z', '90.00'],
    ['2026-06-01T12:00:00.001Z', '100.00'],
  ])('a deposit of 10 at %s leaves a gain of %s between the two values', (moment, gain) => {
    const flows = [flow('2025-06-01', '1000'), flow(moment, '10')];
    const snapshots = [snapshot('2026-01-01', '1000')];
    expect(formatMoney(calculateReturns(question({ flows, snapshots, since: at('2026-01-02') })).gain)).toBe(gain);
  });

  test.each([
    [0, true],
    [1, false],
  ])('a value three days and %i ms old is one of the moment: %s', (offset, isKnown) => {
    const since = at('2026-01-04T20:00:00Z') + offset;
    const result = calculateReturns(question({ since, snapshots: [snapshot('2026-01-01', '900')] }));
    expect(result.start?.value.toFixed()).toBe(isKnown ? '900' : undefined);
  });

  test.each([
    [0, '900'],
    [-1, undefined],
  ])('a value at the very moment is one of it, and a later one is not: %i ms', (offset, value) => {
    const since = at('2026-01-01T20:00:00Z') + offset;
    const result = calculateReturns(question({ since, snapshots: [snapshot('2026-01-01', '900')] }));
    expect(result.start?.value.toFixed()).toBe(value);
  });

  test('the newest of several values counts, in whatever order they were stored', () => {
    const snapshots = [snapshot('2026-01-01', '900'), snapshot('2025-12-31', '800')];
    const result = calculateReturns(question({ since: at('2026-01-02'), snapshots }));
    expect(result.start?.value.toFixed()).toBe('900');
  });

  test.each([
    [0, '1100'],
    [1, '1100'],
    [-1, undefined],
  ])('an end %i ms after now has the value of now only where it is later: %s', (offset, value) => {
    const result = calculateReturns(
      question({
        until: now + offset,
        snapshots: offset === 0 ? [{ ...snapshot('2026-06-01', '1100'), at: now }] : [],
      }),
    );
    expect(result.end?.value.toFixed()).toBe(value);
  });

  test.each([
    [0, undefined],
    [1, 'value_at_start_unknown'],
  ])('a range from %i ms after the first deposit: %s', (offset, code) => {
    expect(calculateReturns(question({ since: at('2025-06-01') + offset })).unknown[0]?.code).toBe(code);
  });

  test.each([
    [364, true],
    [365, false],
  ])('a rate of %i days is noted as one of less than a year: %s', (days, isNoted) => {
    const flows = [{ ...flow('2025-06-01', '1000'), at: at('2026-06-01') - days * 86_400_000 }];
    expect(calculateReturns(question({ flows })).moneyWeighted.note !== undefined).toBe(isNoted);
  });
});
