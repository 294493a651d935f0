/**
 * Writes exact decimal strings as people of a locale write numbers, money and prices: `£1,127.13`, `1.127,13 €`,
 * `70.50p`. Rounds percentages to one decimal, and nothing else. A locale is BCP 47; undefined means that of the machine.
 */
import { isPence } from './currency-units.ts';

/** Of the pages that this program writes itself: their text is British English. */
export const defaultLocale = 'en-GB';

const formats = new Map<string, Intl.NumberFormat>();

function getNumberFormat(
  locale: string | undefined,
  /** Undefined: those of the currency. */
  digits: number | undefined,
  isSigned: boolean,
  style: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const key = `${locale} ${digits} ${isSigned} ${style.unit} ${style.currency}`;
  // Creating a formatter is slow, and a table needs thousands of values.
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, {
    ...(digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    ...(isSigned ? { signDisplay: 'exceptZero' as const } : {}),
    ...style,
  });
  formats.set(key, made);
  return made;
}

const inPercent: Intl.NumberFormatOptions = { style: 'unit', unit: 'percent' };
const plainDecimal = /^-?\d+(?:\.\d+)?$/;

/** Text that is not a plain decimal stays unchanged. */
function write(
  decimal: string,
  locale: string | undefined,
  isSigned: boolean,
  style: Intl.NumberFormatOptions = {},
): string {
  if (!plainDecimal.test(decimal)) return decimal;
  const digits = style === inPercent ? 1 : Math.min(20, decimal.split('.')[1]?.length ?? 0);
  // Formats the string, because a float would change numbers of more than 15 digits.
  const text = getNumberFormat(locale, digits, isSigned, style).format(decimal as `${number}`);
  return text.replace('-', '−');
}

export const writeNumber = (decimal: string, locale: string | undefined, isSigned = false): string =>
  write(decimal, locale, isSigned);

/** With one decimal. */
export const writePercent = (decimal: string, locale: string | undefined, isSigned = false): string =>
  write(decimal, locale, isSigned, inPercent);

/** With as many decimals as the currency has, or those that the amount needs. Another text stays unchanged. */
function withDecimals(decimal: string, digits: number): string {
  if (!plainDecimal.test(decimal)) return decimal;
  const [whole = '', fraction = ''] = decimal.split('.');
  const needed = fraction.replace(/0+$/, '').padEnd(digits, '0');
  return needed === '' ? whole : `${whole}.${needed}`;
}

/** An amount of money has two decimals or more: `70` is written `70.00`. */
export const withPence = (decimal: string): string => withDecimals(decimal, 2);

/** A currency that is no code stays as it is, behind the number. */
export function writeMoney(
  decimal: string,
  currency: string | undefined,
  locale: string | undefined,
  isSigned = false,
): string {
  const amount = withPence(decimal);
  if (isPence(currency)) return `${write(amount, locale, isSigned)}p`;
  if (currency !== undefined && /^[A-Z]{3}$/.test(currency)) {
    const style = { style: 'currency', currency } as const;
    const { maximumFractionDigits } = getNumberFormat(locale, undefined, isSigned, style).resolvedOptions();
    return write(withDecimals(decimal, maximumFractionDigits ?? 2), locale, isSigned, style);
  }
  return write(amount, locale, isSigned) + (currency === undefined ? '' : `\u00a0${currency}`);
}

/** The pounds of an amount in pence: `£0.7125` for `71.25`. */
export const writePounds = (pence: string, locale: string | undefined): string =>
  writeMoney(toHundredth(pence), 'GBP', locale);

/** The decimal point two places to the left: exact, where a division would not be. */
function toHundredth(decimal: string): string {
  const [, sign = '', units = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const digits = units.padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** The symbol in a ticker: without the country, the kind, and the small letter of the venue. */
export function formatTicker(ticker: string): string {
  const symbol = ticker.replace(/(?:_[A-Z]{2,3})?_[A-Z]+$/, '').replace(/(?<=[A-Z0-9])[a-z]$/, '');
  return symbol === '' ? ticker : symbol;
}
