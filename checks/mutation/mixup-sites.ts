/** Finds where another value is at hand; whether the compiler would take it is asked elsewhere. */
import { childrenOf, functions, isNode, type Node, parseText } from './syntax.ts';

/** An expression that others can replace. */
export interface Site {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** Texts in its place, the likeliest first, each of the kind of mistake that it is. */
  readonly alternatives: readonly Alternative[];
  /** `{ name }`: its replacement has to say the name. */
  readonly shortName?: string | undefined;
}

export const kinds = ['variable', 'property', 'order'] as const;

export interface Alternative {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

const withExpression = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);
const withoutName = new Set(['StringLiteral', 'NumericLiteral', 'BooleanLiteral', 'NullLiteral', 'ArrayExpression']);
const maxVariables = 6;
/** Most of them are no properties of the object. */
const maxProperties = 40;

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? (node.name as string) : undefined;

/** The names of properties that texts read or declare. */
export function listPropertyNames(texts: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    const isRead = ['MemberExpression', 'OptionalMemberExpression'].includes(node.type) && node.computed !== true;
    const name = isRead ? nameOf(node.property) : node.type === 'TSPropertySignature' ? nameOf(node.key) : undefined;
    if (name !== undefined) names.add(name);
    childrenOf(node).forEach(visit);
  };
  for (const text of texts) visit(parseText(text));
  return names;
}

const wordsOf = (name: string): readonly string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** The names that share words with this one, those with the most first. */
function findSimilar(name: string, names: ReadonlySet<string>): readonly string[] {
  const words = new Set(wordsOf(name));
  const scored = [...names].flatMap((other) => {
    const theirs = wordsOf(other);
    const shared = theirs.filter((word) => words.has(word)).length;
    return other === name || shared === 0 ? [] : [{ other, score: shared / Math.max(theirs.length, words.size) }];
  });
  return scored
    .sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1))
    .slice(0, maxProperties)
    .map(({ other }) => other);
}

/** The places in the functions of a text, in its order. */
export function listSites(text: string, propertyNames: ReadonlySet<string>): readonly Site[] {
  const sites: Site[] = [];
  const scopes: string[][] = [];
  const sliceOf = ({ start, end }: Node) => text.slice(start, end);

  const declare = (pattern: unknown): void => {
    if (!isNode(pattern)) return;
    const name = nameOf(pattern);
    if (name !== undefined) scopes.at(-1)?.push(name);
    else if (pattern.type === 'ObjectPattern')
      for (const one of pattern.properties as Node[]) declare(one.value ?? one);
    else if (pattern.type === 'ArrayPattern') (pattern.elements as unknown[]).forEach(declare);
    else if (pattern.type === 'AssignmentPattern') declare(pattern.left);
    else if (pattern.type === 'RestElement') declare(pattern.argument);
  };

  const inScope = (work: () => void): void => {
    scopes.push([]);
    work();
    scopes.pop();
  };

  /** The variables of functions that can stand for one of them, the one that was declared last first. */
  const findOthers = (name: string): readonly string[] => {
    const visible = [...new Set(scopes.flat().reverse())];
    return visible.includes(name) ? visible.filter((other) => other !== name).slice(0, maxVariables) : [];
  };

  const addSite = (node: Node, alternatives: readonly Alternative[], shortName?: string): void => {
    if (alternatives.length > 0 && scopes.length > 0)
      sites.push({ start: node.start, end: node.end, line: node.loc.start.line, alternatives, shortName });
  };

  /** A variable, or properties of one. */
  const addChain = (node: Node, root: Node, shortName?: string): void => {
    const after = text.slice(root.end, node.end);
    const others = findOthers(root.name as string).map((other) => ({ kind: 'variable' as const, text: other + after }));
    const last = node === root ? undefined : (node.property as Node);
    const similar = last ? findSimilar(last.name as string, propertyNames) : [];
    const before = last ? text.slice(node.start, last.start) : '';
    addSite(
      node,
      [...others, ...similar.map((other) => ({ kind: 'property' as const, text: before + other }))],
      shortName,
    );
  };

  const findRoot = (node: Node): Node | undefined => {
    if (node.type === 'Identifier') return node;
    return node.type === 'MemberExpression' && node.computed !== true && nameOf(node.property) && isNode(node.object)
      ? findRoot(node.object)
      : undefined;
  };

  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isNode(node)) return;
    const root = findRoot(node);
    const visitPart = visitors[node.type];
    if (withExpression.has(node.type)) visit(node.expression);
    else if (node.type.startsWith('TS')) return;
    else if (root) addChain(node, root);
    else if (functions.has(node.type))
      inScope(() => {
        (node.params as unknown[]).forEach(declare);
        visit(node.body);
      });
    else if (visitPart) visitPart(node);
    else for (const child of childrenOf(node)) visit(child);
  };

  const visitCall = ({ callee, arguments: given }: Node): void => {
    const called = callee as Node;
    if (called.type !== 'Identifier')
      visit(['MemberExpression', 'OptionalMemberExpression'].includes(called.type) ? called.object : called);
    visit(given);
  };

  const visitors: Readonly<Record<string, (node: Node) => void>> = {
    BlockStatement: ({ body }) => inScope(() => visit(body)),
    VariableDeclarator: ({ id, init }) => {
      visit(init);
      const isFunction = isNode(init) && functions.has(init.type);
      if (!isFunction) declare(id);
    },
    ForOfStatement: ({ left, right, body }) => {
      visit(right);
      inScope(() => {
        visit(left);
        visit(body);
      });
    },
    ForStatement: ({ init, test, update, body }) =>
      inScope(() => {
        visit(init);
        visit(test);
        if (isNode(update) && update.type === 'AssignmentExpression') visit(update.right);
        visit(body);
      }),
    UpdateExpression: () => undefined,
    AssignmentExpression: ({ right }) => visit(right),
    CallExpression: visitCall,
    OptionalCallExpression: visitCall,
    NewExpression: visitCall,
    OptionalMemberExpression: ({ object }) => visit(object),
    MemberExpression: ({ object, property, computed }) => {
      visit(object);
      if (computed === true) visit(property);
    },
    ObjectProperty: ({ key, value, shorthand, computed }) => {
      if (computed === true) visit(key);
      const name = shorthand === true ? nameOf(value) : undefined;
      if (name === undefined) visit(value);
      else addChain(value as Node, value as Node, name);
    },
    TaggedTemplateExpression: ({ quasi }) => visit(quasi),
    CatchClause: ({ body }) => visit(body),
    ImportDeclaration: () => undefined,
    LogicalExpression: (node) => {
      const [left, right] = [node.left as Node, node.right as Node];
      const isSwapped = node.operator === '??' && !withoutName.has(right.type) && nameOf(right) !== 'undefined';
      if (isSwapped) addSite(node, [{ kind: 'order', text: `(${sliceOf(right)}) ?? (${sliceOf(left)})` }]);
      visit(left);
      visit(right);
    },
  };

  visit(parseText(text));
  return sites.sort((a, b) => a.start - b.start || b.end - a.end);
}
