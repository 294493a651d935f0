/** A call of a tool with no more services than its test names: reading another one fails the test. */
import { onTestFinished } from 'vitest';
import type * as z from 'zod';
import type { Services } from '../../../src/app/registry.ts';
import type { CallContext } from '../../../src/core/broker/types.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../../src/core/mcp/tool.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openMarketsAt } from '../../support/setup.ts';

/** What a call of a tool reaches; a service needs the functions alone that the tool uses. */
export type CallParts = {
  readonly [Name in keyof (ToolCall & Services)]?: (ToolCall & Services)[Name] extends object
    ? object
    : (ToolCall & Services)[Name];
};

/** The context of a call: what the tool asked for, beside the deadline. */
export const contextOf = ({ priority = 'read', ...options }: Parameters<ToolCall['context']>[0] = {}): CallContext => ({
  priority,
  deadlineAt: openMarketsAt + 50_000,
  ...options,
});

/** Functions that return this reply, and what was passed to them: their names and arguments. */
export function recordCalls(reply: unknown) {
  const calls: unknown[] = [];
  const record =
    (name: string) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      return reply;
    };
  return { calls, record };
}

export function toolCall(parts: CallParts = {}): ToolCall & Services {
  const given: Record<string, unknown> = {
    clock: createManualClock({ startAt: openMarketsAt }),
    deadlineAt: openMarketsAt + 50_000,
    signal: new AbortController().signal,
    host: { canForm: false, canUrl: false },
    // A call is about one account.
    beside: undefined,
    context: contextOf,
    progress: () => undefined,
    // Where one account is read.
    pooledWith: undefined,
    ...parts,
  };
  const unexpected: string[] = [];
  onTestFinished(() => {
    if (unexpected.length > 0) throw new Error(`The tool used ${unexpected.join(', ')}.`);
  });
  return new Proxy(given, {
    get: (target, name) => {
      if (Object.hasOwn(target, name)) return target[String(name)];
      if (typeof name === 'string' && name !== 'wantsAllRows') unexpected.push(name);
      return undefined;
    },
  }) as unknown as ToolCall & Services;
}

/** Runs a tool with a call of `toolCall`. */
export const runWith = <Input extends z.ZodType>(
  tool: ToolDefinition<Input, Services>,
  args: z.output<Input>,
  call: ToolCall & Services,
): Promise<ToolReply> => tool.run(args, call, call);
