/** Exact decimal strings and moments as the reader's locale writes them. Nothing is rounded, nothing is summed. */

export interface FormatOptions {
  /** BCP 47; undefined means the locale of the machine. */
  readonly locale?: string | undefined;
  /** IANA; undefined means the zone of the machine. */
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
  // Making one is slow, and a table asks for thousands.
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

function write(decimal: string | undefined, look: FormatOptions, isSigned: boolean, isPercent: boolean): string {
  if (decimal === undefined) return unknown;
  const digits = Math.min(20, decimal.split('.')[1]?.length ?? 0);
  // As a string: a float would change what has more than 15 digits.
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

/** An amount with its currency's code beside it. */
export const formatMoney = (decimal: string | undefined, currency: string | undefined, look: FormatOptions): string =>
  decimal === undefined ? unknown : formatNumber(decimal, look) + formatCurrencySuffix(currency);

export const formatSignedMoney = (
  decimal: string | undefined,
  currency: string | undefined,
  look: FormatOptions,
): string => (decimal === undefined ? unknown : formatSigned(decimal, look) + formatCurrencySuffix(currency));

/** A price in its instrument's currency; pence are said each time. */
export const formatPrice = (decimal: string | undefined, currency: string | undefined, look: FormatOptions): string =>
  `${formatMoney(decimal, currency, look)}${currency === 'GBX' ? ' (pence)' : ''}${currency === undefined ? ' in the instrument’s currency' : ''}`;

/** For drawing alone: a float is precise enough for a length, and no length is endless. */
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

/** The calendar day of an ISO date, whatever zone the reader is in; text that is no date stays as it is. */
export function formatDay(date: string | undefined, look: FormatOptions): string {
  const match = /^\d{4}-\d{2}-\d{2}/.exec(date ?? '');
  const at = match ? Date.parse(match[0]) : Number.NaN;
  if (Number.isNaN(at)) return date ?? unknown;
  const format = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const;
  return getDateFormat(look.locale, format).format(at);
}

/** A group of time (`2026-03`, `2026-Q1`, `2026`) as the short word of the axis, its year, and in full. */
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
