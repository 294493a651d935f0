/** A service of chat completions on the loopback address, whose model returns what a test sets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Body, Eval } from '../../evals/types.ts';

interface ChatMessage {
  readonly role: string;
  readonly content?: string;
}

export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly ChatMessage[];
    readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
  };
}

/** A choice of the completion, a complete response, or nothing at all. */
export type ChatReply = object | { readonly status: number; readonly text: string } | 'hangs';

export interface FakeModel {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
}

export async function startFakeModel(
  reply: (request: ChatRequest['body'], round: number) => ChatReply,
): Promise<FakeModel> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { authorization } = request.headers;
    const body = JSON.parse(text) as ChatRequest['body'];
    requests.push({ authorization, body });
    const answer = reply(body, requests.length - 1);
    if (answer === 'hangs') return;
    const isWhole = 'status' in answer && 'text' in answer;
    response.statusCode = isWhole ? Number(answer.status) : 200;
    response.setHeader('content-type', 'application/json');
    response.end(isWhole ? answer.text : JSON.stringify({ choices: [answer] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

export const says = (content: string) => ({ finish_reason: 'stop', message: { role: 'assistant', content } });

export const calls = (...wanted: readonly (readonly [name: string, args: string])[]) => ({
  finish_reason: 'tool_calls',
  message: {
    role: 'assistant',
    content: null,
    tool_calls: wanted.map(([name, args], at) => ({
      id: `call_${at}`,
      type: 'function',
      function: { name, arguments: args },
    })),
  },
});

export const toolTexts = ({ messages }: ChatRequest['body']): string[] =>
  messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));

/** A model that makes the ideal calls one by one and then writes a sentence with their results. */
export const idealModel =
  ({ calls: steps, answer }: Eval) =>
  (request: ChatRequest['body']): ChatReply => {
    const bodies = toolTexts(request).map((text) => JSON.parse(text) as Body);
    const step = steps[bodies.length];
    if (step && 'tool' in step) {
      const { tool, args = {} } = step;
      return calls([tool, JSON.stringify(typeof args === 'function' ? args(bodies) : args)]);
    }
    const figures = Object.entries(answer(bodies)).map(([name, value]) => `${name}: ${written(value)}`);
    return says(`Here it is — ${figures.join('; ')}.`);
  };

/** As people write amounts: £1,234.50. */
const written = (value: string): string =>
  /^-?\d+\.\d+$/.test(value)
    ? Number(value).toLocaleString('en-GB', { style: 'currency', currency: 'GBP' }).replace('-', '−')
    : value;
