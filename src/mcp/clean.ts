/**
 * Text from the service is data, and may have been written by somebody who wants to steer the model:
 * what cannot be seen (control, bidirectional and zero-width characters) is removed, and length is bounded.
 */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029\u{E0000}-\u{E007F}]/gu;
const longestText = 1_000;

export function cleanText(text: string): string {
  const visible = text.replace(/[\t\r\n]+/g, ' ').replace(invisible, '');
  return visible.length > longestText ? `${visible.slice(0, longestText)}…` : visible;
}

/** The same value with every text in it cleaned, keys included. */
export function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanDeep);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanDeep(inner)]));
  return value;
}
