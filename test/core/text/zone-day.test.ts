/** When a day begins in a zone, and the periods of a zone. */
import { expect, test } from 'vitest';
import { findDayStart } from '../../../src/core/text/dates.ts';
import { periodsBetween } from '../../../src/features/analytics/periods.ts';

test.each([
  ['2024-07-01', 'Europe/London', '2024-06-30T23:00:00.000Z'],
  ['2024-12-01', 'Europe/London', '2024-12-01T00:00:00.000Z'],
  // The clocks change at 01:00 UTC on these days.
  ['2024-03-31', 'Europe/London', '2024-03-31T00:00:00.000Z'],
  ['2024-10-27', 'Europe/London', '2024-10-26T23:00:00.000Z'],
  ['2025-01-01', 'Europe/Berlin', '2024-12-31T23:00:00.000Z'],
  ['2024-07-01', 'America/New_York', '2024-07-01T04:00:00.000Z'],
  ['2024-01-01', 'Asia/Kolkata', '2023-12-31T18:30:00.000Z'],
  ['2024-01-01', 'Pacific/Kiritimati', '2023-12-31T10:00:00.000Z'],
  ['2024-01-01', 'UTC', '2024-01-01T00:00:00.000Z'],
])('%s begins in %s at %s', (day, zone, expected) => {
  expect(new Date(findDayStart(day, zone)).toISOString()).toBe(expected);
});

test('the months of a zone follow each other', () => {
  const periods = periodsBetween(
    Date.parse('2024-02-29T22:30:00Z'),
    Date.parse('2024-04-30T22:30:00Z'),
    'month',
    'Europe/Berlin',
  );
  expect(periods.map(({ name, from, to }) => [name, new Date(from).toISOString(), new Date(to).toISOString()])).toEqual(
    [
      ['2024-02', '2024-01-31T23:00:00.000Z', '2024-02-29T23:00:00.000Z'],
      ['2024-03', '2024-02-29T23:00:00.000Z', '2024-03-31T22:00:00.000Z'],
      ['2024-04', '2024-03-31T22:00:00.000Z', '2024-04-30T22:00:00.000Z'],
      ['2024-05', '2024-04-30T22:00:00.000Z', '2024-05-31T22:00:00.000Z'],
    ],
  );
});
