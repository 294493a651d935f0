import { expect, test } from 'vitest';
import { toLondonDate, toLondonDay } from '../../../src/features/gains/london-day.ts';

const inLondon = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

test('a day follows the calendar of London, at every midnight and clock change', { tags: ['slow'] }, () => {
  const hour = 3_600_000;
  let compared = 0;
  for (let midnight = Date.UTC(1996, 0, 1); midnight < Date.UTC(2038, 0, 1); midnight += 24 * hour)
    for (const at of [midnight - hour - 1, midnight - hour, midnight - 1, midnight, midnight + hour]) {
      if (toLondonDate(at) !== inLondon.format(at)) expect(toLondonDate(at)).toBe(inLondon.format(at));
      compared++;
    }
  expect(compared).toBe(5 * 15_341);
});

test('days are consecutive although one has 23 hours and one 25', () => {
  expect(toLondonDay(Date.parse('2025-03-31T12:00:00Z')) - toLondonDay(Date.parse('2025-03-01T12:00:00Z'))).toBe(30);
  expect(toLondonDay(Date.parse('2025-10-31T23:59:59Z')) - toLondonDay(Date.parse('2025-09-30T23:00:00Z'))).toBe(30);
  expect(toLondonDay(0)).toBe(0);
});

test.each([
  // Summer time from the last Sunday of March to the last Sunday of October.
  ['2025-03-29T23:30:00Z', '2025-03-29'],
  ['2025-03-30T23:00:00Z', '2025-03-31'],
  ['2025-10-25T23:00:00Z', '2025-10-26'],
  ['2025-10-26T23:59:59Z', '2025-10-26'],
  ['2024-03-30T23:30:00Z', '2024-03-30'],
  ['2024-03-31T23:00:00Z', '2024-04-01'],
  ['2018-03-24T23:30:00Z', '2018-03-24'],
  ['2018-03-25T23:00:00Z', '2018-03-26'],
  ['2020-10-24T23:00:00Z', '2020-10-25'],
  ['2020-10-25T23:59:59Z', '2020-10-25'],
  ['2021-10-30T23:00:00Z', '2021-10-31'],
  ['2021-10-31T23:59:59Z', '2021-10-31'],
  ['2025-12-31T23:59:59Z', '2025-12-31'],
  ['2025-06-30T22:59:59Z', '2025-06-30'],
  ['2025-06-30T23:00:00Z', '2025-07-01'],
])('%s is %s in London', (moment, date) => {
  expect(toLondonDate(Date.parse(moment))).toBe(date);
});
