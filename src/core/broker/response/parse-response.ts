/** Converts a complete response to data or to one clear error. Raw bodies and secrets are not passed on. */
import { BrokerageError, cancelledError, type ErrorCode } from '../../errors.ts';
import { parseRateLimitHeaders } from '../rate-limit/release.ts';
import type { TransportFailure } from '../transport/failure.ts';
import type { HttpResponse, ParsedResponse, PreparedRequest } from '../types.ts';
import { parseExactJson } from './exact-json.ts';
import { addressBlockSeconds, describeHttpError, parseErrorBody } from './http-errors.ts';

/**
 * The data of a response that is no rate limit error. Throws a BrokerageError for an error status or an unsupported
 * body.
 */
export function parseResponse(request: PreparedRequest, answer: HttpResponse): ParsedResponse {
  if (answer.status < 200 || answer.status >= 300) throw refusal(request, answer);
  const { text, askedAt, answeredAt } = answer;
  return {
    data: readData(request, text),
    text,
    askedAt,
    answeredAt,
    shared: false,
    serviceOffsetMs: computeClockOffset(answer),
  };
}

/** The Date header has a resolution of one second, so the offset is accurate to about one second. */
function computeClockOffset({ headers, answeredAt }: HttpResponse): number | undefined {
  const serviceTime = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  return Number.isNaN(serviceTime) ? undefined : serviceTime - answeredAt;
}

/** The data of a 2xx body, parsed by the endpoint's schema. Throws `unexpected_answer` if it does not match. */
export function readData(request: Pick<PreparedRequest, 'endpoint' | 'link'>, text: string): unknown {
  if (request.link) return text;
  let value: unknown;
  try {
    value = text.trim() === '' ? undefined : parseExactJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The specification does not show the body of some writes, so an unreadable one is not an error there.
    value = undefined;
  }
  const parsed = safely(() => request.endpoint.response.safeParse(value));
  if (parsed?.success) return parsed.data;
  if (lacksRows(request, value))
    throw new BrokerageError(
      'unexpected_answer',
      `The broker's page of ${request.endpoint.path} has no list of rows, so nothing is known of that part of the list.`,
      'Try again in a minute.',
    );
  throw new BrokerageError(
    'unexpected_answer',
    `The broker's response for ${request.endpoint.path} has a format that this program does not support.`,
    'Try again once; if the error persists, the service has changed and brokerage-mcp needs an update.',
    isRead(request) ? {} : { mayHaveHappened: true },
  );
}

/** Whether a page of a paged list is an object without `items` (or `data`). */
function lacksRows({ endpoint }: Pick<PreparedRequest, 'endpoint'>, value: unknown): boolean {
  if (!endpoint.query?.includes('cursor') || typeof value !== 'object' || value === null) return false;
  const { items, data } = value as { items?: unknown; data?: unknown };
  return (items ?? data ?? undefined) === undefined;
}

/** Undefined when a body is nested so deeply that walking it exhausts the stack. */
function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isRead = (request: Pick<PreparedRequest, 'endpoint'>) => request.endpoint.effect === 'read';

/** The error of a rate limit response. `periodMs` is the current period of the endpoint's limit. */
export function rateLimitError(answer: HttpResponse, periodMs: number): BrokerageError {
  const retryAfterSeconds = secondsUntilReset(answer, periodMs);
  return new BrokerageError(
    'rate_limited',
    'The broker refused the request because the rate limit is exceeded; another program may be using the same account.',
    `Call again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, status: answer.status },
  );
}

/** Seconds until a rate limit resets: as its headers say, but at most one period. */
export function secondsUntilReset(answer: HttpResponse, knownPeriodMs: number): number {
  const { resetInMs, periodMs } = parseRateLimitHeaders(answer.headers);
  const timeoutMs = periodMs || knownPeriodMs;
  const waitMs = resetInMs !== undefined && resetInMs > 0 ? Math.min(resetInMs, timeoutMs) : timeoutMs;
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/** Error codes that leave open whether a write was carried out. */
const unclear = new Set<ErrorCode>(['upstream_error', 'unexpected_answer']);

function refusal(request: PreparedRequest, answer: HttpResponse): BrokerageError {
  const { status } = answer;
  const error = describeHttpError(status, answer.isBlocked);
  const { code: brokerCode, detail } = parseErrorBody(answer.text);
  const isForeign = error.code === 'unexpected_answer' || error.code === 'blocked';
  const said = isForeign ? undefined : (detail ?? brokerCode);
  const tail = said ? ` (${said.replace(/\.$/, '')}).` : '.';
  return new BrokerageError(error.code, `${error.sentence}${tail}`, error.next, {
    status,
    ...(brokerCode === undefined ? {} : { brokerCode }),
    ...(answer.isBlocked ? { retryAfterSeconds: addressBlockSeconds } : {}),
    ...(unclear.has(error.code) && !isRead(request) ? { mayHaveHappened: true } : {}),
  });
}

/** Converts a request without a complete response to an error for its caller. */
export function toBrokerageError(request: PreparedRequest, failure: TransportFailure): BrokerageError {
  if (failure.kind === 'cancelled') return cancelledError();
  const mayHaveHappened = !isRead(request) && failure.sent;
  const facts = mayHaveHappened ? { mayHaveHappened } : {};
  const tail = mayHaveHappened ? ' The request may still have been carried out.' : '';
  const look = mayHaveHappened ? 'Check whether it happened before you repeat it.' : undefined;
  if (failure.kind === 'timeout')
    return new BrokerageError(
      'timeout',
      `The broker did not respond in time.${tail}`,
      look ?? 'Try again in a minute.',
      facts,
    );
  if (failure.kind === 'too_large' || failure.kind === 'unreadable')
    return new BrokerageError(
      'unexpected_answer',
      `The broker's response could not be read: ${failure.message}.${tail}`,
      look ?? 'Try again once.',
      facts,
    );
  return new BrokerageError(
    'unreachable',
    `The broker could not be reached: ${failure.message}.${tail}`,
    look ?? 'Check the network and the base URL, then try again.',
    facts,
    { network: failure.networkCode },
  );
}
