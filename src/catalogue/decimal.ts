/**
 * Exact decimals as strings. An amount, a price or an id is never held in a double once it has been
 * read: it is text, and arithmetic on it is done by big.js where it is needed.
 */
const decimalText = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Longest run of digits that is expanded; `1e999999999` must not fill the memory. */
const longestExpansion = 400;

/**
 * The value as a plain decimal string: no exponent, no leading or trailing zeros, no negative zero
 * (`"0E-10"` gives `"0"`, `17.0000000000` gives `"17"`). Undefined when it is not a finite number.
 */
export function toDecimalString(value: number | string): string | undefined {
  const match = decimalText.exec(typeof value === 'number' ? String(value) : value.trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  const digits = whole + fraction;
  if (/^0*$/.test(digits)) return '0';
  if (Math.abs(exponent) > longestExpansion) return undefined;

  const point = whole.length + exponent;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const split = Math.max(point, 1);
  const wholePart = padded.slice(0, split).replace(/^0+(?=\d)/, '');
  const fractionPart = padded.slice(split).replace(/0+$/, '');
  return `${sign === '-' ? '-' : ''}${wholePart}${fractionPart ? `.${fractionPart}` : ''}`;
}
