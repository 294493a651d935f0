/** The axis of a chart. */

/** An axis with round numbers as ends and steps. */
interface Scale {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/**
 * Returns a scale that covers the values and `least`, with about `steps` steps of 1, 2 or 5 times a power of ten. Lengths
 * need one from 0.
 */
export function niceScale(values: readonly number[], steps: number, least = 0): Scale {
  const low = Math.min(least, ...values);
  const high = Math.max(least, ...values);
  const rough = (high - low) / steps || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  // Multiplies instead of adding steps, which would accumulate rounding errors.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { from: first * step, to: last * step, ticks };
}

/** Returns the position of a value between the ends, 0 to 1. */
export const normalize = (value: number, scale: Scale): number => (value - scale.from) / (scale.to - scale.from);
