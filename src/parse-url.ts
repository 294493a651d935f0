/**
 * The URL of a text, or undefined when it is none. Not `URL.canParse`: once Node 20 has optimised the call, it
 * says no to a text with letters beyond ASCII.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
