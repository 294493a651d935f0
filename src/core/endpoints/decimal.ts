/**
 * Exact decimals as strings. An amount, price or id is never stored in a double once it has been read: it is text,
 * and big.js does the arithmetic.
 */
const decimalText = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * Bounds of a decimal. No real amount, price or id comes near them. Without them, one number in a hostile text
 * could block the process, because arithmetic and conversion grow with the square of the digits.
 */
const maxSignificantDigits = 40;
/** The largest exponent of the first significant digit, in either direction. */
const maxExponent = 30;
/** The longest text of a number, with every zero and sign that the two bounds above allow. */
export const maxNumberLength = 100;

/**
 * The value as a plain decimal string: no exponent, no leading or trailing zeros, no negative zero (`"0E-10"`
 * becomes `"0"`, `17.0000000000` becomes `"17"`). Undefined if it is not a finite number, has more than 40
 * significant digits, or is not between 1e-30 and 1e31 (except zero). Runs in constant time for long texts.
 */
export function toDecimalString(value: number | string): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  // JavaScript writes most numbers in this form already.
  if (typeof value === 'number' && Number.isFinite(value) && !text.includes('e')) return text;
  if (text.length > maxNumberLength) return undefined;
  const match = decimalText.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const digits = whole + fraction;
  const leadingZeros = digits.search(/[1-9]/);
  if (leadingZeros === -1) return '0';
  const point = whole.length + exponent;
  if (Math.abs(point - leadingZeros - 1) > maxExponent) return undefined;
  if (digits.replace(/^0+|0+$/g, '').length > maxSignificantDigits) return undefined;

  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const split = Math.max(point, 1);
  const wholePart = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const fractionPart = padded.slice(split).replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${wholePart}${fractionPart ? `.${fractionPart}` : ''}`;
}

/** Reads an amount that a person wrote: a decimal as above, but with digits and a point only. */
export const toAmount = (text: string): string | undefined =>
  text.length <= maxNumberLength && /^\d+(\.\d+)?$/.test(text) ? toDecimalString(text) : undefined;

/** The number of decimals in a plain decimal string. */
export const countDecimals = (exact: string): number => exact.split('.')[1]?.length ?? 0;
