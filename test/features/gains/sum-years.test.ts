/** The sums of sales by year: of exact amounts, by the day of the sale in its zone. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import { toZoneDate } from '../../../src/core/text/dates.ts';
import { sumYears } from '../../../src/features/gains/sum-years.ts';

const sale = (at: string, gain: string, currency: string | undefined = 'GBP') =>
  ({
    at: Date.parse(at),
    proceeds: new Big(gain).plus(1),
    cost: new Big(1),
    gain: new Big(gain),
    currency,
  }) as Parameters<typeof sumYears>[0][number];

test('each year and currency has the sum of its exact amounts, rounded once', () => {
  const sales = [
    sale('2024-07-01T00:00:00Z', '0.104'),
    sale('2024-07-02T00:00:00Z', '0.104'),
    sale('2024-07-03T00:00:00Z', '0.104', 'USD'),
    // In London the next year has not begun; in Berlin it has.
    sale('2024-12-31T23:30:00Z', '-3'),
    sale('2025-06-01T00:00:00Z', '5'),
  ];
  const read = (zone: string) => sumYears(sales, (at) => toZoneDate(at, zone));
  expect(read('Europe/London')).toEqual({
    columns: ['year', 'disposals', 'proceeds', 'cost', 'gain', 'currency'],
    rows: [
      // 0.104 + 0.104 − 3
      ['2024', 3, '0.21', '3.00', '-2.79', 'GBP'],
      ['2024', 1, '1.10', '1.00', '0.10', 'USD'],
      ['2025', 1, '6.00', '1.00', '5.00', 'GBP'],
    ],
  });
  expect(read('Europe/Berlin').rows).toEqual([
    ['2024', 2, '2.21', '2.00', '0.21', 'GBP'],
    ['2024', 1, '1.10', '1.00', '0.10', 'USD'],
    ['2025', 2, '4.00', '2.00', '2.00', 'GBP'],
  ]);
});
