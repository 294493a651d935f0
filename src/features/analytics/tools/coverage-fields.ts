/** What the tools of this folder share: how they read histories and report whether these are complete. */

import type Big from 'big.js';
import { count, group, text, yesNo } from '../../../core/mcp/output-schemas.ts';
import type { ToolCall } from '../../../core/mcp/tool.ts';
import { formatMoney } from '../../../core/text/format-figures.ts';
import { coverageNote, historyProgress, oneCoverage } from '../../history/coverage-notes.ts';
import type { HistoryDeps } from '../../history/history-deps.ts';
import type { Coverage, ReadOptions } from '../../history/history-port.ts';

/** How long a call waits (ms) for pages that are still being read; then it returns the rows available. */
const maxWaitMs = 20_000;

export const readOptions = (call: ToolCall, deps: HistoryDeps): ReadOptions => ({
  context: call.context({ waitUntil: deps.clock.now() + maxWaitMs }),
  onProgress: historyProgress(call),
});

/** Marks figures that change when missing rows arrive. It comes first, so that no figure is read without it. */
export const provisional = (...coverages: readonly Coverage[]): { readonly provisional?: true } =>
  coverages.every(({ complete }) => complete) ? {} : { provisional: true };

/**
 * The sum of this number of rows, for a result; undefined when none was read while rows are missing, because 0.00 would
 * say that there are none.
 */
export const formatSum = (sum: Big | undefined, rows: number, ...coverages: readonly Coverage[]): string | undefined =>
  rows === 0 && coverages.some(({ complete }) => !complete) ? undefined : formatMoney(sum);

/**
 * Returns `complete`, the coverage of each history, and a note when rows are missing or there are remarks. `hint` is what
 * else the caller can do about missing rows.
 */
export function coverageFields(
  coverage: Readonly<Record<string, Coverage>>,
  remarks: readonly (string | undefined)[] = [],
  hint?: string,
) {
  const parts = Object.values(coverage);
  const complete = parts.every((part) => part.complete);
  const { note: missing, next, ...retry } = coverageNote(...parts);
  const notes = [...(complete ? [] : [missing, 'The figures will change when these rows arrive.']), ...remarks];
  const note = notes.filter((text) => text !== undefined).join(' ');
  const steps = [next, hint].filter((text) => text !== undefined).join(' ');
  return { complete, coverage, ...retry, ...(note === '' ? {} : { note }), ...(steps === '' ? {} : { next: steps }) };
}

/** The schema of these fields. */
export const coverageOutput = () => ({
  complete: yesNo(),
  coverage: group({ orders: oneCoverage(), dividends: oneCoverage(), transactions: oneCoverage() }),
  provisional: yesNo(),
  retryAfterSeconds: count(),
  next: text(),
});
