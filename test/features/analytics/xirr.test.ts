import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DatedAmount, xirr } from '../../../src/features/analytics/xirr.ts';
import { runs } from '../../support/runs.ts';

const dayMs = 86_400_000;
const begin = Date.UTC(2021, 0, 1);
const on = (day: number, amount: number): DatedAmount => ({ at: begin + day * dayMs, amount });
const dated = (flows: readonly (readonly [string, number])[]): DatedAmount[] =>
  flows.map(([day, amount]) => ({ at: Date.parse(day), amount }));
/** One payment a year of exactly 365 days. */
const yearly = (...amounts: number[]) => amounts.map((amount, year) => on(year * 365, amount));

const rateOf = (flows: readonly DatedAmount[]): number => {
  const result = xirr(flows);
  if ('reason' in result) throw new Error(result.reason);
  return result.annualRate;
};
const reasonOf = (flows: readonly DatedAmount[]): string => {
  const result = xirr(flows);
  if (!('reason' in result)) throw new Error(`a rate: ${result.annualRate}`);
  return result.reason;
};

describe('published examples', () => {
  test('from the documentation of the function in a well-known spreadsheet', () => {
    const flows = dated([
      ['2008-01-01', -10_000],
      ['2008-03-01', 2_750],
      ['2008-10-30', 4_250],
      ['2009-02-15', 3_250],
      ['2009-04-01', 2_750],
    ]);
    expect(rateOf(flows)).toBeCloseTo(0.373362535, 8);
  });

  test('from the help of a free office suite', () => {
    const flows = dated([
      ['2001-01-01', -10_000],
      ['2001-02-01', 2_000],
      ['2001-03-15', 2_500],
      ['2001-05-12', 5_000],
      ['2001-08-10', 1_000],
    ]);
    expect(rateOf(flows)).toBeCloseTo(0.1828, 4);
  });

  test.each([
    [[-100, 39, 59, 55, 20], 0.28095],
    [[-100, 0, 0, 74], -0.0955],
    [[-100, 100, 0, 7], 0.06206],
  ])('yearly payments %j, as a numerical library documents them', (amounts, rate) => {
    expect(rateOf(yearly(...amounts))).toBeCloseTo(rate, 4);
  });

  test('the textbook oil pump has two rates, 25 % and 400 %, so none is returned', () => {
    expect(reasonOf(yearly(-1_600, 10_000, -10_000))).toBe('More than one rate fits these cash flows.');
  });
});

describe('figures worked by hand', () => {
  test.each([
    ['a tenth lost in a year', [on(0, -1000), on(365, 900)], -0.1],
    ['doubled in two years', [on(0, -1), on(730, 2)], Math.SQRT2 - 1],
    ['nothing gained', [on(0, -500), on(100, -500), on(900, 1000)], 0],
    ['halved in half a year', [on(0, -100), on(182.5 * 2, 25)], -0.75],
    ['everything but a millionth lost', [on(0, -1_000_000), on(365, 1)], -0.999999],
    [
      'days, not hours, count',
      [
        { at: begin + 80_000_000, amount: -100 },
        { at: begin + 365 * dayMs, amount: 107 },
      ],
      0.07,
    ],
  ] as const)('%s', (_, flows, rate) => {
    expect(rateOf(flows)).toBeCloseTo(rate, 10);
  });

  test('a series of monthly deposits that grew at 7 % a year gives 7 %', () => {
    const deposits = Array.from({ length: 36 }, (_, month) => ({ day: month * 30, amount: 100 + month }));
    const value = deposits.reduce((sum, { day, amount }) => sum + amount * 1.07 ** ((1095 - day) / 365), 0);
    const flows = [...deposits.map(({ day, amount }) => on(day, -amount)), on(1095, value)];
    expect(rateOf(flows)).toBeCloseTo(0.07, 10);
  });

  test('the order of the payments does not matter', () => {
    const flows = [on(0, -1000), on(50, -200), on(90, 300), on(400, 1100)];
    expect(rateOf(flows.toReversed())).toBe(rateOf(flows));
  });

  test('a gain of 5 % in a day is 5 % of that period, whatever the yearly rate would be', () => {
    const result = xirr([on(0, -100), on(1, 105)]);
    expect(result).toMatchObject({ days: 1 });
    expect('periodRate' in result && result.periodRate).toBeCloseTo(0.05, 12);
  });

  test('a large deposit just before the end does not hide the rate', () => {
    const value = 1.08 ** 3 + 1_000_000 * 1.08 ** (1 / 365);
    expect(rateOf([on(0, -1), on(1094, -1_000_000), on(1095, value)])).toBeCloseTo(0.08, 8);
  });
});

test.each([
  ['There were no cash flows, so there is no return.', []],
  ['There were no cash flows, so there is no return.', [on(0, -5), on(0, 5)]],
  ['The money was invested for less than one day.', [on(0, -100), { at: begin + 3_600_000, amount: 101 }]],
  ['All cash flows have the same direction, so no rate fits.', [on(0, -100), on(30, -100)]],
  ['No rate fits these cash flows.', yearly(1_000, -3_000, 2_500)],
])('%s', (reason, flows) => {
  expect(reasonOf(flows)).toBe(reason);
});

test('is the one rate that a search over all rates finds; otherwise the reason is that there is none, or several', {
  tags: ['slow'],
}, () => {
  const flow = fc.tuple(
    fc.integer({ min: 0, max: 15 }).map((n) => n * 100),
    fc.integer({ min: -100_000, max: 100_000 }).filter((amount) => amount !== 0),
  );
  const counts = { one: 0, several: 0, none: 0 };
  fc.assert(
    fc.property(fc.uniqueArray(flow, { minLength: 2, maxLength: 7, selector: ([day]) => day }), (pairs) => {
      const flows = pairs.map(([day, amount]) => on(day, amount));
      const days = pairs.map(([day]) => day);
      const span = Math.max(...days) - Math.min(...days);
      const result = xirr(flows);
      if ('reason' in result && !result.reason.includes('rate')) return;
      const valueAt = (growth: number) =>
        pairs.reduce((sum, [day, amount]) => sum + amount * Math.exp((-growth * (day - Math.min(...days))) / span), 0);
      const crossings: number[] = [];
      // With payments a hundred days apart, none of which is over 100,000, all rates lie in this range.
      const step = 0.05;
      for (let growth = -200; growth < 200; growth += step)
        if (Math.sign(valueAt(growth)) !== Math.sign(valueAt(growth + step))) crossings.push(growth);
      if ('annualRate' in result) {
        const growth = Math.log1p(result.periodRate);
        expect(crossings.length).toBe(1);
        expect(Math.abs(growth - (crossings[0] as number) - step / 2)).toBeLessThan(step);
        counts.one++;
      } else if (result.reason.startsWith('More')) {
        // Two that lie closer together than a step cause no change of sign.
        expect(crossings.length === 1).toBe(false);
        counts.several++;
      } else {
        expect(crossings.length).toBe(0);
        counts.none++;
      }
    }),
    { numRuns: runs(150), endOnFailure: true },
  );
  expect(Math.min(counts.one, counts.several, counts.none)).toBeGreaterThan(0);
});

test('every account with deposits only has exactly one rate', () => {
  const deposit = fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 10_000_000 }));
  fc.assert(
    fc.property(
      fc.array(deposit, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 100_000_000 }),
      (pairs, value) => {
        const result = xirr([...pairs.map(([day, amount]) => on(day, -amount)), on(3001, value)]);
        expect(result).toHaveProperty('annualRate');
      },
    ),
    { numRuns: runs(300) },
  );
});
