/** Estimates how long the rest of a history takes to read. */
import type { EndpointLimit } from '../core/broker/rate-limit/limit-status.ts';

/** Rows of one page of a history. */
export const pageRows = 50;

export interface ReadSoFar {
  readonly rows: number;
  /** Start (ms since 1970) of the range that is read without a gap. */
  readonly from: number;
}

/**
 * Returns the milliseconds until a history is read back to `oldestAt` (ms since 1970), assuming that older rows are as
 * dense as those already read. Undefined when no row is read yet.
 */
export function estimateReadingMs(
  { rows, from }: ReadSoFar,
  oldestAt: number,
  now: number,
  { requests, periodMs, freeInMs }: EndpointLimit,
): number | undefined {
  const spanMs = now - from;
  if (rows === 0 || spanMs <= 0) return undefined;
  const pages = Math.ceil(((rows / pageRows) * Math.max(0, from - oldestAt)) / spanMs);
  // At least one page: the one that shows where the history ends.
  return freeInMs + Math.floor(Math.max(0, pages - 1) / requests) * periodMs;
}
