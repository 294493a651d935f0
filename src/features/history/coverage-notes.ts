/** Messages about a history that is still being read: progress for the waiting user, and notes in the result. */

import * as z from 'zod';
import { endpoints } from '../../core/endpoints/index.ts';
import { count, group, text, texts, yesNo } from '../../core/mcp/output-schemas.ts';
import type { ToolCall } from '../../core/mcp/tool.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import { countOf } from '../../core/text/count-of.ts';
import type { HistoryDeps } from './history-deps.ts';
import type { Coverage, ReadOptions } from './history-port.ts';

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

/** The schema of the coverage of one history. */
export const oneCoverage = () =>
  group({
    from: z.string().nullish(),
    to: text(),
    complete: yesNo(),
    rows: count(),
    reading: yesNo(),
    nextPageInSeconds: count(),
    missing: texts(),
    error: group({ code: text(), message: text(), next: text() }),
  });

/** Whether any history behind this result is being read in the background. */
export function isBeingRead({ coverage }: ResponseBody): boolean {
  if (typeof coverage !== 'object' || coverage === null) return false;
  return [coverage, ...Object.values(coverage)].some((one: Partial<Coverage> | null) => one?.reading === true);
}

/** Minimum retry time: sooner there are few new rows to show, even while pages arrive. */
const minRetrySeconds = 10;

/** Seconds until more rows are available; undefined when no history is being read. */
export function getRetryAfter(coverages: readonly Coverage[]): number | undefined {
  const read = coverages.filter(({ reading }) => reading);
  if (read.length === 0) return undefined;
  return Math.max(minRetrySeconds, ...read.map(({ nextPageInSeconds }) => nextPageInSeconds ?? 0));
}

// A note for a caller who waits for a long history: reports are faster, and how long each way takes.

/** With fewer rows, the rest can still arrive within a call. */
const longHistoryRows = 100;
const rowsPerPage = 50;
const rowsToName = 1_000;

/**
 * Returns a sentence about `import_history`; undefined when no long history is being read, when this server does not
 * offer the tool, or when the service refuses reports.
 */
export async function describeImport(
  deps: HistoryDeps,
  ...coverages: readonly Coverage[]
): Promise<string | undefined> {
  const { config, historyImport, getLimit } = deps;
  const isLong = coverages.some(({ complete, reading, rows }) => !complete && reading && rows >= longHistoryRows);
  if (!isLong || config.readOnly || !config.toolsets.includes('exports')) return undefined;
  const progress = await historyImport.progress();
  if (progress?.way === 'pages') return undefined;
  if (progress?.isRunning) {
    const { ready, expected } = progress.years;
    return `import_history is running: it has read ${ready} of about ${countOf(expected, 'year')}.`;
  }
  const [pages, reports] = [await getLimit(endpoints.listHistoricalOrders), await getLimit(endpoints.requestReport)];
  const pageSeconds = (rowsToName / rowsPerPage / pages.requests) * (pages.periodMs / 1000);
  const reportSeconds = reports.periodMs / 1000 / reports.requests;
  return `Pages take about ${Math.ceil(pageSeconds)} s per ${rowsToName} rows; import_history takes about ${Math.ceil(reportSeconds)} s per year, through reports.`;
}
