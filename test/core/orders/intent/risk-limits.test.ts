/** The limits as docs/live-orders.md has them, and which of two is stricter. */
import { describe, expect, test } from 'vitest';
import {
  completeLimits,
  effectiveLimits,
  type RiskLimits,
  stricterLimits,
} from '../../../../src/core/orders/intent/risk-limits.ts';

const paper: RiskLimits = {
  maxOrderValue: '10000',
  maxDayValue: '100000',
  maxOrderQuantity: '10000',
  ordersPerMinute: 30,
  ordersPerHour: 300,
  ordersPerDay: 1_000,
  maxPendingPerTicker: 50,
  maxPriceDistance: '20',
  tickers: undefined,
  instrumentTypes: ['STOCK', 'ETF'],
  haltOnForeignOrders: false,
};
const live: RiskLimits = {
  maxOrderValue: '1000',
  maxDayValue: '5000',
  maxOrderQuantity: '1000',
  ordersPerMinute: 5,
  ordersPerHour: 20,
  ordersPerDay: 50,
  maxPendingPerTicker: 10,
  maxPriceDistance: '10',
  tickers: undefined,
  instrumentTypes: ['STOCK', 'ETF'],
  haltOnForeignOrders: true,
};

test.each([
  ['sandbox', paper],
  ['demo', paper],
  ['live', live],
] as const)('in %s without settings', (environment, limits) => {
  expect(effectiveLimits(environment, {}, undefined)).toEqual(limits);
  expect(completeLimits(environment, undefined)).toEqual(limits);
});

describe('the limits in force', () => {
  test('in live, a setting can only tighten the enrolled limits', () => {
    const enrolled = { maxOrderValue: '2000', tickers: ['A', 'B'], ordersPerDay: 10 };
    const limits = effectiveLimits('live', { maxOrderValue: '9000', tickers: ['B', 'C'], ordersPerDay: 5 }, enrolled);
    expect(limits).toMatchObject({ maxOrderValue: '2000', tickers: ['B'], ordersPerDay: 5, maxDayValue: '5000' });
    expect(effectiveLimits('live', { maxOrderValue: '150' }, enrolled).maxOrderValue).toBe('150');
    expect(effectiveLimits('live', { instrumentTypes: ['STOCK', 'WARRANT'] }, {}).instrumentTypes).toEqual(['STOCK']);
    expect(effectiveLimits('live', { haltOnForeignOrders: false }, {}).haltOnForeignOrders).toBe(true);
    expect(effectiveLimits('live', {}, { haltOnForeignOrders: false }).haltOnForeignOrders).toBe(false);
  });

  test('with paper money they are those of the owner', () => {
    expect(effectiveLimits('demo', { maxOrderValue: '99999' }, undefined).maxOrderValue).toBe('99999');
  });
});

describe('the stricter of two', () => {
  test.each<[Partial<RiskLimits>, Partial<RiskLimits>]>([
    [{ maxOrderValue: '999' }, { maxOrderValue: '1000' }],
    [{ maxDayValue: '0.1' }, { maxDayValue: '0.11' }],
    [{ maxOrderQuantity: '9' }, { maxOrderQuantity: '10' }],
    [{ maxPriceDistance: '2' }, { maxPriceDistance: '10' }],
    [{ ordersPerMinute: 1 }, { ordersPerMinute: 2 }],
    [{ ordersPerHour: 9 }, { ordersPerHour: 10 }],
    [{ ordersPerDay: 0 }, { ordersPerDay: 1 }],
    [{ maxPendingPerTicker: 1 }, { maxPendingPerTicker: 2 }],
    [{ tickers: ['A'] }, { tickers: undefined }],
    [{ tickers: [] }, { tickers: ['A'] }],
    [{ instrumentTypes: ['ETF'] }, { instrumentTypes: ['ETF', 'STOCK'] }],
    [{ haltOnForeignOrders: true }, { haltOnForeignOrders: false }],
  ])('%j and %j is the first, in either order', (stricter, other) => {
    const [a, b] = [
      { ...paper, ...stricter },
      { ...paper, ...other },
    ];
    expect(stricterLimits(a, b)).toEqual(a);
    expect(stricterLimits(b, a)).toEqual(a);
  });

  test('allows what both lists have', () => {
    const a = { ...paper, tickers: ['A', 'B'], instrumentTypes: ['ETF', 'STOCK'] };
    const b = { ...paper, tickers: ['B', 'C'], instrumentTypes: ['STOCK', 'WARRANT'] };
    expect(stricterLimits(a, b)).toEqual({ ...paper, tickers: ['B'], instrumentTypes: ['STOCK'] });
  });
});

test.each([
  [[''], ['STOCK', 'ETF']],
  [[], []],
  [
    ['ETF', 'WARRANT'],
    ['ETF', 'WARRANT'],
  ],
  [
    ['ETF', 1],
    ['STOCK', 'ETF'],
  ],
])('the stored types %j allow %j', (stored, allowed) => {
  expect(completeLimits('live', { instrumentTypes: stored }).instrumentTypes).toEqual(allowed);
});
