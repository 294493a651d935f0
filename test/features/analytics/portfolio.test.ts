import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, formatPercent, formatRatio } from '../../../src/core/text/format-figures.ts';
import {
  analyzePortfolio,
  computeConcentration,
  type PortfolioGroup,
  type PortfolioOptions,
} from '../../../src/features/analytics/portfolio.ts';
import { position, simulated, summaryOf } from './support.ts';

const noTypes = () => undefined;
const by = (options: Partial<PortfolioOptions>): PortfolioOptions => ({
  by: 'instrument',
  getType: noTypes,
  ...options,
});

/** 600 + 300 + 100 = 1,000 of value, 500 + 400 + 100 = 1,000 of cost. */
const three = [
  position({
    ticker: 'A',
    currency: 'USD',
    isin: 'US1',
    value: '600',
    cost: '500',
    profitLoss: '100',
    fxImpact: '25.5',
  }),
  position({ ticker: 'B', currency: 'GBX', isin: 'GB1', value: '300', cost: '400', profitLoss: '-100' }),
  position({ ticker: 'C', currency: 'GBP', isin: 'GB2', value: '100', cost: '100', profitLoss: '0', fxImpact: '0' }),
];
const summary = summaryOf({ cash: '250', value: '1000', cost: '1000', totalValue: '1250' });

const line = (group: PortfolioGroup) => [
  group.group,
  formatMoney(group.value),
  formatPercent(group.weightPercent),
  formatMoney(group.cost),
  formatMoney(group.profitLoss),
  formatPercent(group.profitLossPercent),
  formatMoney(group.fxImpact),
  group.positions,
];

describe('three positions', () => {
  test('by instrument, largest first', () => {
    const portfolio = analyzePortfolio(three, summary, by({}));
    expect(portfolio.groups.map(line)).toEqual([
      ['A', '600.00', '60.00', '500.00', '100.00', '20.00', '25.50', 1],
      ['B', '300.00', '30.00', '400.00', '-100.00', '-25.00', '0.00', 1],
      ['C', '100.00', '10.00', '100.00', '0.00', '0.00', '0.00', 1],
    ]);
    expect(portfolio.groups.map(({ name }) => name)).toEqual(['A plc', 'B plc', 'C plc']);
    expect([portfolio.cash, portfolio.totalValue, portfolio.holdingsValue].map(formatMoney)).toEqual([
      '250.00',
      '1250.00',
      '1000.00',
    ]);
    expect(portfolio.unknown).toEqual([]);
    expect(portfolio.checks.map(({ holds, residual }) => [holds, residual])).toEqual(Array(4).fill([true, '0']));
  });

  test('by currency, pence and pounds are two groups, and no price in pence enters a figure', () => {
    expect(analyzePortfolio(three, summary, by({ by: 'currency' })).groups.map(line)).toEqual([
      ['USD', '600.00', '60.00', '500.00', '100.00', '20.00', '25.50', 1],
      ['GBX', '300.00', '30.00', '400.00', '-100.00', '-25.00', '0.00', 1],
      ['GBP', '100.00', '10.00', '100.00', '0.00', '0.00', '0.00', 1],
    ]);
  });

  test('by country of the ISIN', () => {
    expect(analyzePortfolio(three, summary, by({ by: 'country' })).groups.map(line)).toEqual([
      ['US', '600.00', '60.00', '500.00', '100.00', '20.00', '25.50', 1],
      ['GB', '400.00', '40.00', '500.00', '-100.00', '-20.00', '0.00', 2],
    ]);
  });

  test('by type, an instrument missing from the instrument list has the type unknown', () => {
    const getType = (ticker: string) => ({ A: 'ETF', C: 'ETF' })[ticker];
    const { groups } = analyzePortfolio(three, summary, by({ by: 'type', getType }));
    expect(groups.map(({ group, value, positions }) => [group, formatMoney(value), positions])).toEqual([
      ['ETF', '700.00', 2],
      ['unknown', '300.00', 1],
    ]);
  });

  test('groups beyond the largest are combined into one line', () => {
    const { groups } = analyzePortfolio(three, summary, by({ top: 1 }));
    expect(groups.map(line)).toEqual([
      ['A', '600.00', '60.00', '500.00', '100.00', '20.00', '25.50', 1],
      ['other (2)', '400.00', '40.00', '500.00', '-100.00', '-20.00', '0.00', 2],
    ]);
    expect(analyzePortfolio(three, summary, by({ top: 3 })).groups).toHaveLength(3);
  });

  test('concentration is computed over instruments under every grouping', () => {
    for (const grouping of ['instrument', 'currency', 'country', 'type'] as const) {
      const { concentration } = analyzePortfolio(three, summary, by({ by: grouping }));
      // 0.6² + 0.3² + 0.1² = 0.36 + 0.09 + 0.01 = 0.46; 1 / 0.46 = 2.1739…
      expect(formatRatio(concentration?.herfindahl)).toBe('0.4600');
      expect(formatRatio(concentration?.effectiveNumber)).toBe('2.1739');
      expect(formatPercent(concentration?.largestWeightPercent)).toBe('60.00');
      expect(concentration?.largest).toBe('A');
    }
  });
});

describe('concentration', () => {
  const of = (...values: number[]) =>
    computeConcentration(values.map((value, n) => ({ ticker: `T${n}`, value: new Big(value) })));

  test('one holding is 1, n equal ones are 1/n', () => {
    expect(of(123)?.herfindahl.toFixed()).toBe('1');
    expect(of(5, 5, 5, 5)?.herfindahl.toFixed()).toBe('0.25');
    expect(of(5, 5, 5, 5)?.effectiveNumber.toFixed()).toBe('4');
  });

  test('one holding of four fifths and four of a twentieth', () => {
    // 0.8² + 4 × 0.05² = 0.64 + 0.01
    expect(of(80, 5, 5, 5, 5)?.herfindahl.toFixed()).toBe('0.65');
  });

  test('an empty portfolio has none', () => {
    expect(of()).toBeUndefined();
    expect(of(0, 0)).toBeUndefined();
  });
});

describe('fields that the service leaves out', () => {
  test('a missing value makes only the sums that need it unknown', () => {
    const positions = [three[0], position({ ticker: 'N', currency: 'GBP', isin: 'GB9', cost: '50' }), three[2]].flatMap(
      (p) => p ?? [],
    );
    const portfolio = analyzePortfolio(positions, summary, by({ by: 'country' }));
    expect(portfolio.groups.map(line)).toEqual([
      ['US', '600.00', undefined, '500.00', '100.00', '20.00', '25.50', 1],
      ['GB', undefined, undefined, '150.00', undefined, undefined, '0.00', 2],
    ]);
    expect([portfolio.holdingsValue, portfolio.profitLoss, portfolio.concentration]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(formatMoney(portfolio.cost)).toBe('650.00');
    expect(portfolio.unknown).toEqual([
      'The service does not report the value of N.',
      'The service does not report the profit or loss of N.',
    ]);
    expect(portfolio.checks.map(({ name }) => name)).toEqual([
      'sum of the positions’ costs = cost of the investments',
      'cash + investments = value of the account',
    ]);
  });

  test('a missing currency effect counts as zero only where no conversion is involved', () => {
    const positions = [
      position({ ticker: 'P', currency: 'GBX', value: '1', cost: '1', profitLoss: '0' }),
      position({ ticker: 'D', currency: 'USD', value: '1', cost: '1', profitLoss: '0' }),
    ];
    const { groups, unknown } = analyzePortfolio(positions, summary, by({}));
    expect(groups.map(({ group, fxImpact }) => [group, formatMoney(fxImpact)])).toEqual([
      ['D', undefined],
      ['P', '0.00'],
    ]);
    expect(unknown).toEqual(['The service does not report the currency effect of D.']);
  });

  test('cash is unknown when one of its parts is', () => {
    const portfolio = analyzePortfolio(
      [],
      { ...summary, cash: { ...summary.cash, inPies: undefined } } as typeof summary,
      by({}),
    );
    expect(portfolio.cash).toBeUndefined();
    expect(portfolio.unknown).toEqual(['The summary does not report all parts of the cash.']);
  });
});

test('a difference between positions and summary is reported with its possible causes', () => {
  const moved = summaryOf({ cash: '250', value: '1000.37', cost: '1000', totalValue: '1250.37' });
  const [value, cost] = analyzePortfolio(three, moved, by({})).checks;
  expect(value).toMatchObject({ expected: '1000.37', actual: '1000', residual: '-0.37', holds: false });
  expect(value?.note).toMatch(/different times/);
  expect(cost?.holds).toBe(true);
});

test('groups add up to the total under every grouping and cut', { tags: ['slow'] }, () => {
  const cents = fc.integer({ min: 0, max: 1_000_000_000 }).map((n) => new Big(n).times('0.01').toFixed());
  const held = fc.record({
    ticker: fc.stringMatching(/^[A-F]{1,2}$/),
    currency: fc.constantFrom('GBP', 'GBX', 'USD', 'EUR'),
    isin: fc.constantFrom('GB1', 'US1', 'IE1', 'FR1'),
    value: cents,
    cost: cents,
    profitLoss: cents,
    fxImpact: cents,
  });
  const grouping = fc.constantFrom('instrument', 'currency', 'country', 'type') as fc.Arbitrary<PortfolioOptions['by']>;
  fc.assert(
    fc.property(fc.array(held, { maxLength: 30 }), grouping, fc.integer({ min: 1, max: 6 }), (rows, grouped, top) => {
      const positions = rows.map(position);
      const { groups } = analyzePortfolio(positions, summary, by({ by: grouped, top, getType: (ticker) => ticker[0] }));
      const total = (figure: 'value' | 'cost' | 'profitLoss' | 'fxImpact') =>
        rows.reduce((sum, row) => sum + BigInt(new Big(row[figure]).times(100).toFixed()), 0n);
      for (const figure of ['value', 'cost', 'profitLoss', 'fxImpact'] as const) {
        const sum = groups.reduce((whole, group) => whole + BigInt((group[figure] as Big).times(100).toFixed()), 0n);
        expect(sum).toBe(total(figure));
      }
      expect(groups.reduce((sum, { positions }) => sum + positions, 0)).toBe(rows.length);
      expect(groups.length).toBeLessThanOrEqual(top + 1);
      if (total('value') > 0n) {
        const weights = groups.reduce((sum, { weightPercent }) => sum.plus(weightPercent as Big), new Big(0));
        expect(weights.minus(100).abs().lt('0.000001')).toBe(true);
      }
    }),
  );
});

test('the figures of the simulated account add up under every grouping', async () => {
  const { rows, books } = await simulated();
  for (const grouping of ['instrument', 'currency', 'country', 'type'] as const) {
    const portfolio = analyzePortfolio(rows.positions, rows.summary, by({ by: grouping }));
    expect(portfolio.checks.map(({ holds }) => holds)).toEqual([true, true, true, true]);
    expect(portfolio.unknown).toEqual([]);
    const booked = books.positions.reduce((sum, { currentValue }) => sum.plus(currentValue), new Big(0));
    expect(portfolio.holdingsValue?.eq(booked)).toBe(true);
  }
});
