/** How long the rest of a history takes to read, as far as that can be told beforehand. */
import type { EndpointLimit } from '../broker/rate-limit/limit-status.ts';

/** Rows of one page of a history. */
export const pageRows = 50;

export interface ReadSoFar {
  readonly rows: number;
  /** The oldest moment (ms) that is read without a gap. */
  readonly from: number;
}

/**
 * Milliseconds until a history is read back to `oldestAt` (ms), when its older rows are as dense as those that
 * are read. Undefined when nothing is read yet.
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
  // At least the page that says where the history ends.
  return freeInMs + Math.floor(Math.max(0, pages - 1) / requests) * periodMs;
}
