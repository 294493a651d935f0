/**
 * Parses JSON with comments and trailing commas into nodes with their positions, so that an edit changes only the
 * necessary text of a user's file. Stricter than the hosts: ambiguous input is rejected, because a misread file would
 * be damaged.
 */

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  /** Start of the white space before the key: after a brace, a comma or a comment. */
  readonly from: number;
  readonly value: JsonNode;
  /** Position of the comma after the value, or undefined. */
  readonly comma: number | undefined;
}

interface Span {
  readonly start: number;
  /** Position after the last character. */
  readonly end: number;
}

export interface JsonObject extends Span {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
  /** Start of the white space before the closing brace. */
  readonly tail: number;
}

export type JsonNode =
  | JsonObject
  | (Span & { readonly kind: 'array'; readonly items: readonly JsonNode[] })
  | (Span & { readonly kind: 'scalar'; readonly value: string | number | boolean | null });

/** Maximum depth: settings are never nested deeper, and recursion needs a limit. */
const deepest = 200;
const scalarPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/**
 * Returns the one value in the text; undefined when there is only white space. Throws a SyntaxError with the position.
 */
export function readJsonText(text: string): JsonNode | undefined {
  let at = 0;

  const fail = (what: string): never => {
    throw new SyntaxError(`${what} in line ${text.slice(0, at).split(/\r\n|\r|\n/).length}`);
  };

  /** Skips white space and comments; returns where the last white space began. */
  const skip = (): number => {
    let from = at;
    for (;;) {
      while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
      if (text[at] !== '/') return from;
      if (text[at + 1] === '/') {
        while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
      } else if (text[at + 1] === '*') {
        const end = text.indexOf('*/', at + 2);
        if (end < 0) fail('a comment without an end');
        at = end + 2;
      } else fail('an unexpected character');
      from = at;
    }
  };

  const readString = (): string => {
    const start = at;
    let end = text.indexOf('"', at + 1);
    while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end < 0) fail('a string without an end');
    try {
      const value: unknown = JSON.parse(text.slice(start, end + 1));
      at = end + 1;
      return String(value);
    } catch {
      return fail('a string that is not valid');
    }
  };

  const readValue = (depth: number): JsonNode => {
    if (depth > deepest) fail('values nested too deeply');
    if (text[at] === '{') return readObject(depth);
    if (text[at] === '[') return readArray(depth);
    const start = at;
    if (text[at] === '"') return { kind: 'scalar', start, value: readString(), end: at };
    scalarPattern.lastIndex = at;
    const [word] = scalarPattern.exec(text) ?? [];
    if (word === undefined) return fail(at < text.length ? 'an unexpected character' : 'an unexpected end');
    at += word.length;
    return { kind: 'scalar', start, end: at, value: JSON.parse(word) as number | boolean | null };
  };

  const readObject = (depth: number): JsonObject => {
    const start = at++;
    const members: JsonMember[] = [];
    for (;;) {
      const from = skip();
      if (text[at] === '}') return { kind: 'object', start, end: ++at, members, tail: from };
      if (members.length > 0 && members.at(-1)?.comma === undefined) fail('a missing comma');
      if (text[at] !== '"') fail(at < text.length ? 'an unexpected character' : 'an unexpected end');
      const keyStart = at;
      const key = readString();
      skip();
      if (text[at] !== ':') fail('a missing colon');
      at++;
      skip();
      const value = readValue(depth + 1);
      skip();
      const comma = text[at] === ',' ? at++ : undefined;
      if (comma === undefined) at = value.end;
      members.push({ key, keyStart, from, value, comma });
    }
  };

  const readArray = (depth: number): JsonNode => {
    const start = at++;
    const items: JsonNode[] = [];
    for (let mayGoOn = true; ; ) {
      skip();
      if (text[at] === ']') return { kind: 'array', start, end: ++at, items };
      if (!mayGoOn) fail('a missing comma');
      items.push(readValue(depth + 1));
      skip();
      mayGoOn = text[at] === ',';
      if (mayGoOn) at++;
    }
  };

  const first = skip();
  if (at === text.length && first === 0) return undefined;
  const root = readValue(0);
  skip();
  if (at < text.length) fail('text after the end');
  return root;
}

/** Returns the value of a node as JSON.parse would; the last of duplicate keys wins. */
export function toValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(toValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, toValue(value)]));
}

function isEscaped(text: string, at: number): boolean {
  let back = at - 1;
  while (text[back] === '\\') back--;
  return (at - 1 - back) % 2 === 1;
}
