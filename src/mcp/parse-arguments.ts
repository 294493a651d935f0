import * as z from 'zod';
import { BrokerageError } from '../errors.ts';
import { closestMatches } from '../suggestions.ts';
import type { ToolDefinition } from './tool.ts';

/**
 * Returns the parsed arguments of a tool. Throws invalid_argument with one sentence: which argument is wrong and what
 * it must be.
 */
export function parseArguments(tool: ToolDefinition, args: unknown): unknown {
  if (!isSmall(args))
    throw new BrokerageError(
      'invalid_argument',
      `The arguments are too large for ${tool.name}.`,
      `Send at most ${maxCharacters} characters and ${maxValues} values.`,
    );
  const parsed = tool.input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const names = argumentNames(tool);
  const takes = names.length ? `${tool.name} takes: ${names.join(', ')}.` : `${tool.name} takes no arguments.`;
  throw new BrokerageError('invalid_argument', sentence(issue, tool, args), nextStep(issue) ?? takes);
}

/** The step that a schema gives with its own issue. */
const nextStep = (issue: z.core.$ZodIssue | undefined): string | undefined =>
  issue?.code === 'custom' && typeof issue.params?.next === 'string' ? issue.params.next : undefined;

/** A pie has some dozens of tickers, and a cursor is the longest string. */
const maxCharacters = 20_000;
const maxValues = 1_000;
const maxDepth = 10;

/** Whether the schemas can check the arguments quickly: a schema reports each wrong item of a long list separately. */
function isSmall(args: unknown): boolean {
  let characters = 0;
  let values = 0;
  const fits = (value: unknown, depth: number): boolean => {
    values++;
    if (typeof value === 'string') characters += value.length;
    if (values > maxValues || characters > maxCharacters || depth > maxDepth) return false;
    if (typeof value !== 'object' || value === null) return true;
    // `for … in` would list all indexes of an array before the first item is checked.
    if (Array.isArray(value)) return value.every((item) => fits(item, depth + 1));
    for (const name in value) {
      characters += name.length;
      if (!fits((value as Record<string, unknown>)[name], depth + 1)) return false;
    }
    return true;
  };
  return fits(args, 0);
}

export const argumentNames = (tool: Pick<ToolDefinition, 'input'>): string[] =>
  tool.input instanceof z.ZodObject ? Object.keys(tool.input.shape) : [];

function sentence(issue: z.core.$ZodIssue | undefined, tool: ToolDefinition, args: unknown): string {
  if (!issue) return 'The arguments are not valid.';
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    if (issue.path.length > 0)
      return `${quote(unknown)} is not a field of ${nameArgument(issue.path).replace(/:$/, '')}.`;
    const [near] = closestMatches(unknown, argumentNames(tool), 1);
    return `${quote(unknown)} is not an argument of ${tool.name}${near ? `; did you mean "${near}"?` : '.'}`;
  }
  // An issue about several arguments is already a sentence; an issue about one argument gets its name in front.
  if (issue.path.length === 0)
    return issue.code === 'custom' ? `${issue.message}.` : 'The arguments must be a single JSON object.';
  return `${nameArgument(issue.path)} ${isMissing(args, issue.path) ? 'is missing; it ' : ''}${issue.message}.`;
}

/** Returns `leg 2: quantity` for `legs`, 1, `quantity`: people and drafts count the items of a list from 1. */
const nameArgument = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name.replace(/s$/, '')} ${key + 1}:`;
    return name === '' ? String(key) : `${name}${name.endsWith(':') ? ' ' : '.'}${String(key)}`;
  }, '');

function isMissing(args: unknown, path: readonly PropertyKey[]): boolean {
  let value = args;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value === undefined;
}

const quote = (text: string) => JSON.stringify(text.slice(0, 64));
