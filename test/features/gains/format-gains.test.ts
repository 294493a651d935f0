/** Figures of a disposal as text. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import {
  formatMatches,
  formatMatchRules,
  formatPence,
  formatPool,
  formatQuantity,
  formatTotal,
  losesPrecision,
} from '../../../src/features/gains/format-gains.ts';
import type { Disposal, Match } from '../../../src/features/gains/gain-types.ts';

const disposal = (fields: object) => fields as unknown as Disposal;
const match = (rule: Match['rule'], quantity: number, cost: string, acquiredAt?: number): Match => ({
  rule,
  quantity: new Big(quantity),
  cost: new Big(cost),
  ...(acquiredAt === undefined ? {} : { acquiredAt }),
});

test.each([
  ['0.005', '0.01'],
  ['0.0049', '0.00'],
  ['-0.005', '-0.01'],
  ['-0.004', '0.00'],
  // Half a penny that a division made short by the last of 24 decimals; 16 decimals tell the others apart.
  ['0.004999999999999999999999', '0.01'],
  ['0.0049999999999999', '0.00'],
  ['1234.5', '1234.50'],
])('%s is shown as %s', (figure, text) => {
  expect(formatPence(new Big(figure))).toBe(text);
});

test.each([
  ['1.00000000005', '1.0000000001'],
  ['1.00000000004', '1'],
  ['0.3333333333333', '0.3333333333'],
  ['100', '100'],
  ['0.0000000001', '0.0000000001'],
])('the quantity %s is shown as %s', (quantity, text) => {
  expect(formatQuantity(new Big(quantity))).toBe(text);
});

describe('matches', () => {
  const matches = [
    match('thirty_day', 5, '45.001', 7),
    match('thirty_day', 2, '1.004', 7),
    match('thirty_day', 1, '3', 8),
    match('same_day', 1, '4', 7),
    match('section_104', 5, '50'),
    match('section_104', 4, '0.5'),
  ];

  test('of one moment by one rule are one, summed before they are rounded; a pool has no day', () => {
    expect(formatMatches(disposal({ matches }), (at) => `DAY ${at}`)).toBe(
      'thirty_day 7 of DAY 7 = 46.01, thirty_day 1 of DAY 8 = 3.00, same_day 1 of DAY 7 = 4.00, section_104 9 = 50.50',
    );
  });

  test('have the shares of each rule', () => {
    expect(formatMatchRules(disposal({ matches }))).toBe('thirty_day 8, same_day 1, section_104 9');
  });
});

test.each([
  [{ quantity: new Big(5), cost: new Big(50) }, '5 = 50.00'],
  [{ quantity: new Big(5), cost: new Big(0) }, '5 = 0.00'],
  [{ quantity: new Big(5), cost: undefined }, '5 = unknown'],
  [undefined, undefined],
])('the pool %j is shown as %s', (poolAfter, text) => {
  expect(formatPool(disposal({ poolAfter }))).toBe(text);
});

test('each figure of a total has its own name', () => {
  const total = { disposals: 3, proceeds: new Big('10.005'), cost: new Big(4), gain: new Big('6.005') };
  expect(formatTotal(total)).toEqual({ disposals: 3, proceeds: '10.01', cost: '4.00', gain: '6.01' });
});

test.each([
  ['1.25', '3.55', false],
  ['1.255', '3.5', true],
  ['1.25', '3.501', true],
])('rows of %s less %s lose precision: %s', (proceeds, cost, loses) => {
  const row = (a: string, b: string) => disposal({ proceeds: new Big(a), cost: new Big(b) });
  expect(losesPrecision([row('1', '2'), row(proceeds, cost)])).toBe(loses);
});
