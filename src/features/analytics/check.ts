/** A check that two figures are equal: the expected figure, the actual figure and their difference. */

import type Big from 'big.js';
import * as z from 'zod';
import { text } from '../../core/mcp/output-schemas.ts';

export interface Check {
  /** The two figures, as text. */
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
  /** `actual` minus `expected`. */
  readonly residual: string;
  /** Whether the residual is within the tolerance. */
  readonly holds: boolean;
  /** Possible causes of a residual; only when the check fails. */
  readonly note?: string;
}

/** Compares two figures. The tolerance is 0.005 by default; `decimals` (2 by default) is how the figures are shown. */
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

// The checks of figures in a result: only their number when all hold, because a reader acts on those that fail.

export const formatChecks = (checks: readonly Check[]) =>
  checks.length > 0 && checks.every(({ holds }) => holds) ? { passed: checks.length } : checks;

export const checksOutput = () =>
  z
    .union([
      z.looseObject({ passed: z.number() }),
      z.array(
        z.looseObject({
          name: z.string(),
          expected: z.string(),
          actual: z.string(),
          residual: z.string(),
          holds: z.boolean(),
          note: text(),
        }),
      ),
    ])
    .optional();
