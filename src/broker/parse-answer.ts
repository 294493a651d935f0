import { type Endpoint, linkPath } from '../catalogue/index.ts';
import { unexpected } from './answer-errors.ts';
import { cleanText } from './clean-text.ts';
import { parseExactJson } from './exact-json.ts';

/** The body as the endpoint's schema reads it. Throws `unexpected_answer`, which names the place and never the content. */
export function parseAnswer(endpoint: Endpoint, text: string): unknown {
  if (endpoint.path === linkPath) return text;
  let body: unknown;
  try {
    // spec: not shown; several writes have been seen to answer with nothing.
    body = text.trim() === '' ? undefined : parseExactJson(text);
  } catch {
    throw unexpected(endpoint, "The broker's answer is not JSON.");
  }
  if (body === undefined && endpoint.effect !== 'read') body = {};
  const issue = readIssue(endpoint, body);
  if ('data' in issue) return issue.data;
  throw unexpected(endpoint, `The broker's answer does not fit the interface: ${issue.words}.`);
}

function readIssue(endpoint: Endpoint, body: unknown): { data: unknown } | { words: string } {
  try {
    const parsed = endpoint.response.safeParse(body);
    if (parsed.success) return { data: parsed.data };
    const issue = parsed.error.issues[0];
    const place = cleanText(issue?.path.join('.'), 80);
    return { words: `${place ?? 'the whole'}: ${cleanText(issue?.message, 120) ?? 'not valid'}` };
  } catch {
    // Nested so deep that walking it exhausts the stack.
    return { words: 'it is nested too deep' };
  }
}
