import { expect, test } from 'vitest';
import { sayTime } from '../../src/mcp/say-time.ts';

const zone = 'Europe/London';
/** A Tuesday in winter, 09:10 in London. */
const now = Date.UTC(2026, 10, 24, 9, 10);

test.each([
  ['today 14:30', Date.UTC(2026, 10, 24, 14, 30)],
  ['tomorrow 08:00', Date.UTC(2026, 10, 25, 8)],
  ['on Friday 08:00', Date.UTC(2026, 10, 27, 8)],
  ['on Monday 08:00', Date.UTC(2026, 10, 30, 8)],
  ['on 1 December 08:00', Date.UTC(2026, 11, 1, 8)],
])('%s', (text, at) => {
  expect(sayTime(at, now, zone)).toBe(text);
});

test('the day is that of the zone', () => {
  // 23:30 in London is 08:30 of the next day in Tokyo.
  expect(sayTime(Date.UTC(2026, 10, 24, 23, 30), now, 'Asia/Tokyo')).toBe('tomorrow 08:30');
  // Summer time ended on 25 October: 24 hours later it is an hour earlier on the clock.
  expect(sayTime(Date.UTC(2026, 9, 25, 9), Date.UTC(2026, 9, 24, 9), zone)).toBe('tomorrow 09:00');
});
