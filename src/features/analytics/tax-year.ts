/** The tax year of a moment: the UK's in London, otherwise the calendar year of the zone. */
import { findUkTaxYear, type TaxYear } from '../../core/text/uk-tax-year.ts';
import { findDayStart, toZoneDate } from '../../core/text/zone-day.ts';

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

const findYearStart = (year: number, zone: string): number => findDayStart(`${year}-01-01`, zone);
