/** Formats exact decimal strings, times and names as people of the reader's locale write them. */
import { isPence } from '../../../core/text/currency-units.ts';
import { writeMoney, writeNumber, writePercent, writePounds } from '../../../core/text/format-money.ts';

export interface FormatOptions {
  /** BCP 47; undefined means the default locale of the machine. */
  readonly locale?: string | undefined;
  /** IANA; undefined means the time zone of the machine. */
  readonly timeZone?: string | undefined;
  /** The moment of reading (ms): a day of its year is written without the year. Undefined writes every year. */
  readonly now?: number | undefined;
  /** Whether the page is read at `now`, so that its day can be called today. A page that is kept is read later. */
  readonly isLive?: boolean | undefined;
  /** Whether the head of the page says when its data is from, and that it is simulated, for all of its parts. */
  readonly isPart?: boolean | undefined;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** As slow to make as those of numbers; a page has few locales, zones and sets of options. */
function getDateFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = dateFormats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  dateFormats.set(key, made);
  return made;
}

/** Writes a date with months of three letters: British English alone shortens September to four. */
const writeDate = (at: number, locale: string | undefined, options: Intl.DateTimeFormatOptions): string =>
  getDateFormat(locale, options)
    .format(at)
    .replace(/\bSept\b/, 'Sep');

export const unknown = 'unknown';

export const formatNumber = (decimal: string | undefined, { locale }: FormatOptions): string =>
  decimal === undefined ? unknown : writeNumber(decimal, locale);

const fixed = new Map<number, Intl.NumberFormat>();

/** Rounds a decimal to a number of decimals; exact, unlike a float. */
export function roundDecimal(decimal: string, digits: number): string {
  const options = { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = fixed.get(digits) ?? new Intl.NumberFormat('en', options);
  fixed.set(digits, format);
  return format.format(decimal as `${number}`);
}

/** Decimals of a share that a reader compares; files have all of them. */
export const maxDecimals = 4;

/** A number of shares with at most four decimals; with all of them where it would be zero. */
export function formatShares(decimal: string | undefined, look: FormatOptions): string {
  const isLong = (decimal?.split('.')[1]?.length ?? 0) > maxDecimals;
  const short = decimal && isLong ? roundDecimal(decimal, maxDecimals).replace(/\.?0+$/, '') : decimal;
  return formatNumber(getSign(short) === 0 ? decimal : short, look);
}

export const formatSigned = (decimal: string | undefined, { locale }: FormatOptions): string =>
  decimal === undefined ? unknown : writeNumber(decimal, locale, true);
export const formatPercent = (decimal: string | undefined, { locale }: FormatOptions): string =>
  decimal === undefined ? unknown : writePercent(decimal, locale);
export const formatSignedPercent = (decimal: string | undefined, { locale }: FormatOptions): string =>
  decimal === undefined ? unknown : writePercent(decimal, locale, true);

export const formatMoney = (
  decimal: string | undefined,
  currency: string | undefined,
  { locale }: FormatOptions,
): string => (decimal === undefined ? unknown : writeMoney(decimal, currency, locale));

export const formatSignedMoney = (
  decimal: string | undefined,
  currency: string | undefined,
  { locale }: FormatOptions,
): string => (decimal === undefined ? unknown : writeMoney(decimal, currency, locale, true));

/** Formats a price in the instrument's currency; pence are followed by the same in pounds. */
export function formatPrice(decimal: string | undefined, currency: string | undefined, look: FormatOptions): string {
  const price = formatMoney(decimal, currency, look);
  if (currency === undefined) return `${price} (currency unknown)`;
  return isPence(currency) && decimal !== undefined ? `${price} (${writePounds(decimal, look.locale)})` : price;
}

/** Short amounts, for an axis: `£10K`. */
export const createAxisFormat = (currency: string | undefined, look: FormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(look.locale, {
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
    ...(currency !== undefined && /^[A-Z]{3}$/.test(currency) && !isPence(currency)
      ? { style: 'currency', currency }
      : {}),
  });

/** For drawing only: a float is precise enough for a length. Unknown and infinite values become a finite one. */
export const toNumber = (decimal: string | undefined): number =>
  decimal === undefined ? 0 : Math.max(-1e100, Math.min(1e100, Number(decimal)));

/** The decimal with the other sign; zero has none. Without a library, because a view is small. */
export const negate = (decimal: string): string =>
  decimal.startsWith('-') ? decimal.slice(1) : getSign(decimal) === 0 ? decimal : `-${decimal}`;

export const getSign = (decimal: string | undefined): -1 | 0 | 1 => Math.sign(toNumber(decimal)) as -1 | 0 | 1;

const dayOf = (at: number, { timeZone }: FormatOptions): string =>
  getDateFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

const hourMs = 3_600_000;

/** `today 08:00`, `tomorrow 14:30`, `24 Nov 08:00`; with the year when it is another one. */
export function formatTimestamp(at: number, look: FormatOptions): string {
  const { now, locale, timeZone } = look;
  const time = getDateFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
  if (now !== undefined && look.isLive) {
    const day = dayOf(at, look);
    if (day === dayOf(now, look)) return `today ${time}`;
    // The next day begins at most 25 hours later, and the one after that at least 23 hours after the next.
    if (at > now && at < now + 49 * hourMs && isNextDay(day, dayOf(now, look))) return `tomorrow ${time}`;
  }
  return `${formatDay(dayOf(at, look), look)} ${time}`;
}

const isNextDay = (day: string, before: string): boolean => Date.parse(day) - Date.parse(before) === 24 * hourMs;

/** The day on which something ends; with the time where that is less than two days from now. */
export const formatEnd = (at: number, look: FormatOptions): string =>
  look.now !== undefined && Math.abs(at - look.now) >= 48 * hourMs
    ? formatDay(dayOf(at, look), look)
    : formatTimestamp(at, look);

/** The moment at which a page was made, with its time zone: a page that is kept is read elsewhere. */
export const formatMoment = (at: number, { locale, timeZone }: FormatOptions): string =>
  writeDate(at, locale, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/**
 * Formats the calendar day of an ISO date, independent of the reader's time zone: `24 Nov`, with the year when it is
 * another one than that of `now`. Text that is not a date stays unchanged.
 */
export function formatDay(date: string | undefined, look: FormatOptions): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date ?? '')?.[0] ?? '';
  const at = Date.parse(day);
  if (Number.isNaN(at)) return date ?? unknown;
  const isThisYear = look.now !== undefined && day.slice(0, 4) === dayOf(look.now, look).slice(0, 4);
  const year = isThisYear ? undefined : ('numeric' as const);
  return writeDate(at, look.locale, { timeZone: 'UTC', year, month: 'short', day: 'numeric' });
}

/** `28 Nov 2023 to 28 Nov 2026`: two ISO days, the second with its year where the first has one. */
export function formatDays(first: string | undefined, last: string | undefined, look: FormatOptions): string {
  const year = look.now === undefined ? undefined : dayOf(look.now, look).slice(0, 4);
  const both = [first, last].every((day) => day?.startsWith(`${year}-`)) ? look : { ...look, now: undefined };
  return `${formatDay(first, both)} to ${formatDay(last, both)}`;
}

/** A range of moments (ms), the second exclusive, in days of the zone; undefined without any. */
export function formatRange(
  since: number | undefined,
  until: number | undefined,
  look: FormatOptions,
): string | undefined {
  const [first, last] = [since, until && until - 1].map((at) => (at === undefined ? at : dayOf(at, look)));
  if (first !== undefined && last !== undefined) return formatDays(first, last, look);
  return first !== undefined ? `since ${formatDay(first, look)}` : last && `until ${formatDay(last, look)}`;
}

/** Formats a period (`2026-03`, `2026-Q1`, `2026`): the short axis label, the year, and the full name. */
export function formatPeriod(group: string, look: FormatOptions): { short: string; year: string; full: string } {
  const [year = '', part] = group.split('-');
  const at = /^\d{4}-\d{2}$/.test(group) ? Date.parse(`${group}-01`) : Number.NaN;
  if (Number.isNaN(at))
    return {
      short: part ?? year,
      year: part === undefined ? '' : year,
      full: part === undefined ? group : `${part} ${year}`,
    };
  const write = (options: Intl.DateTimeFormatOptions) => writeDate(at, look.locale, { timeZone: 'UTC', ...options });
  return { short: write({ month: 'short' }), year, full: write({ month: 'long', year: 'numeric' }) };
}

const countryNames = new Map<string, Intl.DisplayNames>();

/** The name of a country in the reader's language; text that is not a code stays as it is. */
export function formatCountry(code: string, { locale }: FormatOptions): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const key = locale ?? '';
  const names = countryNames.get(key) ?? new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  countryNames.set(key, names);
  return names.of(code) ?? code;
}
