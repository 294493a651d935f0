import type * as z from 'zod';
import { toDecimalString } from '../../core/endpoints/decimal.ts';
import { WireNumber } from '../../core/endpoints/shapes.ts';
import { invalid } from '../api-error.ts';

const numberMark = '\u0000';

/**
 * Parses a request body with its endpoint's strict schema; numbers keep all digits. Throws an ApiError for any other
 * body, also for numbers in quotes.
 */
export function readBody<Schema extends z.ZodType>(
  endpoint: { readonly body: Schema },
  text: string,
): z.output<Schema> {
  let raw: unknown;
  try {
    JSON.parse(text);
    raw = exactNumbers(text);
  } catch {
    // JSON.parse throws for invalid JSON only.
    throw invalid('the body is not JSON');
  }
  const parsed = endpoint.body.safeParse(raw);
  if (!parsed.success)
    throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
  refuseQuotedNumbers(raw, parsed.data);
  return parsed.data;
}

function exactNumbers(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(numberMark + token),
  );
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith(numberMark)) return value;
    const exact = toDecimalString(value.slice(1));
    if (exact === undefined) throw new SyntaxError('not a number');
    return new WireNumber(exact);
  });
}

/** The schema also accepts decimal strings for callers inside the program; over HTTP they are rejected. */
function refuseQuotedNumbers(raw: unknown, parsed: unknown): void {
  // A default that the body does not have.
  if (raw === undefined) return;
  if (parsed instanceof WireNumber) {
    if (!(raw instanceof WireNumber)) throw invalid('a number must not be in quotes');
  } else if (typeof parsed === 'object' && parsed !== null) {
    for (const [key, inner] of Object.entries(parsed))
      refuseQuotedNumbers((raw as Record<string, unknown>)[key], inner);
  }
}
