/** A check of figures against each other: what should be equal, what it is, and what is left between them. */
import type Big from 'big.js';

export interface Check {
  /** Which two figures, in words. */
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
  /** `actual` minus `expected`. */
  readonly residual: string;
  /** Whether the residual is within the tolerance. */
  readonly holds: boolean;
  /** What a residual can come from; only where it does not hold. */
  readonly note?: string;
}

export function reconciliationCheck(
  name: string,
  expected: Big,
  actual: Big,
  options: { readonly tolerance?: string; readonly decimals?: number; readonly note?: string } = {},
): Check {
  const residual = actual.minus(expected);
  const holds = residual.abs().lte(options.tolerance ?? '0.005');
  const shown = (value: Big) => value.round(options.decimals ?? 2, 1).toFixed();
  return {
    name,
    expected: shown(expected),
    actual: shown(actual),
    residual: shown(residual),
    holds,
    ...(holds || options.note === undefined ? {} : { note: options.note }),
  };
}
