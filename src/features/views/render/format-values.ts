/** Formats exact decimal strings and times in the reader's locale. Rounds percentages to one decimal, and nothing else. */
import { isPence } from '../../../core/text/currency-units.ts';

export interface FormatOptions {
  /** BCP 47; undefined means the default locale of the machine. */
  readonly locale?: string | undefined;
  /** IANA; undefined means the time zone of the machine. */
  readonly timeZone?: string | undefined;
}

const formats = new Map<string, Intl.NumberFormat>();

function getNumberFormat(
  look: FormatOptions,
  digits: number,
  isSigned: boolean,
  isPercent: boolean,
): Intl.NumberFormat {
  const key = `${look.locale} ${digits} ${isSigned} ${isPercent}`;
  // Creating a formatter is slow, and a table needs thousands of values.
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(look.locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...(isSigned ? { signDisplay: 'exceptZero' as const } : {}),
    ...(isPercent ? { style: 'unit' as const, unit: 'percent' } : {}),
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

/** An amount of money has two decimals or more: `70` is written `70.00`. */
const withPence = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
};

function write(decimal: string | undefined, look: FormatOptions, isSigned: boolean, isPercent: boolean): string {
  if (decimal === undefined) return unknown;
  const digits = isPercent ? 1 : Math.min(20, decimal.split('.')[1]?.length ?? 0);
  // Formats the string, because a float would change numbers of more than 15 digits.
  const text = getNumberFormat(look, digits, isSigned, isPercent).format(decimal as `${number}`);
  return text.replace('-', '−');
}

export const formatNumber = (decimal: string | undefined, look: FormatOptions): string =>
  write(decimal, look, false, false);
export const formatSigned = (decimal: string | undefined, look: FormatOptions): string =>
  write(decimal, look, true, false);
export const formatPercent = (decimal: string | undefined, look: FormatOptions): string =>
  write(decimal, look, false, true);
export const formatSignedPercent = (decimal: string | undefined, look: FormatOptions): string =>
  write(decimal, look, true, true);

const formatCurrencySuffix = (currency: string | undefined): string =>
  currency === undefined ? '' : `\u00a0${currency}`;

/** Formats an amount with its currency code. */
export const formatMoney = (decimal: string | undefined, currency: string | undefined, look: FormatOptions): string =>
  decimal === undefined ? unknown : formatNumber(withPence(decimal), look) + formatCurrencySuffix(currency);

export const formatSignedMoney = (
  decimal: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): string =>
  decimal === undefined ? unknown : formatSigned(withPence(decimal), look) + formatCurrencySuffix(currency);

/** Formats a price in the instrument's currency; pence are always named. */
export const formatPrice = (decimal: string | undefined, currency: string | undefined, look: FormatOptions): string =>
  `${formatMoney(decimal, currency, look)}${isPence(currency) ? ' (pence)' : ''}${currency === undefined ? ' (currency unknown)' : ''}`;

/** For drawing only: a float is precise enough for a length. Unknown and infinite values become a finite one. */
export const toNumber = (decimal: string | undefined): number =>
  decimal === undefined ? 0 : Math.max(-1e100, Math.min(1e100, Number(decimal)));

export const getSign = (decimal: string | undefined): -1 | 0 | 1 => Math.sign(toNumber(decimal)) as -1 | 0 | 1;

export function formatTimestamp(at: number, look: FormatOptions, withSeconds = false): string {
  return getDateFormat(look.locale, {
    timeZone: look.timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: withSeconds ? '2-digit' : undefined,
    timeZoneName: 'short',
  }).format(at);
}

/**
 * Formats the calendar day of an ISO date, independent of the reader's time zone. Text that is not a date stays
 * unchanged.
 */
export function formatDay(date: string | undefined, look: FormatOptions): string {
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}/.exec(date ?? '')?.[0] ?? '');
  if (Number.isNaN(at)) return date ?? unknown;
  const format = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const;
  return getDateFormat(look.locale, format).format(at);
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
