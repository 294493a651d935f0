/**
 * Bounds on the memory that a JSON text would use, checked before it is parsed: two bytes can become an object of a
 * hundred.
 */
interface JsonBounds {
  /** Nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Number of values and property names. */
  readonly maxValues: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Whether a UTF-8 text is within the bounds. It need not be valid JSON; the parser checks that. */
export function isWithin(text: Uint8Array, { maxDepth, maxValues }: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) at = endOfString(text, at);
    else if (byte === comma || byte === colon) values++;
    else if (byte === openList || byte === openObject) {
      values++;
      if (++depth > maxDepth) return false;
    } else if (byte === closeList || byte === closeObject) depth--;
    if (values > maxValues) return false;
  }
  return true;
}

/** Returns the index of the closing quote. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  return at;
}

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // JSON.parse throws for invalid JSON only.
    return false;
  }
}
