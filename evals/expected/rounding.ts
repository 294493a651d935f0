/** Rounds fractions, and writes them as decimals. */
import {
  add,
  divide,
  type Fraction,
  isNegative,
  multiply,
  subtract,
  toFraction,
  zero,
} from '../../checks/gains/fraction.ts';

type Mode = 'down' | 'up' | 'half';

const half = toFraction('0.5');

/** Rounds to this many decimals: `down` and `up` by size, `half` to the nearest, a half away from zero. */
export function roundTo(value: Fraction, decimals: number, mode: Mode): Fraction {
  if (isNegative(value)) return subtract(zero, roundTo(subtract(zero, value), decimals, mode));
  const scale: Fraction = [10n ** BigInt(decimals), 1n];
  const [top, bottom] = multiply(value, scale);
  const below = top / bottom;
  if (mode === 'half') {
    const [halfTop, halfBottom] = add([top, bottom], half);
    return divide([halfTop / halfBottom, 1n], scale);
  }
  return divide([mode === 'up' && below * bottom !== top ? below + 1n : below, 1n], scale);
}

/** With exactly this many decimals, rounded to the nearest. */
export function toFixedText(value: Fraction, decimals: number): string {
  const [top, bottom] = roundTo(value, decimals, 'half');
  const units = (top * 10n ** BigInt(decimals)) / bottom;
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** A quantity: as many decimals as it needs, at most twenty. */
export const toQuantityText = (value: Fraction): string => toFixedText(value, 20).replace(/0+$/, '').replace(/\.$/, '');

/** An amount to the penny. */
export const toPenny = (value: Fraction): Fraction => roundTo(value, 2, 'half');
export const toPennyText = (value: Fraction): string => toFixedText(value, 2);
