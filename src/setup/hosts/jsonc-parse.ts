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
  return new JsonReader(text).readText();
}

/** Reads a text from its beginning; each method begins at the position that the one before left. */
class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readText(): JsonNode | undefined {
    const start = this.#skipSpace();
    if (this.#isAtEnd() && start === 0) return undefined;
    const root = this.#readValue(0);
    this.#skipSpace();
    if (!this.#isAtEnd()) this.#fail('text after the end');
    return root;
  }

  /** Skips white space and comments; returns where the last white space began. */
  #skipSpace(): number {
    const text = this.#text;
    let from = this.#at;
    for (;;) {
      while (' \t\r\n'.includes(text[this.#at] ?? 'x')) this.#at++;
      if (text[this.#at] !== '/') return from;
      if (text[this.#at + 1] === '/') {
        while (!this.#isAtEnd() && text[this.#at] !== '\n' && text[this.#at] !== '\r') this.#at++;
      } else if (text[this.#at + 1] === '*') {
        const end = text.indexOf('*/', this.#at + 2);
        if (end < 0) this.#fail('a comment without an end');
        this.#at = end + 2;
      } else this.#fail('an unexpected character');
      from = this.#at;
    }
  }

  #readValue(depth: number): JsonNode {
    if (depth > deepest) this.#fail('values nested too deeply');
    const start = this.#at;
    if (this.#text[start] === '{') return this.#readObject(depth);
    if (this.#text[start] === '[') return this.#readArray(depth);
    if (this.#text[start] === '"') return { kind: 'scalar', start, value: this.#readString(), end: this.#at };
    scalarPattern.lastIndex = start;
    const [word] = scalarPattern.exec(this.#text) ?? [];
    if (word === undefined) return this.#failHere();
    this.#at += word.length;
    return { kind: 'scalar', start, end: this.#at, value: JSON.parse(word) as number | boolean | null };
  }

  #readString(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (end >= 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) this.#fail('a string without an end');
    try {
      const value: unknown = JSON.parse(this.#text.slice(start, end + 1));
      this.#at = end + 1;
      return String(value);
    } catch {
      // JSON.parse throws for an invalid string only.
      return this.#fail('a string that is not valid');
    }
  }

  #readObject(depth: number): JsonObject {
    const start = this.#at++;
    const members: JsonMember[] = [];
    for (;;) {
      const from = this.#skipSpace();
      if (this.#text[this.#at] === '}') return { kind: 'object', start, end: ++this.#at, members, tail: from };
      if (members.length > 0 && members.at(-1)?.comma === undefined) this.#fail('a missing comma');
      members.push(this.#readMember(depth, from));
    }
  }

  #readMember(depth: number, from: number): JsonMember {
    const keyStart = this.#at;
    if (this.#text[keyStart] !== '"') this.#failHere();
    const key = this.#readString();
    this.#skipSpace();
    if (this.#text[this.#at] !== ':') this.#fail('a missing colon');
    this.#at++;
    this.#skipSpace();
    const value = this.#readValue(depth + 1);
    this.#skipSpace();
    const comma = this.#text[this.#at] === ',' ? this.#at++ : undefined;
    if (comma === undefined) this.#at = value.end;
    return { key, keyStart, from, value, comma };
  }

  #readArray(depth: number): JsonNode {
    const start = this.#at++;
    const items: JsonNode[] = [];
    for (let mayGoOn = true; ; ) {
      this.#skipSpace();
      if (this.#text[this.#at] === ']') return { kind: 'array', start, end: ++this.#at, items };
      if (!mayGoOn) this.#fail('a missing comma');
      items.push(this.#readValue(depth + 1));
      this.#skipSpace();
      mayGoOn = this.#text[this.#at] === ',';
      if (mayGoOn) this.#at++;
    }
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #failHere(): never {
    this.#fail(this.#isAtEnd() ? 'an unexpected end' : 'an unexpected character');
  }

  #fail(what: string): never {
    throw new SyntaxError(`${what} in line ${this.#text.slice(0, this.#at).split(/\r\n|\r|\n/).length}`);
  }
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
