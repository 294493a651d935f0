import { expect, test } from 'vitest';
import { toLondonDate, toLondonDay } from '../../../src/analytics/realized/london-day.ts';

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
