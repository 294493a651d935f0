/** What is inside funds: each position is split by the list of its fund, and what no list says is said. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { FundHolding } from '../../../src/core/settings/market-files.ts';
import { type LookThroughBy, lookThrough } from '../../../src/features/analytics/look-through.ts';

const holding = (ticker: string, isin: string | undefined, value: string | undefined) => ({
  ticker,
  name: `Name of ${ticker}`,
  isin,
  currency: 'GBP',
  value: value === undefined ? undefined : new Big(value),
  cost: undefined,
  profitLoss: undefined,
  fxImpact: undefined,
});

const part = (name: string, weight: string, more: Partial<FundHolding> = {}): FundHolding => ({
  name,
  isin: undefined,
  weightPercent: new Big(weight),
  country: undefined,
  sector: undefined,
  ...more,
});

const holdings = [
  holding('WORLD_EQ', 'IE0000000001', '600'),
  holding('BONDS_EQ', 'IE0000000002', '100'),
  holding('ABC_EQ', 'US0000000001', '300'),
];
const lists = new Map([
  [
    'IE0000000001',
    [
      part('Abc Inc', '50', { isin: 'US0000000001', country: 'US', sector: 'Technology' }),
      part('Def plc', '40', { country: 'GB', sector: 'Energy' }),
    ],
  ],
]);
const isFund = (ticker: string) => ticker !== 'ABC_EQ';

const look = (by: LookThroughBy, all = holdings, with_: ReadonlyMap<string, readonly FundHolding[]> = lists) => {
  const { groups, coveredPercent, lists: used, ...rest } = lookThrough(all, with_, by, isFund);
  return {
    groups: groups.map(({ group, name, value, weightPercent, positions }) => [
      group,
      name,
      value.toFixed(2),
      weightPercent?.toFixed(2),
      positions,
    ]),
    covered: coveredPercent?.toFixed(2),
    used: used.map(({ ticker, listedPercent }) => [ticker, listedPercent.toFixed()]),
    ...rest,
  };
};

describe('the positions are split', () => {
  test('by company: a share that is held alone and in a fund is one', () => {
    expect(look('company')).toEqual({
      groups: [
        ['US0000000001', 'Abc Inc', '600.00', '60.00', 2],
        ['Def plc', 'Def plc', '240.00', '24.00', 1],
        ['IE0000000002', 'Name of BONDS_EQ', '100.00', '10.00', 1],
        ['not listed', undefined, '60.00', '6.00', 1],
      ],
      // 540 of the fund are listed, and 300 are no fund.
      covered: '84.00',
      used: [['WORLD_EQ', '90']],
      without: ['BONDS_EQ'],
      unvalued: 0,
    });
  });

  test('by country: a fund without a list counts where it is registered', () => {
    expect(look('country').groups).toEqual([
      ['US', undefined, '600.00', '60.00', 2],
      ['GB', undefined, '240.00', '24.00', 1],
      ['IE', undefined, '100.00', '10.00', 1],
      ['not listed', undefined, '60.00', '6.00', 1],
    ]);
  });

  test('by sector: a share has none that is known', () => {
    expect(look('sector').groups).toEqual([
      ['unknown', undefined, '400.00', '40.00', 2],
      ['Technology', undefined, '300.00', '30.00', 1],
      ['Energy', undefined, '240.00', '24.00', 1],
      ['not listed', undefined, '60.00', '6.00', 1],
    ]);
  });
});

test('weights that add up to a little over 100 are shares of their sum', () => {
  const over = new Map([['IE0000000001', [part('A', '75.3'), part('B', '25.1')]]]);
  expect(look('company', holdings.slice(0, 1), over)).toMatchObject({
    groups: [
      ['A', 'A', '450.00', '75.00', 1],
      ['B', 'B', '150.00', '25.00', 1],
    ],
    covered: '100.00',
  });
});

test('a position without a value is in no group, and counted', () => {
  expect(look('company', [holding('NONE_EQ', undefined, undefined), holding('ABC_EQ', undefined, '5')])).toMatchObject({
    groups: [['ABC_EQ', 'Name of ABC_EQ', '5.00', '100.00', 1]],
    unvalued: 1,
  });
});
