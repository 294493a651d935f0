/** Moments as people say them, in English: "today 08:00", "tomorrow 14:30", "30 Nov 08:00", "4 Jan 2027 08:00"; and days: "4 Jan 2027". */

import { type Clock, dayMs } from '../clock.ts';

interface Parts {
  readonly year: number;
  /** `30 Nov`. */
  readonly day: string;
  readonly time: string;
  /** Days since 1 January 1970 of the calendar of the zone. */
  readonly dayNumber: number;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

function toParts(at: number, zone: string): Parts {
  const parts = new Map(
    getFormat(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day] = [Number(parts.get('year')), Number(parts.get('month')) - 1, Number(parts.get('day'))];
  const midnight = Date.UTC(year, month, day);
  return {
    year,
    day: `${day} ${months[month]}`,
    time: `${parts.get('hour')}:${parts.get('minute')}`,
    dayNumber: midnight / dayMs,
  };
}

/**
 * The moment `at` (ms) in a time zone (IANA name), as a person says it at the moment `now` (ms). Names the year only
 * if it is another one. Throws a RangeError for an unknown zone and for a moment outside the calendar.
 */
export function formatMoment(at: number, now: number, zone: string): string {
  const [moment, today] = [toParts(at, zone), toParts(now, zone)];
  const days = moment.dayNumber - today.dayNumber;
  if (days === 0) return `today ${moment.time}`;
  if (days === 1) return `tomorrow ${moment.time}`;
  if (days === -1) return `yesterday ${moment.time}`;
  return `${moment.day}${moment.year === today.year ? '' : ` ${moment.year}`} ${moment.time}`;
}

/** The day of a moment (ms) in a time zone (IANA name), with its year: `6 Apr 2026`. */
export function formatDay(at: number, zone: string): string {
  const { day, year } = toParts(at, zone);
  return `${day} ${year}`;
}

/** Whether a day of the time zone begins at the moment (ms): at midnight, or later where a clock change skips it. */
export const startsDay = (at: number, zone: string): boolean =>
  toParts(at, zone).dayNumber !== toParts(at - 1, zone).dayNumber;

// Moments for a person in one time zone, said at the time of reading.

/** Says a moment (ms since 1970), such as "today 08:00". */
export type SayMoment = (at: number) => string;

export const createSayMoment =
  (zone: string, clock: Clock): SayMoment =>
  (at) =>
    formatMoment(at, clock.now(), zone);
