/**
 * Patterns of code: an expression, a statement or a property as it is written, in which `$name` is any code and
 * `...$$name` any number of elements of a list. Layout, comments, types and the names of variables make no difference.
 */
import { type ParserOptions, parse } from '@babel/parser';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What the names of a pattern stand for. */
export type Bound = ReadonlyMap<string, readonly Node[]>;

export interface Match {
  readonly node: Node;
  readonly bound: Bound;
  /** The arguments, elements or properties among which the node is. */
  readonly list: readonly Node[] | undefined;
}

const options: ParserOptions = {
  sourceType: 'module',
  plugins: ['typescript'],
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
};

const parsed = new Map<string, readonly Node[]>();

/** The statements of a file. Most edits are looked for in the same files, so each text is parsed once. */
export function parseFile(text: string): readonly Node[] {
  const known = parsed.get(text) ?? (parse(text, options).program.body as unknown as Node[]);
  parsed.set(text, known);
  return known;
}

const isProperty = (text: string): boolean => /^\w+:/.test(text);

/** The statements of a fragment: it may be a property, or belong into a loop. */
export const parseFragment = (text: string): readonly Node[] =>
  parse(isProperty(text) ? `({ ${text} })` : text, { ...options, errorRecovery: true }).program
    .body as unknown as Node[];

/** Throws unless the text is one expression, one statement that ends with a semicolon, or one property. */
export function parsePattern(text: string): Node {
  const [statement, ...more] = parseFragment(text);
  if (!statement || more.length > 0) throw new Error(`This is not one expression, statement or property: ${text}`);
  const expression = statement.expression as Node;
  if (isProperty(text)) return (expression.properties as Node[])[0] as Node;
  return statement.type === 'ExpressionStatement' && !text.endsWith(';') ? expression : statement;
}

/** Every place within a node that the pattern describes. */
export function findMatches(pattern: Node, root: Node): readonly Match[] {
  const found: Match[] = [];
  const visit = (node: Node, list: readonly Node[] | undefined): void => {
    const bound = new Map<string, readonly Node[]>();
    // What a wrapper contains is visited after it.
    if (unwrap(node) === node && isLike(pattern, node, bound)) found.push({ node, bound, list });
    for (const [key, child] of childrenOf(node)) {
      const elements = Array.isArray(child) ? child.filter(isNode) : undefined;
      for (const one of elements ?? [child]) if (isNode(one)) visit(one, lists.has(key) ? elements : undefined);
    }
  };
  visit(root, undefined);
  return found;
}

const lists = new Set(['arguments', 'elements', 'properties']);

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Where a node is, and what only types and layout need. */
const ignored = new Set([
  ...['type', 'start', 'end', 'loc', 'extra', 'leadingComments', 'trailingComments', 'innerComments', 'errors'],
  ...['typeAnnotation', 'typeParameters', 'typeArguments', 'returnType', 'shorthand', 'definite', 'declare'],
]);

export const childrenOf = (node: Node): readonly (readonly [string, unknown])[] =>
  Object.entries(node).filter(([key]) => !ignored.has(key) && !(node.type === 'Identifier' && key === 'optional'));

const typeWrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

/** Without types around it, and without braces around one statement. */
function unwrap(node: Node): Node {
  if (typeWrappers.has(node.type)) return unwrap(node.expression as Node);
  const body = node.type === 'BlockStatement' ? (node.body as readonly Node[]) : [];
  return body.length === 1 ? unwrap(body[0] as Node) : node;
}

function isLike(pattern: unknown, value: unknown, bound: Map<string, readonly Node[]>): boolean {
  if (Array.isArray(pattern)) return Array.isArray(value) && isListLike(pattern, value, bound);
  // The text of a part of a template.
  if (isTemplateText(pattern)) return isTemplateText(value) && pattern.raw === value.raw;
  if (!isNode(pattern)) return (pattern ?? undefined) === (value ?? undefined);
  if (!isNode(value)) return false;
  const [wanted, node] = [unwrap(pattern), unwrap(value)];
  const name = wanted.type === 'Identifier' ? String(wanted.name) : '';
  if (name.startsWith('$')) return isBoundTo(name, [node], bound);
  if (wanted.type !== node.type) return false;
  return childrenOf(wanted).every(([key, child]) => isLike(child, node[key], bound));
}

const isTemplateText = (value: unknown): value is { readonly raw: string } =>
  typeof value === 'object' && value !== null && 'raw' in value;

function isListLike(patterns: unknown[], values: unknown[], bound: Map<string, readonly Node[]>): boolean {
  const [first, ...rest] = patterns;
  const name = nameOfRest(first);
  if (name === undefined)
    return patterns.length === 0
      ? values.length === 0
      : values.length > 0 && isLike(first, values[0], bound) && isListLike(rest, values.slice(1), bound);
  // The first length with which the rest fits; what a failed attempt bound is dropped.
  for (let length = 0; length <= values.length; length++) {
    const attempt = new Map(bound);
    const isFit =
      isBoundTo(name, values.slice(0, length).filter(isNode), attempt) &&
      isListLike(rest, values.slice(length), attempt);
    if (!isFit) continue;
    for (const [key, nodes] of attempt) bound.set(key, nodes);
    return true;
  }
  return false;
}

function nameOfRest(pattern: unknown): string | undefined {
  if (!isNode(pattern) || !(pattern.type === 'SpreadElement' || pattern.type === 'RestElement')) return undefined;
  const { type, name } = pattern.argument as Node;
  return type === 'Identifier' && String(name).startsWith('$$') ? String(name) : undefined;
}

/** The same name stands for equal code everywhere. */
function isBoundTo(name: string, nodes: readonly Node[], bound: Map<string, readonly Node[]>): boolean {
  const before = bound.get(name);
  if (!before) bound.set(name, nodes);
  return !before || isLike([...before], [...nodes], new Map());
}
