import { expect, test } from 'vitest';
import { describeOpening } from '../../../src/core/instruments/market-hours.ts';
import { getMachineZone } from '../../../src/core/text/dates.ts';

const now = Date.parse('2026-11-24T06:00:00Z');
const at = '2026-11-24T14:30:00.000Z';

test('an opening is said in the zone of the account, which is named where this machine shows another time', () => {
  const isOther = getMachineZone() !== 'Asia/Kolkata';
  expect(describeOpening(at, { now, zone: 'Asia/Kolkata' })).toBe(`opens today 20:00${isOther ? ' Kolkata time' : ''}`);
  expect(describeOpening(at, { now, zone: getMachineZone() })).toMatch(/^opens (today|tomorrow) \d\d:\d\d$/);
});

test('a text that is kept has the full date', () => {
  expect(describeOpening(at, { now: undefined, zone: 'Europe/London' })).toMatch(/^opens 24 Nov 2026 14:30/);
});

test('an unknown opening is said to be unknown', () => {
  expect(describeOpening(undefined, { now, zone: 'Europe/London' })).toBe('opens at an unknown time');
});
