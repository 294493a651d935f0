/**
 * Parses a URL; undefined when the text is not one. `URL.canParse` is not used because once Node 20 has optimised
 * the call, it returns false for text with letters beyond ASCII.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    // The text is no URL.
    return undefined;
  }
}
