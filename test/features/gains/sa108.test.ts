/** The totals of form SA108, and the two parts of the year in which the rates changed. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Disposal } from '../../../src/features/gains/gain-types.ts';
import { computeTaxReturnTotals, splitAtRateChange } from '../../../src/features/gains/sa108.ts';
import { at } from './trades.ts';

const disposal = (proceeds: number, cost: number, charges: number | undefined, when = '2024-06-10') =>
  ({
    at: at(when),
    proceeds: new Big(proceeds),
    cost: new Big(cost),
    gain: new Big(proceeds).minus(cost),
    charges: charges === undefined ? undefined : new Big(charges),
  }) as unknown as Disposal;

test('charges of a sale are in the proceeds and in the costs; gains and losses are apart', () => {
  expect(
    computeTaxReturnTotals([disposal(99, 60, 1), disposal(48, 70, 2), disposal(30, 30, 0), disposal(10, 4, 0)]),
  ).toEqual({
    disposals: 4,
    proceeds: new Big(190),
    allowableCosts: new Big(167),
    gains: new Big(45),
    losses: new Big(-22),
  });
});

test('a refund of charges lowers both', () => {
  expect(computeTaxReturnTotals([disposal(100, 60, -3)])).toMatchObject({
    proceeds: new Big(97),
    allowableCosts: new Big(57),
    gains: new Big(40),
  });
});

test('no disposal has totals of nothing, and unknown charges of one leave none', () => {
  const zero = new Big(0);
  expect(computeTaxReturnTotals([])).toEqual({
    disposals: 0,
    proceeds: zero,
    allowableCosts: zero,
    gains: zero,
    losses: zero,
  });
  expect(computeTaxReturnTotals([disposal(99, 60, 1), disposal(99, 60, undefined)])).toBeUndefined();
});

test('the rates changed at midnight of 30 October 2024, in winter time', () => {
  const [before, since] = [
    disposal(1, 1, 0, '2024-10-29T23:59:59.999Z'),
    disposal(1, 1, 0, '2024-10-30T00:00:00.000Z'),
  ];
  expect(splitAtRateChange([since, before])).toEqual({ before: [before], since: [since] });
});
