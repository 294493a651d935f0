/** A real model behind an address that speaks the chat completions of OpenAI, as many servers do. */
import { instructionsFor } from '../../src/core/mcp/tool-listing.ts';
import type { Args, Called, Hands, Model, Said } from '../types.ts';
import { type ChatOptions, createChatClient, type Message, ModelError, type ToolCall } from './chat-client.ts';

const mostRounds = 12;
/** Calls in one round; calls beyond get an error. */
const mostCalls = 16;

export function chatModel(options: ChatOptions): Model {
  return {
    name: options.name,
    play: async ({ words }, hands) => {
      const signal = AbortSignal.timeout(options.timeoutMs ?? 120_000);
      const ask = createChatClient(options, await hands.listTools(), signal);
      const messages: Message[] = [
        { role: 'system', content: systemText(hands.now()) },
        { role: 'user', content: words },
      ];
      try {
        return await converse(ask, messages, hands, signal);
      } catch (error) {
        if (error instanceof ModelError) return { failed: error.message };
        throw error;
      }
    },
  };
}

async function converse(
  ask: ReturnType<typeof createChatClient>,
  messages: Message[],
  hands: Hands,
  signal: AbortSignal,
): Promise<Said> {
  const over = ended(signal);
  for (let round = 0; round < mostRounds; round++) {
    const { message, finish } = await ask(messages);
    if (message.refusal) return { failed: `the model refused: ${message.refusal}` };
    if (finish === 'content_filter') return { failed: 'the model’s service withheld the answer (content_filter)' };
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) {
      if (finish === 'length') return { failed: 'the model’s answer was cut (length)' };
      return message.content?.trim() ? { text: message.content } : { failed: 'the model said nothing' };
    }
    messages.push(message);
    for (const [at, call] of calls.entries()) {
      const content =
        at < mostCalls ? await carryOut(call, hands, over) : problem(`at most ${mostCalls} calls at once`);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
  return { failed: `the model had not answered after ${mostRounds} rounds` };
}

/** The text of the reply. Arguments that are no JSON object are an error that the model may correct. */
async function carryOut({ function: wanted }: ToolCall, hands: Hands, over: Promise<undefined>): Promise<string> {
  const args = parseArguments(wanted.arguments);
  if (args === undefined) return problem('The arguments are not a JSON object.');
  const answered: Called | undefined = await Promise.race([hands.call(wanted.name, args), over]);
  if (!answered) throw new ModelError('the time for the conversation ran out during a tool call');
  return JSON.stringify(answered.body);
}

const problem = (message: string) => JSON.stringify({ code: 'invalid_argument', message });

function parseArguments(text: string | undefined): Args | undefined {
  if (text === undefined || text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Args) : undefined;
  } catch {
    return undefined;
  }
}

const ended = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

const systemText = (now: number) =>
  [
    instructionsFor({ environment: 'demo', readOnly: false }),
    `It is ${new Date(now).toISOString()}.`,
    'Use the tools; do not ask back. Answer in one or two sentences with the figures that were asked for: amounts in pounds and pence with all their digits, instruments with their name and their ticker, numbers of orders as they are.',
  ].join('\n');
