/**
 * Parses a TOML file into statements with their positions. Throws a SyntaxError for anything it does not understand.
 */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';

/** A symbol, because any string can be the key of a table. */
export const rawText = Symbol('as written');

/** A value that is not a string, boolean, list or table: kept as written. */
interface RawToml {
  readonly [rawText]: string;
}

export type TomlValue = string | boolean | RawToml | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export interface TomlStatement {
  /** `[a.b]`, `[[a.b]]`, or `a.b = value`. */
  readonly kind: 'table' | 'list' | 'pair';
  /** The path from the root; for a pair, including its table. */
  readonly path: readonly string[];
  /** The path of its table. */
  readonly table: readonly string[];
  readonly value: TomlValue | undefined;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Start of its line, and start of the next line. */
  readonly start: number;
  readonly end: number;
}

export function readTomlText(text: string): TomlStatement[] {
  try {
    const [{ body }] = parseTOML(text, { tomlVersion: '1.1' }).body;
    return body.flatMap((node) => {
      if (node.type === 'TOMLKeyValue') return [readPair(text, node, [])];
      const path = namesIn(node.key);
      return [readHeader(text, node, path), ...node.body.map((pair) => readPair(text, pair, path))];
    });
  } catch (error) {
    if (error instanceof ParseError) throw new SyntaxError(`${error.message} in line ${error.lineNumber}`);
    if (error instanceof RangeError) throw new SyntaxError('values nested too deeply');
    throw error;
  }
}

function readHeader(text: string, { kind, key }: AST.TOMLTable, path: readonly string[]): TomlStatement {
  return {
    kind: kind === 'array' ? 'list' : 'table',
    path,
    table: path,
    value: undefined,
    valueStart: 0,
    valueEnd: 0,
    ...toLineRange(text, key.range),
  };
}

function readPair(text: string, { key, value, range }: AST.TOMLKeyValue, table: readonly string[]): TomlStatement {
  const [valueStart, valueEnd] = value.range;
  const path = [...table, ...namesIn(key)];
  return {
    kind: 'pair',
    path,
    table,
    value: readValue(text, value),
    valueStart,
    valueEnd,
    ...toLineRange(text, range),
  };
}

/** Extends a statement to full lines; only a comment may share them. */
function toLineRange(
  text: string,
  [first, last]: AST.HasLocs['range'],
): { readonly start: number; readonly end: number } {
  const lineEnd = text.indexOf('\n', last);
  return { start: text.lastIndexOf('\n', first - 1) + 1, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

const namesIn = ({ keys }: AST.TOMLKey): string[] =>
  keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));

function readValue(text: string, node: AST.TOMLContentNode): TomlValue {
  if (node.type === 'TOMLArray') return node.elements.map((item) => readValue(text, item));
  if (node.type === 'TOMLInlineTable')
    return expandDottedKeys(node.body.map(({ key, value }) => [namesIn(key), readValue(text, value)])) ?? {};
  if (node.kind === 'string' || node.kind === 'boolean') return node.value;
  return { [rawText]: text.slice(...node.range) };
}

/** Merges dotted keys and their values into one table; undefined when two of them conflict. */
export function expandDottedKeys(
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
    const value = isLeaf ? only?.[1] : expandDottedKeys(inside);
    if (value === undefined) return undefined;
    members.push([key, value]);
  }
  return Object.fromEntries(members);
}
