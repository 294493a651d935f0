/** The meaning of an error status: one table for reads, writes and orders. */
import type { ErrorCode } from '../../errors.ts';

export interface HttpError {
  readonly code: ErrorCode;
  /** Without its period, because the broker's detail can follow. */
  readonly sentence: string;
  readonly next: string;
  /** The service sends this status before it accepts a request, so the request had no effect. */
  readonly provesRefusal: boolean;
}

const rejected: HttpError = {
  code: 'rejected',
  sentence: 'The broker rejected the request',
  next: 'Correct what the broker names, or tell the user.',
  provesRefusal: true,
};
const unauthorized: HttpError = {
  code: 'unauthorized',
  sentence: 'The broker does not accept the key: the key is wrong or belongs to the other environment',
  next: 'Check BROKER_ENV, BROKER_API_KEY and BROKER_API_SECRET (a key that was created with a secret needs the secret).',
  provesRefusal: true,
};
const forbidden: HttpError = {
  code: 'forbidden',
  sentence:
    'The broker does not allow this request: the key may lack the permission, or the environment does not support it',
  next: 'Check the permissions of the key in the brokerage application.',
  provesRefusal: true,
};
/** How long such blocks were seen to last at least; the response does not say. */
export const addressBlockSeconds = 600;

const blocked: HttpError = {
  code: 'blocked',
  sentence: 'A proxy in front of the service blocks the address of this computer for a while; the key is not the cause',
  next: 'Send nothing for 10 minutes, then try again.',
  provesRefusal: true,
};
const notFound: HttpError = {
  code: 'not_found',
  sentence: 'The broker could not find it',
  next: 'Check the id.',
  provesRefusal: true,
};

const refusals: Readonly<Record<number, HttpError>> = {
  400: rejected,
  401: unauthorized,
  403: forbidden,
  404: notFound,
  405: rejected,
  411: rejected,
  413: rejected,
  415: rejected,
  422: rejected,
};

/** The meaning of a status outside 200 to 299 that is no rate limit error; `isBlocked` as in HttpResponse. */
export function describeHttpError(status: number, isBlocked = false): HttpError {
  if (isBlocked) return blocked;
  const known = refusals[status];
  if (known) return known;
  // 408: the service, or a proxy in front of it, stopped waiting; the request may have been carried out.
  if (status >= 500 || status < 200 || status === 408)
    return {
      code: 'upstream_error',
      sentence: `The broker returned status ${status}`,
      next: 'Try again in a minute.',
      provesRefusal: false,
    };
  if (status < 400)
    return {
      code: 'unexpected_answer',
      sentence: `The broker returned a redirect (${status}); this program never follows redirects`,
      next: 'Check the base URL.',
      provesRefusal: false,
    };
  return { ...rejected, provesRefusal: false };
}

/** What to do when an order was rejected for a reason outside the order. */
export const accessFixes: Partial<Record<ErrorCode, string>> = {
  unauthorized: unauthorized.next,
  forbidden: forbidden.next,
  blocked: blocked.next,
};
