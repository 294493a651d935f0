import { sanitizeText } from '../../text/sanitize-text.ts';
import type { ServiceError } from '../types.ts';
import { parseExactJson } from './exact-json.ts';

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
