/** Exact fractions, which share no arithmetic with the product. */

/** A numerator and a positive denominator without a common divisor. */
export type Fraction = readonly [bigint, bigint];

export const zero: Fraction = [0n, 1n];
export const one: Fraction = [1n, 1n];

function reduce(numerator: bigint, denominator: bigint): Fraction {
  if (denominator === 0n) throw new RangeError('division by zero');
  const sign = denominator < 0n ? -1n : 1n;
  let [divisor, rest] = [numerator < 0n ? -numerator : numerator, denominator * sign];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return [(numerator * sign) / divisor, (denominator * sign) / divisor];
}

/** Reads `-12.5` or `12`. */
export function toFraction(decimal: string): Fraction {
  const [whole = '0', part = ''] = decimal.split('.');
  return reduce(BigInt(whole + part), 10n ** BigInt(part.length));
}

export const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduce(a * d + c * b, b * d);
export const subtract = (a: Fraction, [c, d]: Fraction): Fraction => add(a, [-c, d]);
export const multiply = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduce(a * c, b * d);
export const divide = (a: Fraction, [c, d]: Fraction): Fraction => multiply(a, [d, c]);
export const isPositive = ([a]: Fraction): boolean => a > 0n;
export const isNegative = ([a]: Fraction): boolean => a < 0n;
export const isLess = (a: Fraction, b: Fraction): boolean => isNegative(subtract(a, b));
export const smaller = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? a : b);
export const addAll = (list: readonly Fraction[]): Fraction => list.reduce(add, zero);

/** The decimal, cut after as many places as given. */
export function toDecimalText([a, b]: Fraction, places: number): string {
  const digits = (((a < 0n ? -a : a) * 10n ** BigInt(places)) / b).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${a < 0n ? '-' : ''}${places === 0 ? whole : `${whole}.${digits.slice(-places)}`}`;
}
