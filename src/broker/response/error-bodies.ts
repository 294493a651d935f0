import { sanitizeText } from '../../sanitize-text.ts';
import type { ServiceError } from '../types.ts';
import { parseExactJson } from './exact-json.ts';

const looksLikeMarkup = /<[a-z!/]/i;

/**
 * What an error body says. The specification shows none; four shapes are understood:
 * `{type: "/api-errors/<code>", detail}`, `{code, clarification}`, `{code, context: {type}}`, and
 * anything else, of which a short plain text is kept and markup is not.
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
 * Whether a body is the refusal for too many requests. It has been seen with 200 and 400 as well, so
 * the status does not count.
 */
export function isRateLimitBody(text: string): boolean {
  // Such a body is short; a list of instruments is not parsed twice for it.
  if (text.length > 2_000 || !text.includes('TooManyRequests')) return false;
  const body = parseObject(text);
  return body?.code === 'BusinessException' && parseErrorBody(text).code === 'TooManyRequests';
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.length > 65_536) return undefined;
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const plain = (value: unknown) =>
  typeof value === 'string' && looksLikeMarkup.test(value) ? undefined : sanitizeText(value);

/** A code is a word; anything longer or stranger is not passed off as one. */
function codeOnly(value: unknown): string | undefined {
  const code = sanitizeText(value, 80);
  return code && /^[\w.-]+$/.test(code) ? code : undefined;
}
