/** Days, times and tax years in a time zone. */

/** The zone of this machine (IANA name); UTC where the system has none that can be used. */
export function getMachineZone(): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    // Intl refuses the name that it reports when the system has no zone, such as Etc/Unknown.
    return 'UTC';
  }
}

/** The zone of an account and of its tax days: the owner's setting, London for an account in pounds, else that of the machine. */
export const resolveZone = (configured: string | undefined, accountCurrency: string | undefined): string =>
  configured ?? (accountCurrency === 'GBP' ? 'Europe/London' : getMachineZone());

// Calendar days in a time zone.

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

const dateShape = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimeShape =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * Parses an ISO 8601 date (as UTC midnight) or a date-time with an offset; returns milliseconds since 1970. Returns
 * undefined for anything else, also for a day that does not exist: Date.parse would turn 30 February into March.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = dateShape.exec(text) ?? dateTimeShape.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const calendar = new Date(Date.UTC(year, month - 1, day));
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a text that `parseTimestamp` accepts is a date without a time. */
export const isDate = (text: string): boolean => dateShape.test(text);

export const toIsoTimestamp = (ms: number): string => new Date(ms).toISOString();

// The tax year of a moment: the UK's in London, otherwise the calendar year of the zone.

export interface NamedTaxYear extends TaxYear {
  /** `2025/26`, or `2026` for a calendar year. */
  readonly name: string;
}

/** The tax year that contains a moment (ms), for a zone of tax days (IANA name). */
export function findTaxYear(at: number, zone: string): NamedTaxYear {
  if (zone === taxYearZone) return findUkTaxYear(at);
  const year = Number(toZoneDate(at, zone).slice(0, 4));
  return { name: String(year), since: findYearStart(year, zone), until: findYearStart(year + 1, zone) };
}

const findYearStart = (year: number, zone: string): number => findDayStart(`${year}-01-01`, zone);
