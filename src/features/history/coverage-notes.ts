/** Messages about a history that is still being read: progress for the waiting user, and notes in the result. */

import type { ToolCall } from '../../core/mcp/tool.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import { countOf } from '../../core/text/count-of.ts';
import type { Coverage, ReadOptions } from './history-port.ts';
import { getRetryAfter } from './retry-after.ts';

/** Returns a listener that reports progress once per new state of the reading, not once per poll. */
export function historyProgress(call: ToolCall): NonNullable<ReadOptions['onProgress']> {
  const reported = new Set<string>();
  return ({ kind, rows, from }) => {
    const day = from?.slice(0, 10);
    const state = JSON.stringify([kind, rows, day]);
    if (reported.has(state)) return;
    reported.add(state);
    call.progress(`Read ${countOf(rows, 'row')} of ${kind}${day ? `, back to ${day}` : ''}`);
  };
}

/**
 * Returns the fields that explain why a result is incomplete and what to do next; empty when it is complete. A person
 * reads `note` in views and pages, so the instruction is in `next`.
 */
export function coverageNote(...coverages: readonly Coverage[]): {
  readonly note?: string;
  readonly next?: string;
  readonly retryAfterSeconds?: number;
} {
  if (coverages.every(({ complete }) => complete)) return {};
  const reasons = [...new Set(coverages.flatMap(({ missing }) => missing ?? []))];
  const retryAfterSeconds = getRetryAfter(coverages);
  const next =
    retryAfterSeconds === undefined
      ? 'Call again later.'
      : `The rest is loading in the background: call again in ${retryAfterSeconds} s.`;
  return {
    note: ['Not complete.', ...reasons].join(' '),
    next,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Whether any history behind this result is being read in the background. */
export function isBeingRead({ coverage }: ResponseBody): boolean {
  if (typeof coverage !== 'object' || coverage === null) return false;
  return [coverage, ...Object.values(coverage)].some((one: Partial<Coverage> | null) => one?.reading === true);
}
