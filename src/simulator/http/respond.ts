/** Turns a parsed request into a reply, in this order: authentication, rate limit, fault, handler. */

import { type Endpoint, endpoints } from '../../core/endpoints/index.ts';
import { ApiError, invalid } from '../api-error.ts';
import { handlers } from '../handlers/endpoint-handlers.ts';
import type { Request, State } from '../handlers/handler-state.ts';
import { toUuid } from '../random.ts';
import type { Fault } from '../testing/faults.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { RequestLimits } from './request-limits.ts';
import type { Route } from './routes.ts';
import type { Reply } from './send-response.ts';
import { writeJson } from './write-json.ts';

const reply = (status: number, { contentType, body }: Text, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { ...(contentType && { 'content-type': contentType }), ...headers },
  body,
});

export const errorReply = (
  quirks: Quirks,
  refusal: ApiError,
  nowMs: number,
  headers: Record<string, string> = {},
): Reply => ({
  ...reply(refusal.status, errorBody(quirks, refusal, nowMs), headers),
  explanation: refusal.explanation ?? refusal.message,
});

function tooManyRequests(quirks: Quirks, nowMs: number): Text {
  if (quirks.rateLimitBody === 'exception') return tooManyRequestsException;
  return errorBody(quirks, new ApiError(429, 'too-many-requests', 'too many requests'), nowMs);
}

/** Returns the reply to a request over its rate limit. */
export function rateLimitReply(quirks: Quirks, nowMs: number, headers: Record<string, string>): Reply {
  switch (quirks.rateLimitAnswer) {
    case 'withHeaders':
      return reply(429, tooManyRequests(quirks, nowMs), headers);
    case 'withoutHeaders':
      return reply(429, tooManyRequests(quirks, nowMs));
    case 'status200':
      return reply(200, tooManyRequestsException, headers);
    case 'status400':
      return reply(400, tooManyRequestsException, headers);
  }
}

export interface HandlerContext extends State {
  readonly route: Route;
  readonly query: URLSearchParams;
  readonly bodyText: string;
  readonly limits: RequestLimits;
  readonly onOrder: (id: number) => void;
}

/** Returns the reply to a request within its rate limit. */
export function respond(asked: HandlerContext): Reply {
  const { route, quirks, limits, now } = asked;
  const headers = limits.headers(route.limit, now);
  try {
    const hasParameter = /\{id\}/.test(getPath(route));
    if (hasParameter && Number.isNaN(route.parameter)) throw invalid('the id is not a number');
    const request: Request = { ...asked, id: route.parameter };
    const value = route.body ? route.body(request) : handlers[route.id](request);
    if (value === undefined) return { status: 200, headers, body: '' };
    return reply(200, { contentType: 'application/json', body: writeJson(value, quirks) }, headers);
  } catch (error) {
    if (error instanceof ApiError) return errorReply(quirks, error, now, headers);
    throw error;
  }
}

const getPath = ({ id }: Route) => (endpoints[id] as Endpoint).path;

/** Returns the reply of a fault that prevents the request from having an effect; undefined when the fault allows it. */
export function faultInsteadOfReply(fault: Fault, asked: HandlerContext, path: string): Reply | undefined {
  const { quirks, limits, route, now } = asked;
  const headers = limits.headers(route.limit, now);
  if (fault.kind === 'status') return faultReply(fault, quirks, now, headers);
  if (fault.kind === 'rateLimitedWithoutHeaders') return reply(429, tooManyRequests(quirks, now));
  if (fault.kind === 'addressBlock') return reply(403, { contentType: 'text/plain', body: 'error code: 1010' });
  if (fault.kind !== 'redirect') return undefined;
  return { status: fault.status ?? 307, headers: { ...headers, location: fault.location ?? path }, body: '' };
}

export const faultReply = (
  fault: Fault,
  quirks: Quirks,
  nowMs: number,
  headers: Readonly<Record<string, string>>,
): Reply =>
  errorReply(quirks, new ApiError(fault.status ?? 500, 'internal-error', 'something went wrong'), nowMs, {
    ...headers,
  });

interface Text {
  readonly contentType: string | undefined;
  readonly body: string;
}

type Form = Pick<Quirks, 'errorBody' | 'rateLimitBody' | 'traceIds'>;

const json = (value: unknown): Text => ({ contentType: 'application/json', body: JSON.stringify(value) });

const pascal = (code: string) => code.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Titles that services were seen to use; a refused order has one title, whatever the code. */
const titles: Readonly<Record<string, string>> = {
  'invalid-request': 'The request is invalid',
  'entity-not-found': 'Requested entity not found',
  unauthorized: 'Unauthorized',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  'internal-error': 'Internal error',
  'too-many-requests': 'Too many requests',
  'duplicate-name': 'The request is invalid',
  'not-available-in-demo-account': 'Not available in demo account',
};
const orderTitle = 'Error while placing the order';

/** Returns an error body in one of the shapes that services of this kind use side by side. */
function errorBody({ errorBody: shape, traceIds }: Form, error: ApiError, nowMs: number): Text {
  const { status, code, message: detail } = error;
  switch (shape) {
    case 'problem': {
      const traceId = traceIds ? toUuid(`trace ${nowMs} ${code} ${detail}`).replaceAll('-', '') : undefined;
      return json({ type: `/api-errors/${code}`, title: titles[code] ?? orderTitle, status, detail, traceId });
    }
    case 'code':
      return json({ code: pascal(code), clarification: detail });
    case 'business':
      return json({ code: 'BusinessException', context: { type: pascal(code) } });
    case 'text':
      return { contentType: 'text/plain', body: detail };
    case 'html':
      return {
        contentType: 'text/html',
        body: `<!doctype html><html><head><title>${status}</title></head><body><h1>${pascal(code)}</h1></body></html>`,
      };
    case 'empty':
      return { contentType: undefined, body: '' };
  }
}

/** The body of an exceeded limit that services were seen to send, with any status. */
const tooManyRequestsException = json({ code: 'BusinessException', context: { type: 'TooManyRequests' } });
