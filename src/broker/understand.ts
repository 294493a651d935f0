/** From a complete answer to data, or to one clear error. Raw bodies and secrets never get further than this. */
import { BrokerageError, type ErrorCode } from '../errors.ts';
import type { Incoming, Outgoing, Understood } from './call.ts';
import { readServiceError, saysTooManyRequests } from './error-bodies.ts';
import { parseExactJson } from './exact-json.ts';
import { readLimitHeaders } from './limit-headers.ts';
import type { TransportFailure } from './transport/failure.ts';

/** 429, or the refusal for the rate under another status. */
export const isRefusedForRate = (answer: Incoming): boolean =>
  answer.status === 429 || saysTooManyRequests(answer.text);

/** The data of an answer that was not refused for the rate. */
export function understand(request: Outgoing, answer: Incoming): Understood {
  if (answer.status < 200 || answer.status >= 300) throw refusal(request, answer);
  const { text, askedAt, answeredAt } = answer;
  return { data: readData(request, text), text, askedAt, answeredAt, shared: false, serviceOffsetMs: offsetOf(answer) };
}

/** The Date header has whole seconds, so this is right to about one. */
function offsetOf({ headers, answeredAt }: Incoming): number | undefined {
  const said = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
  return Number.isNaN(said) ? undefined : said - answeredAt;
}

/** The data of a 2xx body, by the endpoint's schema. */
export function readData(request: Pick<Outgoing, 'endpoint' | 'link'>, text: string): unknown {
  if (request.link) return text;
  let value: unknown;
  try {
    value = text.trim() === '' ? undefined : parseExactJson(text);
  } catch {
    // A write whose body nobody specified is not doubted for its form.
    value = undefined;
  }
  const parsed = safely(() => request.endpoint.response.safeParse(value));
  if (parsed?.success) return parsed.data;
  throw new BrokerageError(
    'unexpected_answer',
    `The broker answered ${request.endpoint.path} in a form that this program does not understand.`,
    'Try again once; if it stays, the service has changed and brokerage-mcp needs an update.',
    isRead(request) ? {} : { mayHaveHappened: true },
  );
}

/** Undefined when a body is nested so deep that walking it exhausts the stack. */
function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isRead = (request: Pick<Outgoing, 'endpoint'>) => request.endpoint.effect === 'read';

/** `periodMs` is the period of the endpoint's limit as it is known now. */
export function refusedForRate(answer: Incoming, periodMs: number): BrokerageError {
  const retryAfterSeconds = secondsUntilReset(answer, periodMs);
  return new BrokerageError(
    'rate_limited',
    'The broker refused the request for its rate limit; another program may be using the same account.',
    `Call again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds, status: answer.status },
  );
}

/** How long a refusal for the rate lasts: as its headers say, but one period at most. */
export function secondsUntilReset(answer: Incoming, knownPeriodMs: number): number {
  const { resetInMs, periodMs } = readLimitHeaders(answer.headers);
  const longestMs = periodMs || knownPeriodMs;
  const waitMs = resetInMs !== undefined && resetInMs > 0 ? Math.min(resetInMs, longestMs) : longestMs;
  return Math.max(1, Math.ceil(waitMs / 1000));
}

const refusals: Partial<Record<number, { code: ErrorCode; sentence: string; next: string }>> = {
  401: {
    code: 'unauthorized',
    sentence: 'The broker does not accept the key: it is wrong, or it belongs to the other environment',
    next: 'Check BROKER_ENV, BROKER_API_KEY and BROKER_API_SECRET.',
  },
  403: {
    code: 'forbidden',
    sentence: 'The broker does not allow this: the key may lack the permission, or the environment does not offer it',
    next: 'Check the permissions of the key in the brokerage application.',
  },
  404: { code: 'not_found', sentence: 'The broker does not know it', next: 'Check the id.' },
};

function refusal(request: Outgoing, answer: Incoming): BrokerageError {
  const { status } = answer;
  const { code, detail } = readServiceError(answer.text);
  const said = detail ?? code;
  const tail = said ? ` (${said.replace(/\.$/, '')}).` : '.';
  const facts = { status, ...(code === undefined ? {} : { brokerCode: code }) };
  if (status >= 500 || status < 200) {
    return new BrokerageError(
      'upstream_error',
      `The broker failed with status ${status}${tail}`,
      'Try again in a minute.',
      {
        ...facts,
        ...(isRead(request) ? {} : { mayHaveHappened: true }),
      },
    );
  }
  if (status < 400) {
    return new BrokerageError(
      'unexpected_answer',
      `The broker answered with a redirect (${status}), which is never followed.`,
      'Check the base URL.',
      { ...facts, ...(isRead(request) ? {} : { mayHaveHappened: true }) },
    );
  }
  const known = refusals[status];
  if (known) return new BrokerageError(known.code, `${known.sentence}${tail}`, known.next, facts);
  return new BrokerageError(
    'rejected',
    `The broker rejected the request${tail}`,
    'Correct what it names, or tell the user.',
    facts,
  );
}

/** What a request that brought no complete answer means for its maker. */
export function describeFailure(request: Outgoing, failure: TransportFailure): BrokerageError {
  if (failure.kind === 'cancelled')
    return new BrokerageError(
      'cancelled',
      'The call was cancelled before it was done.',
      'Call again if it is still wanted.',
    );
  const mayHaveHappened = !isRead(request) && failure.sent;
  const facts = mayHaveHappened ? { mayHaveHappened } : {};
  const tail = mayHaveHappened ? ' It may have been carried out all the same.' : '';
  const look = mayHaveHappened ? 'Look whether it happened before doing it again.' : undefined;
  if (failure.kind === 'timeout')
    return new BrokerageError(
      'timeout',
      `The broker did not answer in time.${tail}`,
      look ?? 'Try again in a minute.',
      facts,
    );
  if (failure.kind === 'too_large' || failure.kind === 'unreadable')
    return new BrokerageError(
      'unexpected_answer',
      `The answer of the broker could not be read: ${failure.message}.${tail}`,
      look ?? 'Try again once.',
      facts,
    );
  return new BrokerageError(
    'unreachable',
    `The broker could not be reached: ${failure.message}.${tail}`,
    look ?? 'Check the network and the base URL, then try again.',
    facts,
  );
}
