import { expect, test } from 'vitest';
import {
  describeSchedule,
  findDueDay,
  findNextDay,
  type Schedule,
} from '../../../../src/features/drafts/recurring/schedule.ts';

const long = '2000-01-01';
const monthly = (day: number): Schedule => ({ every: 'month', day });

test.each([
  ['2026-11-23', 1, '2026-11-01'],
  ['2026-11-23', 23, '2026-11-23'],
  ['2026-11-23', 24, '2026-10-24'],
  ['2026-01-05', 10, '2025-12-10'],
  ['2026-02-28', 31, '2026-02-28'],
  ['2028-02-28', 31, '2028-01-31'],
  ['2028-02-29', 30, '2028-02-29'],
  ['2026-03-01', 31, '2026-02-28'],
  ['2026-05-15', 31, '2026-04-30'],
])('on %s a plan for day %i of the month was due last on %s', (today, day, due) => {
  expect(findDueDay(monthly(day), today, long)).toBe(due);
});

// 23 November 2026 is a Monday.
test.each([
  ['monday', '2026-11-23'],
  ['sunday', '2026-11-22'],
  ['tuesday', '2026-11-17'],
] as const)('on Monday 23 November 2026 a plan for %s was due last on %s', (weekday, due) => {
  expect(findDueDay({ every: 'week', weekday }, '2026-11-23', long)).toBe(due);
});

test('a plan is not due for a day before it was made', () => {
  expect(findDueDay(monthly(1), '2026-11-23', '2026-11-02')).toBeUndefined();
  expect(findDueDay(monthly(1), '2026-11-23', '2026-11-01')).toBe('2026-11-01');
});

test.each([
  ['2026-11-23', 24, '2026-11-24'],
  ['2026-11-23', 23, '2026-12-23'],
  ['2026-12-31', 31, '2027-01-31'],
  ['2027-01-31', 31, '2027-02-28'],
  ['2026-02-27', 30, '2026-02-28'],
])('on %s a plan for day %i of the month is due next on %s', (today, day, next) => {
  expect(findNextDay(monthly(day), today)).toBe(next);
});

test.each([
  ['monday', '2026-11-30'],
  ['sunday', '2026-11-29'],
  ['tuesday', '2026-11-24'],
] as const)('on Monday 23 November 2026 a plan for %s is due next on %s', (weekday, next) => {
  expect(findNextDay({ every: 'week', weekday }, '2026-11-23')).toBe(next);
});

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [21, '21st'],
  [22, '22nd'],
  [23, '23rd'],
  [31, '31st'],
])('day %i of the month is the %s', (day, said) => {
  expect(describeSchedule(monthly(day))).toBe(`monthly on the ${said}`);
});

test('a day of the week has its name', () => {
  expect(describeSchedule({ every: 'week', weekday: 'friday' })).toBe('weekly on Friday');
});
