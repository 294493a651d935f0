/** Reads a CallToolResult of the host as a result or an error. */
import { type Fields, toFields, toList, toText } from './fields.ts';

export interface ErrorResult {
  readonly kind: 'error';
  /** Its `next` and `code` are for the caller, and no view shows them. */
  readonly message: string;
}

export type ToolResultView = { readonly kind: 'answer'; readonly body: Fields } | ErrorResult;

/**
 * Returns the body of a tool result. Some hosts strip structuredContent and some strip the text; both contain the same
 * JSON, so either is enough. An error is also detected by its fields, because a host may drop `isError`.
 */
export function readResult(result: unknown): ToolResultView {
  const { structuredContent, content, isError } = toFields(result);
  const texts = toList(content).flatMap((block) => toText(toFields(block).text) ?? []);
  const bodies = [structuredContent, ...texts.map(parseJson)].map(toFields);
  const body = bodies.find((candidate) => Object.keys(candidate).length > 0);
  if (body && isError !== true && !isErrorBody(body)) return { kind: 'answer', body };
  return readError(body ?? {}, texts[0]);
}

export const isErrorBody = (body: Fields): boolean =>
  typeof body.code === 'string' && typeof body.message === 'string' && body.env === undefined;

export const readError = (body: Fields, text?: string): ErrorResult => ({
  kind: 'error',
  message: toText(body.message) ?? text ?? 'The result of the tool cannot be read.',
});

/** Removes the prefix of an error (src/core/mcp/response-text.ts) before parsing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^Error: (?=\{)/, ''));
  } catch {
    // The text is no JSON.
    return undefined;
  }
}
