/** Reads the keys and values of TOML, far enough to know where each ends and what strings, lists and tables say. */

/** A symbol, because any text may be the key of a table. */
export const asWritten = Symbol('as written');

/** A value that is none of a string, a truth value, a list and a table: kept as it is written. */
export interface RawToml {
  readonly [asWritten]: string;
}

export type TomlValue = string | boolean | RawToml | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export interface Cursor {
  readonly text: string;
  at: number;
}

const bareKey = /[A-Za-z0-9_-]+/y;
// A date and its time may have a space between them.
const bareValue = /(?:[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[^\s,\]}#]*|[A-Za-z0-9_+.:-]+)/y;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
};
const deepest = 100;

export function fail(cursor: Cursor, what: string): never {
  throw new SyntaxError(`${what} in line ${cursor.text.slice(0, cursor.at).split('\n').length}`);
}

export function skipSpaces(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ' || cursor.text[cursor.at] === '\t') cursor.at++;
}

/** Spaces, line ends and comments, as they may stand inside a list. */
export function skipBlank(cursor: Cursor): void {
  for (;;) {
    while (' \t\r\n'.includes(cursor.text[cursor.at] ?? 'x')) cursor.at++;
    if (cursor.text[cursor.at] !== '#') return;
    while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== '\n') cursor.at++;
  }
}

/** `a."b c".d` as its parts. */
export function readKey(cursor: Cursor): string[] {
  const parts: string[] = [];
  for (;;) {
    skipSpaces(cursor);
    const letter = cursor.text[cursor.at];
    if (letter === '"' || letter === "'") parts.push(readLineString(cursor));
    else parts.push(match(cursor, bareKey) ?? fail(cursor, 'a missing key'));
    skipSpaces(cursor);
    if (cursor.text[cursor.at] !== '.') return parts;
    cursor.at++;
  }
}

export function readTomlValue(cursor: Cursor, depth = 0): TomlValue {
  if (depth > deepest) fail(cursor, 'values nested too deeply');
  const { text, at } = cursor;
  if (text.startsWith('"""', at) || text.startsWith("'''", at)) return readLongString(cursor);
  if (text[at] === '"' || text[at] === "'") return readLineString(cursor);
  if (text[at] === '[') return readList(cursor, depth);
  if (text[at] === '{') return readInlineTable(cursor, depth);
  const bare = match(cursor, bareValue) ?? fail(cursor, 'a missing value');
  return bare === 'true' || bare === 'false' ? bare === 'true' : { [asWritten]: bare };
}

function readList(cursor: Cursor, depth: number): TomlValue {
  const items: TomlValue[] = [];
  cursor.at++;
  for (let mayGoOn = true; ; ) {
    skipBlank(cursor);
    if (cursor.text[cursor.at] === ']') break;
    if (!mayGoOn) fail(cursor, 'a missing comma');
    items.push(readTomlValue(cursor, depth + 1));
    skipBlank(cursor);
    mayGoOn = cursor.text[cursor.at] === ',';
    if (mayGoOn) cursor.at++;
  }
  cursor.at++;
  return items;
}

function readInlineTable(cursor: Cursor, depth: number): TomlValue {
  const entries: [readonly string[], TomlValue][] = [];
  cursor.at++;
  for (let mayGoOn = true; ; ) {
    // Line ends and a last comma are allowed since TOML 1.1.
    skipBlank(cursor);
    if (cursor.text[cursor.at] === '}') break;
    if (!mayGoOn) fail(cursor, 'a missing comma');
    const key = readKey(cursor);
    if (cursor.text[cursor.at] !== '=') fail(cursor, 'a missing equals sign');
    cursor.at++;
    skipSpaces(cursor);
    entries.push([key, readTomlValue(cursor, depth + 1)]);
    skipBlank(cursor);
    mayGoOn = cursor.text[cursor.at] === ',';
    if (mayGoOn) cursor.at++;
  }
  cursor.at++;
  return nest(entries) ?? fail(cursor, 'a key that is there twice');
}

/** Dotted keys and their values as one table; undefined when two of them meet. */
export function nest(
  entries: readonly (readonly [path: readonly string[], value: TomlValue])[],
): TomlValue | undefined {
  const groups = new Map<string, (readonly [readonly string[], TomlValue])[]>();
  for (const [[first = '', ...rest], value] of entries)
    groups.set(first, [...(groups.get(first) ?? []), [rest, value]]);
  const members: [string, TomlValue][] = [];
  for (const [key, inside] of groups) {
    const [only] = inside;
    const isLeaf = inside.some(([path]) => path.length === 0);
    if (isLeaf && inside.length > 1) return undefined;
    const value = isLeaf ? only?.[1] : nest(inside);
    if (value === undefined) return undefined;
    members.push([key, value]);
  }
  return Object.fromEntries(members);
}

function readLineString(cursor: Cursor): string {
  const quote = cursor.text[cursor.at] ?? '';
  let value = '';
  for (cursor.at++; ; ) {
    const letter = cursor.text[cursor.at];
    if (letter === undefined || letter === '\n' || letter === '\r') return fail(cursor, 'a string without an end');
    cursor.at++;
    if (letter === quote) return value;
    value += letter === '\\' && quote === '"' ? readEscape(cursor) : letter;
  }
}

function readLongString(cursor: Cursor): string {
  const quote = cursor.text.slice(cursor.at, cursor.at + 3);
  cursor.at += 3;
  if (cursor.text[cursor.at] === '\r') cursor.at++;
  if (cursor.text[cursor.at] === '\n') cursor.at++;
  let value = '';
  for (;;) {
    const letter = cursor.text[cursor.at];
    if (letter === undefined) return fail(cursor, 'a string without an end');
    if (cursor.text.startsWith(quote, cursor.at)) {
      // Up to two quotes may stand right before the closing three.
      let end = cursor.at + 3;
      while (cursor.text[end] === quote[0] && end < cursor.at + 5) end++;
      value += cursor.text.slice(cursor.at, end - 3);
      cursor.at = end;
      return value;
    }
    cursor.at++;
    if (letter !== '\\' || quote === "'''") value += letter;
    else {
      const lineEnd = /[ \t]*\r?\n[ \t\r\n]*/y;
      if (match(cursor, lineEnd) === undefined) value += readEscape(cursor);
    }
  }
}

function readEscape(cursor: Cursor): string {
  const letter = cursor.text[cursor.at++] ?? '';
  const simple = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  if (simple !== undefined) return simple;
  const length = { x: 2, u: 4, U: 8 }[letter];
  const digits = cursor.text.slice(cursor.at, cursor.at + (length ?? 0));
  const code = Number.parseInt(digits, 16);
  if (!length || !/^[0-9A-Fa-f]+$/.test(digits) || digits.length < length || code > 0x10ffff)
    return fail(cursor, 'an unknown escape');
  cursor.at += length;
  return String.fromCodePoint(code);
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.at += found.length;
  return found;
}
