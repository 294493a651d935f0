/**
 * Mutants that the operators of Stryker do not make: an object without one of its properties, as where a caller forgets
 * to pass a fact on. Only what is inside of a function changes; a table of constants is another kind of fault.
 */
import { parse } from '@babel/parser';
import type { Place } from './write-variants.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly properties?: readonly Node[];
}

const functions = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ObjectMethod',
  'ClassMethod',
]);

/** The objects in the functions of a text, each with what it is without one of its properties. */
export function listForgotten(text: string): readonly Place[] {
  const sliceOf = ({ start, end }: Node) => text.slice(start, end);
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript'] });
  return listLiterals(program as unknown as Node).map(({ start, end, properties = [] }) => ({
    start,
    end,
    changes: properties.flatMap((property) => {
      if (property.type !== 'ObjectProperty') return [];
      const others = properties.filter((other) => other !== property).map(sliceOf);
      const replacement = `{ ${others.join(', ')} }`;
      return [{ line: property.loc.start.line, original: sliceOf(property), replacement }];
    }),
  }));
}

/** The objects in functions, in the order of the text. */
function listLiterals(root: Node): readonly Node[] {
  const found: Node[] = [];
  const visit = (value: unknown, isInFunction: boolean): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, isInFunction);
    if (!isNode(value)) return;
    if (value.type === 'ObjectExpression' && isInFunction) found.push(value);
    for (const [name, child] of Object.entries(value))
      if (name !== 'loc') visit(child, isInFunction || functions.has(value.type));
  };
  visit(root, false);
  return found.sort((a, b) => a.start - b.start);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value;
