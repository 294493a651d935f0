import { expect, test } from 'vitest';
import { formatDay, formatMoment, startsDay } from '../../../src/core/text/format-moment.ts';

/** A Tuesday. London is on UTC; New York is five hours behind, Auckland thirteen ahead. */
const now = Date.parse('2026-11-24T06:00:00Z');

test.each([
  ['2026-11-24T08:00:00Z', 'today 08:00'],
  ['2026-11-24T00:00:00Z', 'today 00:00'],
  ['2026-11-24T23:59:59.999Z', 'today 23:59'],
  ['2026-11-25T00:00:00Z', 'tomorrow 00:00'],
  ['2026-11-25T14:30:00Z', 'tomorrow 14:30'],
  ['2026-11-23T23:59:59.999Z', 'yesterday 23:59'],
  ['2026-11-22T09:05:00Z', '22 Nov 09:05'],
  ['2026-11-26T08:00:00Z', '26 Nov 08:00'],
  ['2026-11-30T08:00:00Z', '30 Nov 08:00'],
  ['2027-01-04T08:00:00Z', '4 Jan 2027 08:00'],
  ['2025-09-01T11:00:00Z', '1 Sep 2025 12:00'],
])('says %s in London as "%s"', (at, text) => {
  expect(formatMoment(Date.parse(at), now, 'Europe/London')).toBe(text);
});

test.each([
  ['America/New_York', 'today 09:30'],
  ['Europe/London', 'today 14:30'],
  ['Pacific/Auckland', 'tomorrow 03:30'],
])('takes the clock and the day of %s', (zone, text) => {
  expect(formatMoment(Date.parse('2026-11-24T14:30:00Z'), now, zone)).toBe(text);
});

test('counts calendar days where a day has 25 hours', () => {
  const saturday = Date.parse('2026-10-24T23:30:00+01:00');
  expect(formatMoment(Date.parse('2026-10-25T23:30:00Z'), saturday, 'Europe/London')).toBe('tomorrow 23:30');
  expect(formatMoment(Date.parse('2026-10-26T00:30:00Z'), saturday, 'Europe/London')).toBe('26 Oct 00:30');
});

test('says tomorrow on the last day of a year', () => {
  const eve = Date.parse('2026-12-31T18:00:00Z');
  expect(formatMoment(Date.parse('2027-01-01T08:00:00Z'), eve, 'Europe/London')).toBe('tomorrow 08:00');
});

test('says a day with its year, and knows where a day begins', () => {
  const summer = Date.parse('2026-04-05T23:00:00Z');
  expect([formatDay(summer, 'Europe/London'), formatDay(summer, 'UTC')]).toEqual(['6 Apr 2026', '5 Apr 2026']);
  expect([startsDay(summer, 'Europe/London'), startsDay(summer, 'UTC')]).toEqual([true, false]);
  // The clocks of Beirut went from 00:00 to 01:00 on 31 March 2024 (UTC+2 to UTC+3), so that day began at 01:00.
  expect(startsDay(Date.parse('2024-03-31T01:00:00+03:00'), 'Asia/Beirut')).toBe(true);
});
