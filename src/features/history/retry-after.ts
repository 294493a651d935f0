import type { Coverage } from './history-port.ts';

/** Minimum retry time: sooner there are few new rows to show, even while pages arrive. */
const minRetrySeconds = 10;

/** Seconds until more rows are available; undefined when no history is being read. */
export function getRetryAfter(coverages: readonly Coverage[]): number | undefined {
  const read = coverages.filter(({ reading }) => reading);
  if (read.length === 0) return undefined;
  return Math.max(minRetrySeconds, ...read.map(({ nextPageInSeconds }) => nextPageInSeconds ?? 0));
}
