/** One request of a conversation: what is sent, and what may come back. */
import type { ListedTool } from '../types.ts';

export interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments?: string };
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}

/** A failure on the model's side, in words for the report; never with the key. */
export class ModelError extends Error {}

export interface Reply {
  readonly message: Message;
  /** `finish_reason`: stop, tool_calls, length, content_filter. */
  readonly finish: string | undefined;
}

export function createChatClient({ url, name, key }: ChatOptions, tools: readonly ListedTool[], signal: AbortSignal) {
  const address = url.endsWith('/chat/completions') ? url : `${url.replace(/\/$/, '')}/chat/completions`;
  const functions = tools.map(({ name: tool, description, inputSchema }) => ({
    type: 'function',
    function: { name: tool, description, parameters: inputSchema },
  }));
  return async (messages: readonly Message[]): Promise<Reply> => {
    const text = await post(address, { model: name, messages, tools: functions }, key, signal);
    let body: { choices?: { message?: Message; finish_reason?: string }[] };
    try {
      body = JSON.parse(text);
    } catch {
      throw new ModelError(`the model’s service answered with no JSON: ${text.slice(0, 120)}`);
    }
    const [choice] = body.choices ?? [];
    if (!choice?.message) throw new ModelError(`the model’s service answered without a message: ${text.slice(0, 120)}`);
    return { message: { ...choice.message, role: 'assistant' }, finish: choice.finish_reason };
  };
}

async function post(address: string, body: object, key: string | undefined, signal: AbortSignal): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  try {
    // A redirect would carry the key to another address than the configured one.
    const options = { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'error' } as const;
    const response = await fetch(address, options);
    const text = await response.text();
    if (!response.ok) throw new ModelError(`the model’s service answered ${response.status}: ${text.slice(0, 120)}`);
    return text;
  } catch (error) {
    if (error instanceof ModelError) throw error;
    if (signal.aborted) throw new ModelError('the model did not answer in time');
    const cause = (error as { cause?: { message?: string } }).cause?.message;
    throw new ModelError(`the model’s service cannot be reached: ${cause ?? (error as Error).message}`);
  }
}

export interface ChatOptions {
  /** With or without `/chat/completions`. */
  readonly url: string;
  readonly name: string;
  readonly key?: string | undefined;
  /** For the complete conversation; default two minutes. */
  readonly timeoutMs?: number;
}
