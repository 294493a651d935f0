/**
 * Mutants that the operators of Stryker do not make: an object without one of its properties, as where a caller forgets
 * to pass a fact on. Only what is inside of a function changes; a table of constants is another kind of fault.
 */
import { resolve } from 'node:path';
import { parse } from '@babel/parser';

export interface PropertyChange {
  readonly id: string;
  readonly line: number;
  readonly original: string;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly properties?: readonly Node[];
}

/** An object, and the objects inside of it. */
interface Literal {
  readonly node: Node;
  readonly inside: Literal[];
}

const switchFile = resolve('checks/mutation/property-switch.ts');
const functions = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ObjectMethod',
  'ClassMethod',
]);

/** The text with all mutants, each off, and the mutants by the numbers that `nextId` gives. */
export function forgetProperties(text: string, nextId: () => string): { text: string; changes: PropertyChange[] } {
  const changes: PropertyChange[] = [];
  const sliceOf = ({ start, end }: Node) => text.slice(start, end);

  const writeObject = ({ node, inside }: Literal): string => {
    const properties = node.properties ?? [];
    const variants = properties.flatMap((property): string[] => {
      if (property.type !== 'ObjectProperty') return [];
      const id = nextId();
      const others = properties.filter((other) => other !== property).map(sliceOf);
      const [original, replacement] = [sliceOf(property), `{ ${others.join(', ')} }`];
      changes.push({ id, line: property.loc.start.line, original, replacement });
      return [`isForgotten("${id}") ? ${replacement} : `];
    });
    const whole = writeRange(node.start, node.end, inside);
    return variants.length === 0 ? whole : `(${variants.join('')}${whole})`;
  };

  const writeRange = (start: number, end: number, literals: readonly Literal[]): string => {
    const parts: string[] = [];
    let at = start;
    for (const literal of literals) {
      parts.push(text.slice(at, literal.node.start), writeObject(literal));
      at = literal.node.end;
    }
    return parts.join('') + text.slice(at, end);
  };

  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
  const changed = writeRange(0, text.length, listLiterals(program as unknown as Node));
  return { text: `import { isForgotten } from ${JSON.stringify(switchFile)};\n${changed}`, changes };
}

/** The objects in functions, in the order of the text. */
function listLiterals(root: Node): readonly Literal[] {
  const found: Literal[] = [];
  const visit = (value: unknown, into: Literal[], isInFunction: boolean): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, into, isInFunction);
    if (!isNode(value)) return;
    const isLiteral = value.type === 'ObjectExpression' && isInFunction;
    const literal: Literal = { node: value, inside: [] };
    if (isLiteral) into.push(literal);
    for (const [name, child] of Object.entries(value))
      if (name !== 'loc') visit(child, isLiteral ? literal.inside : into, isInFunction || functions.has(value.type));
  };
  visit(root, found, false);
  return found.sort((a, b) => a.node.start - b.node.start);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value;
