/**
 * Formats exact decimal strings, times and names as people of the reader's locale write them. Rounds percentages to one
 * decimal, and nothing else.
 */
import { isPence } from '../../../core/text/currency-units.ts';

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

/** Of the pages that this program writes itself: their text is British English. */
export const defaultLocale = 'en-GB';

const formats = new Map<string, Intl.NumberFormat>();

function getNumberFormat(
  look: FormatOptions,
  /** Undefined: those of the currency. */
  digits: number | undefined,
  isSigned: boolean,
  style: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const key = `${look.locale} ${digits} ${isSigned} ${style.unit} ${style.currency}`;
  // Creating a formatter is slow, and a table needs thousands of values.
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(look.locale, {
    ...(digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    ...(isSigned ? { signDisplay: 'exceptZero' as const } : {}),
    ...style,
  });
  formats.set(key, made);
  return made;
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

export const unknown = 'unknown';

/** With as many decimals as the currency has, or those that the amount needs: `70` is written `70.00`. */
const withDecimals = (decimal: string, digits: number): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  const needed = fraction.replace(/0+$/, '').padEnd(digits, '0');
  return needed === '' ? whole : `${whole}.${needed}`;
};

/** Of money whose currency is no code. */
const usualDigits = 2;

const inPercent: Intl.NumberFormatOptions = { style: 'unit', unit: 'percent' };

function write(
  decimal: string | undefined,
  look: FormatOptions,
  isSigned: boolean,
  style: Intl.NumberFormatOptions = {},
): string {
  if (decimal === undefined) return unknown;
  const digits = style === inPercent ? 1 : Math.min(20, decimal.split('.')[1]?.length ?? 0);
  // Formats the string, because a float would change numbers of more than 15 digits.
  const text = getNumberFormat(look, digits, isSigned, style).format(decimal as `${number}`);
  return text.replace('-', '−');
}

export const formatNumber = (decimal: string | undefined, look: FormatOptions): string => write(decimal, look, false);
export const formatSigned = (decimal: string | undefined, look: FormatOptions): string => write(decimal, look, true);
export const formatPercent = (decimal: string | undefined, look: FormatOptions): string =>
  write(decimal, look, false, inPercent);
export const formatSignedPercent = (decimal: string | undefined, look: FormatOptions): string =>
  write(decimal, look, true, inPercent);

/** `£1,127.13`, `1.127,13 €`, `70.50p`. A currency that is no code stays as it is, behind the number. */
function writeMoney(
  decimal: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
  isSigned: boolean,
): string {
  if (decimal === undefined) return unknown;
  const amount = withDecimals(decimal, usualDigits);
  if (isPence(currency)) return `${write(amount, look, isSigned)}p`;
  if (currency !== undefined && /^[A-Z]{3}$/.test(currency)) {
    const style = { style: 'currency', currency } as const;
    const { maximumFractionDigits: digits = usualDigits } = getNumberFormat(
      look,
      undefined,
      isSigned,
      style,
    ).resolvedOptions();
    return write(withDecimals(decimal, digits), look, isSigned, style);
  }
  return write(amount, look, isSigned) + (currency === undefined ? '' : `\u00a0${currency}`);
}

export const formatMoney = (decimal: string | undefined, currency: string | undefined, look: FormatOptions): string =>
  writeMoney(decimal, currency, look, false);

export const formatSignedMoney = (
  decimal: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): string => writeMoney(decimal, currency, look, true);

/** Formats a price in the instrument's currency; pence are followed by the same in pounds. */
export function formatPrice(decimal: string | undefined, currency: string | undefined, look: FormatOptions): string {
  const price = formatMoney(decimal, currency, look);
  if (currency === undefined) return `${price} (currency unknown)`;
  return isPence(currency) && decimal !== undefined
    ? `${price} (${formatMoney(toHundredth(decimal), 'GBP', look)})`
    : price;
}

/** The decimal point two places to the left: exact, where a division would not be. */
function toHundredth(decimal: string): string {
  const [, sign = '', units = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const digits = units.padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`.replace(/(\.\d\d\d*?)0+$/, '$1');
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

/** The symbol in a ticker: without the country, the kind, and the small letter of the venue. */
export function formatTicker(ticker: string): string {
  const symbol = ticker.replace(/(?:_[A-Z]{2,3})?_[A-Z]+$/, '').replace(/(?<=[A-Z0-9])[a-z]$/, '');
  return symbol === '' ? ticker : symbol;
}

/** For drawing only: a float is precise enough for a length. Unknown and infinite values become a finite one. */
export const toNumber = (decimal: string | undefined): number =>
  decimal === undefined ? 0 : Math.max(-1e100, Math.min(1e100, Number(decimal)));

export const getSign = (decimal: string | undefined): -1 | 0 | 1 => Math.sign(toNumber(decimal)) as -1 | 0 | 1;

const dayOf = (at: number, { timeZone }: FormatOptions): string =>
  getDateFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

const hourMs = 3_600_000;

/** `today 08:00`, `tomorrow 14:30`, `24 Nov, 08:00`; with the year when it is another one. */
export function formatTimestamp(at: number, look: FormatOptions, withSeconds = false): string {
  const { now, locale, timeZone } = look;
  const second = withSeconds ? '2-digit' : undefined;
  const time = getDateFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', second }).format(at);
  if (now !== undefined && look.isLive) {
    const day = dayOf(at, look);
    if (day === dayOf(now, look)) return `today ${time}`;
    // The next day begins at most 25 hours later, and the one after that at least 23 hours after the next.
    if (at > now && at < now + 49 * hourMs && isNextDay(day, dayOf(now, look))) return `tomorrow ${time}`;
  }
  return `${formatDay(dayOf(at, look), look)}, ${time}`;
}

const isNextDay = (day: string, before: string): boolean => Date.parse(day) - Date.parse(before) === 24 * hourMs;

/** The moment at which a page was made, with its time zone: a page that is kept is read elsewhere. */
export const formatMoment = (at: number, { locale, timeZone }: FormatOptions): string =>
  getDateFormat(locale, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);

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
  return getDateFormat(look.locale, { timeZone: 'UTC', year, month: 'short', day: 'numeric' }).format(at);
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
  const write = (options: Intl.DateTimeFormatOptions) =>
    getDateFormat(look.locale, { timeZone: 'UTC', ...options }).format(at);
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
