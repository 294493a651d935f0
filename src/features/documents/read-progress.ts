/** How far the reading of an account is: what can still be read, and how long that takes. */

import type { EndpointLimit } from '../../core/broker/rate-limit/limit-status.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { ResponseBody } from '../../core/mcp/tool-result.ts';
import type { Coverage } from '../history/history-port.ts';

/** Why files have only a part of the data, as a sentence. */
export const incompleteReasons = {
  interrupted: 'Reading was interrupted, so the figures below cover only the data read by then.',
  out_of_time: 'Not all of the history was read in time, so the figures below cover only the data read by then.',
  failed: 'The newest data could not be read, so the figures below cover only the data stored before.',
} as const;

/** Rows of one page of a history. */
export const pageRows = 50;

/** How long (ms) to wait before reading again when no result says so. */
export const retryMs = 5_000;

interface ReadSoFar {
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

// Decides whether waiting can complete what a command reads of the account.

export type ReadFailure = NonNullable<Coverage['error']>;

/** These end within minutes. After any other failure a further request would only take as long as the first. */
const passing: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'timeout', 'upstream_error']);

export const canPass = ({ code }: ReadFailure): boolean => passing.has(code);

const listCoverages = ({ coverage = {} }: ResponseBody) =>
  Object.values(coverage as Readonly<Record<string, Coverage>>);

/** The failures behind a result that rests on stored rows. */
export const listFailures = (body: ResponseBody): ReadFailure[] =>
  listCoverages(body).flatMap(({ error }) => error ?? []);

/** Whether a history behind the result lacks rows, and can still be read. */
export const canBecomeComplete = (body: ResponseBody): boolean =>
  body.complete === false && listCoverages(body).some(({ complete, error }) => !complete && (!error || canPass(error)));

/** A duration that is left, as a person says it; undefined when it is under a second, so that nothing takes "0 s". */
export function formatDuration(ms: number): string | undefined {
  const seconds = Math.ceil(ms / 1000);
  if (ms < 1000) return undefined;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
