import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from '@babel/parser';
import { childrenOf, type Node } from '../mutation/syntax.ts';

/** What a reader meets in one file of source. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  /** Lines with code: comments, blank lines and imports do not count. */
  readonly codeLines: number;
  /** The files of the repository that it imports, without imports of types alone. */
  readonly imports: readonly string[];
  /** The names of the types that it declares. */
  readonly types: readonly string[];
  /** The lines on which an error is caught and dropped without a comment that gives the reason. */
  readonly silentCatches: readonly number[];
}

interface Comment {
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
}

interface Token extends Comment {
  /** A text for comments, an object for what the parser reads. */
  readonly type: string | { readonly label: string };
}

/** Throws a SyntaxError for a text that is not TypeScript. */
export function readSourceFile(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const { program, tokens, comments } = parse(text, {
    sourceType: 'module',
    plugins: ['typescript'],
    tokens: true,
  }) as unknown as { program: Node; tokens: readonly Token[]; comments: readonly Comment[] };
  const statements = program.body as readonly Node[];
  const nodes = [...walk(program)];
  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    codeLines: countCodeLines(tokens, statements),
    imports: statements.filter(isImport).flatMap((statement) => resolveImport(path, statement)),
    types: nodes
      .filter(({ type }) => type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration')
      .map(nameOf),
    silentCatches: nodes
      .filter(isSilentCatch)
      .map(lineOfCatch)
      .filter((line) => !comments.some((c) => explains(c, line))),
  };
}

/** Returns the paths that a file needs to run: those that it imports, those that they import, and its own. */
export function reachableFrom(path: string, files: ReadonlyMap<string, SourceFile>): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const next of reached) for (const imported of files.get(next)?.imports ?? []) reached.add(imported);
  return reached;
}

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

function countCodeLines(tokens: readonly Token[], statements: readonly Node[]): number {
  const lines = new Set<number>();
  for (const { type, loc } of tokens)
    if (typeof type === 'object' && type.label !== 'eof')
      for (let line = loc.start.line; line <= loc.end.line; line++) lines.add(line);
  for (const statement of statements.filter(({ type }) => type === 'ImportDeclaration')) {
    const { start, end } = (statement as unknown as Comment).loc;
    for (let line = start.line; line <= end.line; line++) lines.delete(line);
  }
  return lines.size;
}

const imports = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration']);

const isImport = (node: Node): boolean => {
  const specifiers = (node.specifiers ?? []) as readonly Node[];
  const isOfTypes =
    node.importKind === 'type' ||
    node.exportKind === 'type' ||
    (specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type'));
  return imports.has(node.type) && node.source != null && !isOfTypes;
};

function resolveImport(from: string, node: Node): string[] {
  const path = join(dirname(from), (node.source as { value: string }).value).replaceAll('\\', '/');
  return path.startsWith('src/') && existsSync(path) ? [path] : [];
}

const nameOf = (node: Node): string => (node.id as unknown as { name: string }).name;

/** The line of `catch`, which is not the first one of a long call. */
const lineOfCatch = (node: Node): number =>
  (((node.callee as Node | undefined)?.property as Node | undefined) ?? node).loc.start.line;

/** `catch {` and `.catch(() => …)`: nothing reads the error. */
function isSilentCatch(node: Node): boolean {
  if (node.type === 'CatchClause') return node.param == null;
  if (node.type !== 'CallExpression') return false;
  const callee = node.callee as Node;
  const [handler] = node.arguments as readonly Node[];
  return (
    callee.type === 'MemberExpression' &&
    (callee.property as unknown as { name?: string }).name === 'catch' &&
    handler !== undefined &&
    handler.type === 'ArrowFunctionExpression' &&
    (handler.params as readonly Node[]).length === 0
  );
}

/** Whether a comment ends on the line before or begins on one of the two that follow. */
const explains = ({ loc }: Comment, line: number): boolean => loc.end.line >= line - 1 && loc.start.line <= line + 2;
