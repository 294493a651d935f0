/** The meaning of an error status: one table for reads, writes and orders. */

import { accessFixes, type ErrorCode } from '../../errors.ts';
import { sanitizeText } from '../../text/sanitize-text.ts';
import type { ServiceError } from '../types.ts';
import { parseExactJson } from './exact-json.ts';

interface HttpError {
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
  next: accessFixes.unauthorized,
  provesRefusal: true,
};
const forbidden: HttpError = {
  code: 'forbidden',
  sentence:
    'The broker does not allow this request: the key may lack the permission, or the environment does not support it',
  next: accessFixes.forbidden,
  provesRefusal: true,
};
/** How long such blocks were seen to last at least; the response does not say. */
export const addressBlockSeconds = 600;

const blocked: HttpError = {
  code: 'blocked',
  sentence: 'A proxy in front of the service blocks the address of this computer for a while; the key is not the cause',
  next: accessFixes.blocked,
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

const looksLikeMarkup = /<[a-z!/]/i;

/**
 * Parses an error body. The specification shows none; four formats are supported: `{type: "/api-errors/<code>",
 * detail}`, `{code, clarification}`, `{code, context: {type}}`, and any other text, which is kept if it is short
 * and no markup.
 */
export function parseErrorBody(text: string): ServiceError {
  const body = parseObject(text);
  if (!body) return { code: undefined, detail: looksLikeMarkup.test(text) ? undefined : sanitizeText(text) };
  const type = sanitizeText(body.type);
  if (type) {
    return {
      code: codeOnly(type.split('/').at(-1)),
      detail: plain(body.detail) ?? plain(body.title),
    };
  }
  const context = typeof body.context === 'object' && body.context !== null ? body.context : {};
  const inner = 'type' in context ? context.type : undefined;
  return { code: codeOnly(inner) ?? codeOnly(body.code), detail: plain(body.clarification) ?? plain(body.message) };
}

/**
 * Whether a body is a rate limit error. Services have sent it with status 200 and 400 as well, so the status is
 * ignored.
 */
export function isRateLimitBody(text: string): boolean {
  // Such a body is short, so a list of instruments is not parsed a second time.
  if (text.length > 2_000 || !text.includes('TooManyRequests')) return false;
  const body = parseObject(text);
  return body?.code === 'BusinessException' && parseErrorBody(text).code === 'TooManyRequests';
}

/** The words of such a proxy, in a text or a page: the four-digit code names the reason for the block. */
const blockPattern = /\berror code:? *(?:<[^>]{0,80}>)? *10\d\d\b/i;

/** Whether an error body comes from a proxy that blocks the address of the client, and not from the service. */
export const isBlockBody = (status: number, text: string): boolean =>
  (status === 403 || status === 400) && text.length <= 65_536 && blockPattern.test(text);

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.length > 65_536) return undefined;
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const plain = (value: unknown) =>
  typeof value === 'string' && looksLikeMarkup.test(value) ? undefined : sanitizeText(value);

/** A code is one token of letters, digits, `_`, `.` and `-`; anything else is dropped. */
function codeOnly(value: unknown): string | undefined {
  const code = sanitizeText(value, 80);
  return code && /^[\w.-]+$/.test(code) ? code : undefined;
}
