/**
 * Mutants that the operators of Stryker do not make: an object without one of its properties, as where a caller forgets
 * to pass a fact on. Only what is inside of a function changes; a table of constants is another kind of fault.
 */
import { childrenOf, functions, type Node, parseText } from './syntax.ts';
import type { Place } from './write-variants.ts';

/** The objects in the functions of a text, each with what it is without one of its properties. */
export function listForgotten(text: string): readonly Place[] {
  const sliceOf = ({ start, end }: Node) => text.slice(start, end);
  return listLiterals(parseText(text)).map((literal) => ({
    start: literal.start,
    end: literal.end,
    changes: (literal.properties as readonly Node[]).flatMap((property, _, properties) => {
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
  const visit = (node: Node, isInFunction: boolean): void => {
    if (node.type === 'ObjectExpression' && isInFunction) found.push(node);
    for (const child of childrenOf(node)) visit(child, isInFunction || functions.has(node.type));
  };
  visit(root, false);
  return found.sort((a, b) => a.start - b.start);
}
