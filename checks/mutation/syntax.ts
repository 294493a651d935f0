/** What the mutants of our own read of a text. */
import { parse } from '@babel/parser';

/** A part of a program, with its other properties unread. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [name: string]: unknown;
}

export const functions = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ObjectMethod',
  'ClassMethod',
]);

/** Throws a SyntaxError for a text that is not TypeScript. */
export const parseText = (text: string): Node =>
  parse(text, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as Node;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'loc' in value;

/** The parts of a part. */
export const childrenOf = (node: Node): readonly Node[] =>
  Object.entries(node)
    .filter(([name]) => name !== 'loc')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
