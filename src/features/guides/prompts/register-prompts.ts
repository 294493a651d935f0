/** Registers the prompts with the SDK. */
import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { passThrough } from '../../../core/mcp/passthrough-schema.ts';
import type { GuideDeps } from '../guide-deps.ts';
import { listPrompts, type PromptArgument, type PromptDefinition, writePrompt } from './prompt-definitions.ts';

/** Maximum characters of an argument, which is one line of a request. */
const maxArgumentLength = 500;

export function registerPrompts(server: McpServer, parts: Pick<GuideDeps, 'complete' | 'config'>): void {
  for (const prompt of listPrompts(parts.config.toolsets)) {
    const { name, title, description } = prompt;
    const answer = (args: Readonly<Record<string, unknown>> = {}) => ({
      messages: [
        {
          role: 'user' as const,
          content: { type: 'text' as const, text: writePrompt(prompt, readArguments(prompt, args)) },
        },
      ],
    });
    if (prompt.arguments.length === 0) server.registerPrompt(name, { title, description }, () => answer());
    else
      server.registerPrompt(name, { title, description, argsSchema: toSchema(prompt.arguments, parts) }, (args) =>
        answer(args as Record<string, unknown>),
      );
  }
}

/** The schema shows the arguments and completes them; `readArguments` reads the values. */
function toSchema(args: readonly PromptArgument[], { complete }: Pick<GuideDeps, 'complete'>) {
  const shown = {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, description }) => [name, { type: 'string', description }])),
    required: args.filter(({ required }) => required).map(({ name }) => name),
  };
  const shape = Object.fromEntries(
    args.flatMap(({ name, completes }) =>
      completes ? [[name, completable(passThrough({}), (value) => complete(completes, String(value)))]] : [],
    ),
  );
  return { ...passThrough(shown), shape };
}

function readArguments(
  prompt: PromptDefinition,
  args: Readonly<Record<string, unknown>>,
): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const { name, required } of prompt.arguments) {
    const value = args[name];
    if (value === undefined || value === '') {
      if (required) throw wrong(`The prompt ${prompt.name} needs ${name}.`);
      continue;
    }
    if (typeof value !== 'string' || value.length > maxArgumentLength)
      throw wrong(`${name} must be a string of at most ${maxArgumentLength} characters.`);
    texts[name] = value;
  }
  return texts;
}

const wrong = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
