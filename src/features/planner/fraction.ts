/**
 * Exact fractions. A plan divides at every step (weights, rates, a common factor), so decimals would have to be
 * rounded at every step; a fraction is rounded once, when it becomes a quantity or an amount.
 */
import { toDecimalString } from '../../core/endpoints/decimal.ts';

/** Reducing a fraction takes longer than computing with it, so only long ones are reduced. */
const longDenominator = 1n << 256n;

/** A rational number. The denominator is above zero. */
export class Fraction {
  readonly #top: bigint;
  readonly #bottom: bigint;

  private constructor(top: bigint, bottom: bigint) {
    const divisor = bottom > longDenominator ? computeDivisor(top < 0n ? -top : top, bottom) : 1n;
    this.#top = top / divisor;
    this.#bottom = bottom / divisor;
  }

  /** Parses a decimal of at most 40 digits. Throws a RangeError for any other text. */
  static parse(decimal: string): Fraction {
    const plain = toDecimalString(decimal);
    if (plain === undefined) throw new RangeError('not a decimal');
    const [whole = '0', decimals = ''] = plain.split('.');
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  plus(other: Fraction): Fraction {
    return this.#bottom === other.#bottom
      ? new Fraction(this.#top + other.#top, this.#bottom)
      : new Fraction(this.#top * other.#bottom + other.#top * this.#bottom, this.#bottom * other.#bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.#top, other.#bottom));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#top * other.#top, this.#bottom * other.#bottom);
  }

  /** Throws a RangeError for a division by zero. */
  div(other: Fraction): Fraction {
    if (other.#top === 0n) throw new RangeError('division by zero');
    const sign = other.#top < 0n ? -1n : 1n;
    return new Fraction(this.#top * other.#bottom * sign, this.#bottom * other.#top * sign);
  }

  /** Negative, zero or positive: how this compares with the other. */
  compare(other: Fraction): number {
    const difference = this.#top * other.#bottom - other.#top * this.#bottom;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  gt(other: Fraction): boolean {
    return this.compare(other) > 0;
  }

  lt(other: Fraction): boolean {
    return this.compare(other) < 0;
  }

  eq(other: Fraction): boolean {
    return this.compare(other) === 0;
  }

  min(other: Fraction): Fraction {
    return this.gt(other) ? other : this;
  }

  max(other: Fraction): Fraction {
    return this.lt(other) ? other : this;
  }

  abs(): Fraction {
    return this.#top < 0n ? new Fraction(-this.#top, this.#bottom) : this;
  }

  /** Rounds to this number of decimals: `down` and `up` by value, `half` to the nearest, a half away from zero. */
  round(decimals: number, mode: 'down' | 'up' | 'half'): Fraction {
    const scale = 10n ** BigInt(decimals);
    const scaled = this.#top * scale;
    const floor = divideDown(scaled, this.#bottom);
    if (mode === 'down') return new Fraction(floor, scale);
    if (mode === 'up') return new Fraction(-divideDown(-scaled, this.#bottom), scale);
    const half = divideDown(2n * (scaled < 0n ? -scaled : scaled) + this.#bottom, 2n * this.#bottom);
    return new Fraction(scaled < 0n ? -half : half, scale);
  }

  /** The value rounded to the nearest with exactly this number of decimals. */
  toFixed(decimals: number): string {
    const rounded = this.round(decimals, 'half');
    const units = (rounded.#top * 10n ** BigInt(decimals)) / rounded.#bottom;
    const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
    const split = digits.length - decimals;
    return `${units < 0n ? '-' : ''}${digits.slice(0, split)}${decimals === 0 ? '' : `.${digits.slice(split)}`}`;
  }

  /** The value rounded to the nearest with at most this number of decimals, without trailing zeros. */
  toDecimal(decimals: number): string {
    return toDecimalString(this.toFixed(decimals)) ?? this.toFixed(decimals);
  }
}

export const zero = Fraction.parse('0');
export const one = Fraction.parse('1');
export const hundred = Fraction.parse('100');

export const sum = (parts: readonly Fraction[]): Fraction => parts.reduce((total, part) => total.plus(part), zero);

/** Division that rounds towards minus infinity; bigint division rounds towards zero. */
function divideDown(top: bigint, bottom: bigint): bigint {
  const quotient = top / bottom;
  return top < 0n && quotient * bottom !== top ? quotient - 1n : quotient;
}

/** The greatest common divisor; `b` is above zero. */
function computeDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large;
}
