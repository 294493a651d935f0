import Big from 'big.js';

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

// A fast, exact sum of decimals. big.js creates a new number for every addition, which dominates the cost for a
// hundred thousand rows. Here amounts of up to 15 digits are added as integers of their smallest unit, with one sum
// per number of decimals; doubles represent integers exactly up to 2^53.

export interface ExactSum {
  /** A big.js number, or an exact decimal string without exponent, as the catalogue creates. */
  add(amount: Big | string): void;
  total(): Big;
  /** The number of amounts added. */
  readonly count: number;
}

const maxDigits = 15;
const maxDecimals = 12;

export function createSum(): ExactSum {
  /** By number of decimals: the sum in units of the last decimal. */
  const units: number[] = [];
  let rest = new Big(0);
  let count = 0;

  const addUnits = (amount: number, decimals: number) => {
    const before = units[decimals] ?? 0;
    const sum = before + amount;
    if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) {
      units[decimals] = sum;
      return;
    }
    rest = rest.plus(toBig(before, decimals));
    units[decimals] = amount;
  };

  return {
    get count() {
      return count;
    },
    add(amount) {
      count++;
      if (typeof amount === 'string') {
        const point = amount.indexOf('.');
        const decimals = point < 0 ? 0 : amount.length - point - 1;
        if (amount.length > maxDigits || decimals > maxDecimals) rest = rest.plus(amount);
        else addUnits(Number(point < 0 ? amount : amount.slice(0, point) + amount.slice(point + 1)), decimals);
        return;
      }
      const { c: digits, e: exponent, s: sign } = amount;
      const decimals = digits.length - 1 - exponent;
      // For 1000, big.js stores the single digit 1. Such numbers are rare, so the slow path handles them.
      if (decimals < 0 || decimals > maxDecimals || digits.length > maxDigits) {
        rest = rest.plus(amount);
        return;
      }
      let value = 0;
      for (const digit of digits) value = value * 10 + digit;
      addUnits(value * sign, decimals);
    },
    total: () => units.reduce((sum, amount, decimals) => sum.plus(toBig(amount, decimals)), rest),
  };
}

const toBig = (amount: number, decimals: number): Big => new Big(`${amount}e-${decimals}`);
