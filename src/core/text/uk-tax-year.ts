/** The UK tax year, written with its two calendar years: `2025/26`. */

export interface TaxYear {
  /** Milliseconds since 1970, UTC; inclusive and exclusive. */
  readonly since: number;
  readonly until: number;
}

/** The time zone of the days of a UK tax year. */
export const taxYearZone = 'Europe/London';

/**
 * The bounds from 6 April 00:00 to the next 6 April 00:00 in London. Undefined if the text is no tax year: four
 * digits, a slash and the last two digits of the following year.
 */
export function parseTaxYear(text: string): TaxYear | undefined {
  const match = /^(\d{4})\/(\d{2})$/.exec(text);
  const year = Number(match?.[1]);
  if (!match || Number(match[2]) !== (year + 1) % 100 || year < firstYear) return undefined;
  return { since: getStart(year), until: getStart(year + 1) };
}

/** Why figures of the year are not final at `now` (ms); undefined when the year has ended. */
export function describeOpenYear({ since, until }: TaxYear, now: number): string | undefined {
  if (now < since) return 'The tax year has not begun: it has no rows yet.';
  return now < until ? 'The tax year has not ended: more rows can follow.' : undefined;
}

/** The tax year that contains a moment (ms), with its name. */
export function findUkTaxYear(at: number): TaxYear & { readonly name: string } {
  const calendarYear = new Date(at).getUTCFullYear();
  const year = at < getStart(calendarYear) ? calendarYear - 1 : calendarYear;
  const name = `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
  return { name, since: getStart(year), until: getStart(year + 1) };
}

/** Since this year, summer time has started by 6 April. */
const firstYear = 1972;

/** London is an hour ahead of UTC on 6 April. */
const getStart = (year: number): number => Date.UTC(year, 3, 5, 23);
