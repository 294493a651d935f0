/** Calendar months, quarters and years, in UTC unless a time zone is given. */

import { findDayStart, toZoneDate } from '../../core/text/dates.ts';

export type Period = 'month' | 'quarter' | 'year';

interface NamedPeriod {
  /** `2026-11`, `2026-Q4` or `2026`. */
  readonly name: string;
  /** Milliseconds since 1970, UTC; inclusive and exclusive. */
  readonly from: number;
  readonly to: number;
}

const monthsIn = { month: 1, quarter: 3, year: 12 } as const;

/** More rows than a reader can use; a `since` in the year 1 would create 24,000. */
const maxPeriods = 600;

/** The name of the period that contains the moment (ms), in a time zone (IANA name; UTC by default). */
export function getPeriodName(at: number, period: Period, zone?: string): string {
  const date = new Date(zone === undefined ? at : toZoneDate(at, zone));
  return formatPeriod(date.getUTCFullYear(), date.getUTCMonth(), period);
}

/** Every period that overlaps the range (ms), oldest first; the newest 600 if there are more. UTC without a zone. */
export function periodsBetween(from: number, to: number, period: Period, zone?: string): NamedPeriod[] {
  const step = monthsIn[period];
  const last = new Date(zone === undefined ? to - 1 : toZoneDate(to - 1, zone));
  let month = Math.floor(last.getUTCMonth() / step) * step;
  const year = last.getUTCFullYear();
  const findStart = (day: number) => (zone === undefined ? day : findDayStart(toIsoDate(day), zone));
  const periods: NamedPeriod[] = [];
  let end = findStart(Date.UTC(year, month + step));
  while (periods.length < maxPeriods) {
    const day = Date.UTC(year, month);
    const start = findStart(day);
    if (end <= from || from >= to) break;
    periods.push({ name: getPeriodName(day, period), from: start, to: end });
    month -= step;
    end = start;
  }
  return periods.reverse();
}

/** The same moment `years` later (or earlier, if negative); 29 February becomes the 28th in other years. */
export function addYears(at: number, years: number): number {
  const date = new Date(at);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}

/** The UTC day of a moment (ms), `YYYY-MM-DD`. */
export const toIsoDate = (at: number): string => new Date(at).toISOString().slice(0, 10);

function formatPeriod(year: number, month: number, period: Period): string {
  const name = String(year).padStart(4, '0');
  if (period === 'year') return name;
  if (period === 'quarter') return `${name}-Q${Math.floor(month / 3) + 1}`;
  return `${name}-${String(month + 1).padStart(2, '0')}`;
}
