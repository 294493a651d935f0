/** The tax year of a moment: the UK's in London, otherwise the calendar year of the zone. */
import { findUkTaxYear, type TaxYear } from './uk-tax-year.ts';
import { toZoneDate } from './zone-day.ts';

export interface NamedTaxYear extends TaxYear {
  /** `2025/26`, or `2026` for a calendar year. */
  readonly name: string;
}

/** The tax year that contains a moment (ms), for a zone of tax days (IANA name). */
export function findTaxYear(at: number, zone: string): NamedTaxYear {
  if (zone === 'Europe/London') return findUkTaxYear(at);
  const year = Number(toZoneDate(at, zone).slice(0, 4));
  return { name: String(year), since: findYearStart(year, zone), until: findYearStart(year + 1, zone) };
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** No zone differs from UTC by more. */
const maxOffsetMs = 15 * hourMs;

/** The first minute of a calendar year in a zone (ms), by bisection: only the date of a moment is known. */
function findYearStart(year: number, zone: string): number {
  const newYear = `${year}-01-01`;
  let before = Date.UTC(year, 0, 1) - maxOffsetMs;
  let after = Date.UTC(year, 0, 1) + maxOffsetMs;
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / minuteMs / 2) * minuteMs;
    if (toZoneDate(middle, zone) < newYear) before = middle;
    else after = middle;
  }
  return after;
}
