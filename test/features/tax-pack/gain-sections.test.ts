/** The tables of disposals, their matches and the pools: which column has which figure. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { compareExecution, type Trade } from '../../../src/features/analytics/trades.ts';
import { describeUnmatched } from '../../../src/features/gains/format-gains.ts';
import type { RealisedGainsOptions } from '../../../src/features/gains/gain-types.ts';
import { summarizeRealisedGains } from '../../../src/features/gains/summarize.ts';
import { buildGainSections } from '../../../src/features/tax-pack/gain-sections.ts';
import { action, buy, sell } from '../gains/trades.ts';

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

function packOf(trades: readonly Trade[], taxYear = '2025/26', options: Pick<RealisedGainsOptions, 'costBasis'> = {}) {
  const gains = summarizeRealisedGains(trades.toSorted(compareExecution), {
    method: 'uk_section_104',
    ...options,
  });
  const sections = buildGainSections(gains, taxYear, toDay);
  return {
    names: sections.map(({ name }) => name),
    section: (name: string) => sections.find((one) => one.name === name),
    rows: (name: string) => sections.find((one) => one.name === name)?.rows,
  };
}

const fee = (amount: string, currency = 'GBP') => ({ name: 'FEE', amount: new Big(amount), currency });
const pounds = { valueCurrency: 'GBP' };

describe('the disposals', () => {
  const pack = () =>
    packOf([
      buy('2024-06-03', 10, 100, pounds),
      buy('2024-06-03', 10, 300, { ...pounds, ticker: 'B' }),
      sell('2025-06-03', 4, 79, { ...pounds, charges: [fee('1'), fee('0.5')] }),
      buy('2025-06-03', 1, 12, pounds),
      buy('2025-06-13', 2, 22, pounds),
      sell('2025-07-03', 5, 100, { ...pounds, ticker: 'B' }),
    ]);

  test('have a row for each match, and the figures of the disposal in the first', () => {
    expect(pack().section('disposals')).toMatchObject({
      title: 'Disposals and their matches',
      columns: [
        'disposal',
        'soldOn',
        'ticker',
        'quantity',
        'proceeds',
        'charges',
        'cost',
        'gain',
        'currency',
        'rule',
        'matchedQuantity',
        'acquiredOn',
        'matchedCost',
      ],
    });
    // Proceeds before charges are 79 + 1.5; 80.5 − 1.5 − 44 is the gain.
    expect(pack().rows('disposals')).toEqual([
      [1, '2025-06-03', 'A', '4', '80.50', '1.50', '44.00', '35.00', 'GBP', 'same_day', '1', '2025-06-03', '12.00'],
      [1, null, null, null, null, null, null, null, null, 'thirty_day', '2', '2025-06-13', '22.00'],
      [1, null, null, null, null, null, null, null, null, 'section_104', '1', null, '10.00'],
      [2, '2025-07-03', 'B', '5', '100.00', '0.00', '150.00', '-50.00', 'GBP', 'section_104', '5', null, '150.00'],
    ]);
  });

  test('have a sum of each amount, of the exact figures', () => {
    expect(pack().section('disposals')?.totals).toEqual([
      { currency: 'GBP', count: 2, sums: { proceeds: '180.50', charges: '1.50', cost: '194.00', gain: '-15.00' } },
    ]);
  });

  test('have pools after each and after the last trade', () => {
    expect(pack().section('section-104-pools')?.title).toBe('Section 104 pools');
    expect(pack().section('section-104-pools')).toMatchObject({ columns: ['after', 'tickers', 'quantity', 'cost'] });
    expect(pack().rows('section-104-pools')).toEqual([
      ['2025-06-03', 'A', '9', '90.00'],
      ['2025-07-03', 'B', '5', '150.00'],
      ['the last trade', 'A', '9', '90.00'],
      ['the last trade', 'B', '5', '150.00'],
    ]);
  });

  test('are summed for the boxes of the return: proceeds and costs with the charges, gains and losses apart', () => {
    expect(pack().section('capital-gains-summary')).toMatchObject({
      title: 'Totals for form SA108',
      columns: ['part', 'currency', 'disposals', 'proceeds', 'allowableCosts', 'gains', 'losses'],
    });
    expect(pack().rows('capital-gains-summary')).toEqual([['year', 'GBP', 2, '180.50', '195.50', '35.00', '-50.00']]);
    expect(pack().section('capital-gains-summary')?.figures).toEqual([['Net gain GBP', '-15.00']]);
  });

  test('leave no table of what is in no figure where everything is in one', () => {
    expect(pack().names).toEqual(['capital-gains-summary', 'disposals', 'section-104-pools']);
  });
});

test('charges in another currency leave the proceeds and the totals empty, and the gain is known', () => {
  const { rows } = packOf([
    buy('2024-06-03', 10, 100, pounds),
    sell('2025-06-03', 4, 79, { ...pounds, charges: [fee('1', 'USD')] }),
  ]);
  expect(rows('disposals')?.[0]?.slice(3, 9)).toEqual(['4', null, null, '40.00', '39.00', 'GBP']);
  expect(rows('capital-gains-summary')).toEqual([['year', 'GBP', 1, null, null, null, null]]);
});

test('disposals in two currencies are summed apart, in each part of the year in which the rates changed', () => {
  const dollars = { valueCurrency: 'USD', ticker: 'B' };
  const trades = [
    buy('2024-04-10', 10, 100, pounds),
    buy('2024-04-10', 10, 200, dollars),
    sell('2024-10-29', 1, 15, pounds),
    sell('2024-10-30', 1, 8, pounds),
    sell('2024-10-30', 2, 50, dollars),
  ];
  expect(packOf(trades, '2024/25').rows('capital-gains-summary')).toEqual([
    ['year', 'GBP', 2, '23.00', '20.00', '5.00', '-2.00'],
    ['before 2024-10-30', 'GBP', 1, '15.00', '10.00', '5.00', '0.00'],
    ['since 2024-10-30', 'GBP', 1, '8.00', '10.00', '0.00', '-2.00'],
    ['year', 'USD', 1, '50.00', '40.00', '10.00', '0.00'],
    ['before 2024-10-30', 'USD', 0, '0.00', '0.00', '0.00', '0.00'],
    ['since 2024-10-30', 'USD', 1, '50.00', '40.00', '10.00', '0.00'],
  ]);
  expect(packOf(trades, '2024/25').section('capital-gains-summary')?.figures).toEqual([
    ['Net gain GBP', '3.00'],
    ['Net gain USD', '10.00'],
  ]);
  expect(
    packOf(trades, '2023/24')
      .rows('capital-gains-summary')
      ?.map(([part]) => part),
  ).toEqual(['year', 'year']);
});

test('a year without a disposal has totals of nothing, in no currency', () => {
  expect(packOf([]).rows('capital-gains-summary')).toEqual([['year', null, 0, '0.00', '0.00', '0.00', '0.00']]);
  expect([packOf([]).rows('disposals'), packOf([]).rows('section-104-pools')]).toEqual([[], []]);
});

test('a pool of shares of an unknown cost has none, and one without shares is left out', () => {
  const { rows } = packOf([
    action('2024-06-03', 'FOP', 10, 0),
    sell('2025-06-03', 4, 79),
    buy('2025-06-03', 1, 12),
    buy('2024-06-03', 5, 50, { ticker: 'B' }),
    sell('2025-07-03', 5, 60, { ticker: 'B' }),
  ]);
  expect(rows('section-104-pools')).toEqual([
    ['2025-06-03', 'A', '7', null],
    ['2025-07-03', 'B', '0', '0.00'],
    ['the last trade', 'A', '7', null],
  ]);
});

test('listings of one class have one pool, with the names of both', () => {
  const isin = 'IE0000000001';
  const { rows } = packOf([buy('2024-06-03', 5, 50, { isin }), buy('2024-06-04', 5, 60, { isin, ticker: 'B' })]);
  expect(rows('section-104-pools')).toEqual([['the last trade', 'A + B', '10', '110.00']]);
});

test('what is in no figure has its day, its money, the reason and the command that completes the figures', () => {
  const pack = packOf([
    action('2024-06-03', 'FOP', 10, 0, { fillId: '9', valueCurrency: 'GBP' }),
    sell('2025-06-03', 4, 79, pounds),
    sell('2025-07-03', 5, undefined, { ...pounds, ticker: 'B' }),
  ]);
  expect(pack.names).toEqual(['capital-gains-summary', 'disposals', 'unmatched', 'section-104-pools']);
  expect(pack.section('unmatched')).toMatchObject({
    title: 'In no figure',
    columns: ['day', 'ticker', 'side', 'quantity', 'proceeds', 'code', 'reason', 'next'],
  });
  const [unknown, noValue] = (['original_cost_unknown', 'no_value_of_sale'] as const).map(describeUnmatched);
  const command = 'brokerage-mcp cost-basis set --fill 9 --acquired YYYY-MM-DD --cost AMOUNT --currency GBP';
  expect(pack.rows('unmatched')).toEqual([
    ['2024-06-03', 'A', 'BUY', '10', null, 'original_cost_unknown', unknown, command],
    ['2025-06-03', 'A', 'SELL', '4', '79.00', 'original_cost_unknown', unknown, null],
    ['2025-07-03', 'B', 'SELL', '5', null, 'no_value_of_sale', noValue, null],
  ]);
});

test('a payment with an entered cost is a disposal of no shares, and has no pool of its own', () => {
  const costBasis = () => ({ acquiredAt: 0, cost: new Big(40) });
  const rows = [buy('2024-06-03', 10, 100), action('2025-06-03', 'CAPITAL_DISTRIBUTED', 0, 45)];
  const pack = packOf(rows, '2025/26', { costBasis });
  expect(pack.rows('disposals')).toEqual([
    [1, '2025-06-03', 'A', '0', '45.00', '0.00', '40.00', '5.00', null, 'entered', '0', null, '40.00'],
  ]);
  expect(pack.rows('section-104-pools')).toEqual([['the last trade', 'A', '10', '60.00']]);
});
