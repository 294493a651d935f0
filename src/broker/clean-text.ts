/** What is neither printable nor harmless: controls, bidirectional overrides, zero-width characters, lone surrogates. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]+/gu;

/**
 * Text of the service as data that may be shown: one line, at most `longest` characters, nothing that
 * hides or turns around what a person reads. Undefined when nothing is left.
 */
export function cleanText(value: unknown, longest = 300): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Cut first: what is thrown away need not be searched.
  const text = value
    .slice(0, longest * 4)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') return undefined;
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}
