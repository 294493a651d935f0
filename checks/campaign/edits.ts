/**
 * Changes to the program that name a function and the structure of a place within it, so that a move of the file, new
 * names of variables and another layout do not matter. A change that finds no place, or several, throws: it would
 * silently leave the program as it is, or change more than it says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  childrenOf,
  findMatches,
  isNode,
  type Match,
  type Node,
  parseFile,
  parseFragment,
  parsePattern,
} from './code-pattern.ts';

interface Place {
  /** A function or constant at the top of a file. Where several have its name, one of them has the place. */
  readonly in: string;
  /** What takes its place: code with the names of the pattern. Empty removes it, with its comma in a list. */
  readonly put: string;
}

export type Edit = Place &
  (
    | {
        /** A pattern of code (code-pattern.ts). */
        readonly find: string;
      }
    | {
        /** A part of a string, such as a statement of SQL. */
        readonly text: string;
      }
  );

/** The text of each file by its path. */
export type Sources = ReadonlyMap<string, string>;

export const readSources = (folder = 'src'): Sources =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );

/** The files that change, with the edits made one after the other. */
export function applyEdits(edits: readonly Edit[], sources: Sources): Sources {
  const changed = new Map<string, string>();
  for (const edit of edits) {
    const declarations = findDeclarations(edit.in, new Map([...sources, ...changed]));
    const places = declarations.flatMap((one) => ('find' in edit ? findCode(edit, one) : findText(edit, one)));
    const [place, ...others] = places;
    if (!place || others.length > 0) throw new Error(describePlaces(edit, declarations, places));
    const { path, text } = place.declaration;
    requireKnownNames(edit, place.declaration);
    changed.set(path, text.slice(0, place.start) + place.put + text.slice(place.end));
  }
  return changed;
}

interface Declaration {
  readonly path: string;
  readonly text: string;
  readonly root: Node;
  /** Of its file. */
  readonly statements: readonly Node[];
}

interface Replacement {
  readonly declaration: Declaration;
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

function describePlaces(edit: Edit, declarations: readonly Declaration[], places: readonly Replacement[]): string {
  const lines = places.map(({ declaration: { path, text }, start, end }) => {
    const line = text.slice(0, start).split('\n').length;
    return `\n  ${path}:${line}: ${text.slice(start, end).replace(/\s+/g, ' ').slice(0, 80)}`;
  });
  const wanted = JSON.stringify('find' in edit ? edit.find : edit.text);
  const where = declarations.map(({ path }) => path).join(', ') || 'no file declares it at the top';
  return `${places.length} places in ${edit.in} (${where}) are like ${wanted}${lines.join('')}`;
}

function findDeclarations(name: string, sources: Sources): readonly Declaration[] {
  const word = new RegExp(`\\b(?:function\\*?|const|class)\\s+${name}\\b`);
  return [...sources].flatMap(([path, text]): Declaration[] => {
    if (!word.test(text)) return [];
    const statements = parseFile(text);
    return statements
      .flatMap(declarationsOf)
      .filter((root) => (root.id as Node).name === name)
      .map((root) => ({ path, text, root, statements }));
  });
}

/** The functions, classes and constants of a statement at the top of a file. */
function declarationsOf(statement: Node): readonly Node[] {
  const declared = isNode(statement.declaration) ? statement.declaration : statement;
  const list = declared.type === 'VariableDeclaration' ? (declared.declarations as Node[]) : [declared];
  return list.filter(({ id }) => isNode(id) && id.type === 'Identifier');
}

/** What is declared or imported at the top of a file. */
export const listNames = (statements: readonly Node[]): readonly string[] => [
  ...statements.flatMap(declarationsOf).map(({ id }) => String((id as Node).name)),
  ...statements
    .flatMap(({ type, specifiers }) => (type === 'ImportDeclaration' ? (specifiers as Node[]) : []))
    .map(({ local }) => String((local as Node).name)),
];

const findCode = ({ find, put }: Edit & { readonly find: string }, declaration: Declaration): Replacement[] =>
  findMatches(parsePattern(find), declaration.root).map((match) => ({
    declaration,
    ...rangeOf(match, put === ''),
    put: fill(put, match, declaration.text),
  }));

/** With the comma beside it where it is removed from a list. */
function rangeOf({ node, list }: Match, isRemoved: boolean): { start: number; end: number } {
  const { start, end } = node;
  if (!isRemoved || !list) return { start, end };
  const index = list.indexOf(node);
  const [before, after] = [list[index - 1], list[index + 1]];
  if (before) return { start: before.end, end };
  return { start, end: after ? after.start : end };
}

/** Code that binds less than what may be around its name. */
const loose = new Set([
  ...['AssignmentExpression', 'ConditionalExpression', 'ArrowFunctionExpression', 'SequenceExpression'],
  ...['LogicalExpression', 'BinaryExpression', 'AwaitExpression', 'UnaryExpression', 'TSAsExpression'],
]);

function fill(put: string, { bound }: Match, text: string): string {
  const code = (nodes: readonly Node[]) => {
    const [first, last] = [nodes[0], nodes.at(-1)];
    if (!first || !last) return '';
    const piece = text.slice(first.start, last.end);
    return nodes.length === 1 && loose.has(first.type) ? `(${piece})` : piece;
  };
  return put.replace(/(?:\.\.\.(?=\$\$))?(\$+\w+)/g, (whole, name: string) => {
    const nodes = bound.get(name);
    if (!nodes) throw new Error(`${whole} is in what is put and not in what is found: ${put}`);
    return code(nodes);
  });
}

/** Where the text is in strings and templates. */
function findText({ text: wanted, put }: Edit & { readonly text: string }, declaration: Declaration): Replacement[] {
  const { text, root } = declaration;
  const found: Replacement[] = [];
  const visit = (node: Node): void => {
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateElement';
    for (let at = isText ? text.indexOf(wanted, node.start) : -1; at >= 0; at = text.indexOf(wanted, at + 1)) {
      if (at + wanted.length > node.end) break;
      found.push({ declaration, start: at, end: at + wanted.length, put });
    }
    for (const [, child] of childrenOf(node)) for (const one of [child].flat()) if (isNode(one)) visit(one);
  };
  visit(root);
  return found;
}

/** Names in what is put are of the pattern, of the file or of the language: a variable of the function can be renamed. */
function requireKnownNames(edit: Edit, { path, statements }: Declaration): void {
  if ('text' in edit) return;
  const own = new Set<unknown>(namesIn(parseFragment(edit.put), isDeclared));
  const ofFile = new Set<unknown>(listNames(statements));
  for (const name of namesIn(parseFragment(edit.put), isRead))
    if (!name.startsWith('$') && !own.has(name) && !ofFile.has(name) && !(name in globalThis) && name !== 'undefined')
      throw new Error(`What is put into ${edit.in} (${path}) names ${name}, which is nothing at the top of the file.`);
}

type Use = (node: Node, key: string) => boolean;

const isDeclared: Use = ({ type }, key) =>
  (type === 'VariableDeclarator' && key === 'id') || (key === 'params' && /Function/.test(type));

/** Neither a member nor a key. */
const isRead: Use = ({ type, computed }, key) =>
  computed === true ||
  !((/MemberExpression$/.test(type) && key === 'property') || (/^Object/.test(type) && key === 'key'));

function namesIn(nodes: readonly Node[], isUse: Use): string[] {
  return nodes.flatMap((node) =>
    childrenOf(node).flatMap(([key, child]) =>
      [child]
        .flat()
        .filter(isNode)
        .flatMap((one) => {
          if (one.type !== 'Identifier') return namesIn([one], isUse);
          return isUse(node, key) ? [String(one.name)] : [];
        }),
    ),
  );
}
