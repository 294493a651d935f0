/** When a recurring plan is due, in calendar days of one time zone. */
import { dayMs } from '../../../core/clock.ts';

export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export type Schedule =
  /** `day` from 1 to 31; in a shorter month its last day. */
  | { readonly every: 'month'; readonly day: number }
  | { readonly every: 'week'; readonly weekday: (typeof weekdays)[number] };

/** A schedule as a text such as `month 1` or `week monday`; undefined for another text. */
export function parseSchedule(text: string): Schedule | undefined {
  const [every, day = '', ...more] = text.trim().toLowerCase().split(/\s+/);
  if (more.length > 0) return undefined;
  if (every === 'month' && /^([1-9]|[12]\d|3[01])$/.test(day)) return { every, day: Number(day) };
  const weekday = weekdays.find((name) => name === day);
  return every === 'week' && weekday ? { every, weekday } : undefined;
}

/** `monthly on the 1st`, or `weekly on Friday`. */
export const describeSchedule = (schedule: Schedule): string =>
  schedule.every === 'month'
    ? `monthly on the ${schedule.day}${ordinalEndings[ordinals.select(schedule.day)]}`
    : `weekly on ${schedule.weekday.replace(/^./, (letter) => letter.toUpperCase())}`;

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

const ordinalEndings: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  ...{ zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' },
};

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The latest day (`YYYY-MM-DD`) on which a plan was due, at the latest `today`; undefined when that was before
 * `since`. The days before it that were missed are not due any more.
 */
export function findDueDay(schedule: Schedule, today: string, since: string): string | undefined {
  const due = schedule.every === 'week' ? findWeekday(schedule.weekday, today) : findMonthDay(schedule.day, today);
  return due >= since ? due : undefined;
}

/** The first day (`YYYY-MM-DD`) after `today` on which a plan is due. */
export function findNextDay(schedule: Schedule, today: string): string {
  if (schedule.every === 'week') return toDate(Date.parse(findWeekday(schedule.weekday, today)) + 7 * dayMs);
  const [year = 0, month = 0] = today.split('-').map(Number);
  const present = toMonthDay(year, month, schedule.day);
  return present > today ? present : toMonthDay(year, month + 1, schedule.day);
}

function findWeekday(weekday: (typeof weekdays)[number], today: string): string {
  const at = Date.parse(today);
  const back = (new Date(at).getUTCDay() - weekdays.indexOf(weekday) + 7) % 7;
  return toDate(at - back * dayMs);
}

function findMonthDay(day: number, today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const present = toMonthDay(year, month, day);
  return present <= today ? present : toMonthDay(year, month - 1, day);
}

/** The day of a month from 1 to 12, or its last day; month 0 is December of the year before, 13 January of the next. */
function toMonthDay(year: number, month: number, day: number): string {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return toDate(Date.UTC(year, month - 1, Math.min(day, last)));
}
