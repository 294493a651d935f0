import * as z from 'zod';
import { BrokerageError } from '../errors.ts';
import { countOf } from '../text/count-of.ts';
import { closestMatches } from '../text/suggestions.ts';
import type { ToolDefinition } from './tool.ts';

/**
 * Returns the parsed arguments of a tool. Throws invalid_argument with a sentence for each problem: which argument is
 * wrong and what it must be.
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
  const { issues } = parsed.error;
  const names = argumentNames(tool);
  const takes = names.length ? `${tool.name} takes: ${names.join(', ')}.` : `${tool.name} takes no arguments.`;
  throw new BrokerageError('invalid_argument', listProblems(issues, tool, args), findStep(issues, tool) ?? takes);
}

/** More problems than a caller fixes at once. */
const maxProblems = 5;

function listProblems(issues: readonly z.core.$ZodIssue[], tool: ToolDefinition, args: unknown): string {
  const sentences = [...new Set(issues.flatMap((issue) => describeIssue(issue, tool, args)))];
  const more =
    sentences.length > maxProblems ? ` There are ${countOf(sentences.length - maxProblems, 'other problem')}.` : '';
  return sentences.length === 0
    ? 'The arguments are not valid.'
    : `${sentences.slice(0, maxProblems).join(' ')}${more}`;
}

/** The first step that a schema gives, or the tool that takes an amount of money, for which an order has no argument. */
function findStep(issues: readonly z.core.$ZodIssue[], tool: ToolDefinition): string | undefined {
  const [step] = issues.flatMap((issue) => nextStep(issue) ?? []);
  if (step !== undefined) return step;
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  return takesOrders.has(tool.toolset) && unknown.some((key) => moneyNames.has(key.toLowerCase()))
    ? amountStep
    : undefined;
}

const moneyNames: ReadonlySet<string> = new Set(['value', 'amount', 'money', 'cash', 'total', 'notional', 'cost']);
const takesOrders: ReadonlySet<string> = new Set(['trading', 'drafting']);
const amountStep =
  'An order has a quantity of shares. For an amount of money, call plan_orders with goal invest (or raise, to sell), amount and targets: it computes the quantity.';

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

/** A sentence for each problem of an issue. */
const describeIssue = (issue: z.core.$ZodIssue, tool: ToolDefinition, args: unknown): readonly string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => describeUnknown(key, issue.path, tool))
    : [describeWrong(issue, args)];

function describeUnknown(key: string, path: readonly PropertyKey[], tool: ToolDefinition): string {
  if (path.length > 0) return `${quote(key)} is not a field of ${nameArgument(path).replace(/:$/, '')}.`;
  const [near] = closestMatches(key, argumentNames(tool), 1);
  return `${quote(key)} is not an argument of ${tool.name}${near ? `; did you mean "${near}"?` : '.'}`;
}

function describeWrong(issue: z.core.$ZodIssue, args: unknown): string {
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
