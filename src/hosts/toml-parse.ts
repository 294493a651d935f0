/** The statements of a TOML file with their place in the text. Throws a SyntaxError for what it does not understand. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';

/** A symbol, because any text may be the key of a table. */
export const rawText = Symbol('as written');

/** A value that is none of a string, a truth value, a list and a table: kept as it is written. */
interface RawToml {
  readonly [rawText]: string;
}

export type TomlValue = string | boolean | RawToml | readonly TomlValue[] | { readonly [key: string]: TomlValue };

export interface TomlStatement {
  /** `[a.b]`, `[[a.b]]`, or `a.b = value`. */
  readonly kind: 'table' | 'list' | 'pair';
  /** From the root: of a pair, with the table that it stands in. */
  readonly path: readonly string[];
  /** The table that it stands in. */
  readonly table: readonly string[];
  readonly value: TomlValue | undefined;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The beginning of its line, and the beginning of the next one. */
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

/** A statement is alone on its lines, but for a comment. */
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

/** Dotted keys and their values as one table; undefined when two of them meet. */
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
