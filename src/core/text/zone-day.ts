/** Calendar days in a time zone. */
import { resolveZone } from './account-zone.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of a moment (ms) in a time zone (IANA name), `YYYY-MM-DD`. Throws a RangeError for an unknown zone. */
export function toZoneDate(at: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    // Swedish dates are written as ISO 8601 writes them.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(zone, format);
  }
  return format.format(at);
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** The time of day of a moment (ms) in a time zone (IANA name), `HH:MM`. Throws a RangeError for an unknown zone. */
export function toZoneTime(at: number, zone: string): string {
  let format = timeFormats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    timeFormats.set(zone, format);
  }
  return format.format(at);
}

/** The zone of tax days: the owner's setting, London for an account in pounds, else that of the machine. */
export const resolveTaxZone = resolveZone;

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** No zone differs from UTC by more. */
const maxOffsetMs = 15 * hourMs;

/** The first minute of a day (`YYYY-MM-DD`) in a zone (ms), by bisection: only the date of a moment is known. */
export function findDayStart(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let before = midnight - maxOffsetMs;
  let after = midnight + maxOffsetMs;
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / minuteMs / 2) * minuteMs;
    if (toZoneDate(middle, zone) < day) before = middle;
    else after = middle;
  }
  return after;
}
