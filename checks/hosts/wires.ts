/**
 * The four ways in which a host talks to a model over HTTP, as their makers document them: what a request says, and a
 * reply as the stream of events that the host waits for.
 */

/** What a request says, in the order of the calls. */
export interface Conversation {
  readonly tools: readonly Tool[];
  readonly calls: readonly { readonly name: string; readonly result: string | undefined }[];
}

export interface Tool {
  readonly name: string;
  /** The group of a tool, where the host has groups. */
  readonly group?: string | undefined;
}

export type Turn =
  | { readonly text: string }
  | { readonly tool: Tool; readonly args: Readonly<Record<string, unknown>>; readonly id: string };

/** An event of a stream: its name where it has one, and its data. */
type StreamEvent = readonly [name: string | undefined, data: object | string];

export interface Wire {
  readonly matches: (path: string) => boolean;
  readonly read: (body: Body) => Conversation;
  readonly reply: (turn: Turn, id: string) => readonly StreamEvent[];
}

// biome-ignore lint/suspicious/noExplicitAny: the bodies of four foreign interfaces, of which a few fields are read.
export type Body = any;

/** The text of a content, or its JSON where a part is no text. */
const toText = (content: Body): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return content.map((part) => part.text ?? JSON.stringify(part)).join('\n');
};

const usage = { input_tokens: 1, output_tokens: 1 };

const messages: Wire = {
  matches: (path) => path.endsWith('/messages'),
  read: ({ tools = [], messages: said = [] }) => {
    const parts = said.flatMap(({ content }: Body) => (Array.isArray(content) ? content : []));
    const results = parts.filter(({ type }: Body) => type === 'tool_result');
    return {
      tools: tools.map(({ name }: Body) => ({ name })),
      calls: parts
        .filter(({ type }: Body) => type === 'tool_use')
        .map(({ id, name }: Body) => {
          const found = results.find((result: Body) => result.tool_use_id === id);
          return { name, result: found && toText(found.content) };
        }),
    };
  },
  reply: (turn, id) => {
    const isCall = 'tool' in turn;
    const stop_reason = isCall ? 'tool_use' : 'end_turn';
    const message = { id, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null, usage };
    const block = isCall
      ? { type: 'tool_use', id: turn.id, name: turn.tool.name, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.args) }
      : { type: 'text_delta', text: turn.text };
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ].map((data) => [data.type, data]);
  },
};

const completions: Wire = {
  matches: (path) => path.endsWith('/chat/completions'),
  read: ({ tools = [], messages: said = [] }) => ({
    tools: tools.map((tool: Body) => ({ name: tool.function.name })),
    calls: said
      .flatMap((message: Body) => message.tool_calls ?? [])
      .map((call: Body) => {
        const found = said.find(({ tool_call_id }: Body) => tool_call_id === call.id);
        return { name: call.function.name, result: found && toText(found.content) };
      }),
  }),
  reply: (turn, id) => {
    const chunk = (delta: object, finish_reason: string | null = null): StreamEvent => [
      undefined,
      {
        id,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, delta, finish_reason }],
      },
    ];
    const called = 'tool' in turn && {
      index: 0,
      id: turn.id,
      type: 'function',
      function: { name: turn.tool.name, arguments: JSON.stringify(turn.args) },
    };
    return [
      chunk({ role: 'assistant', content: '' }),
      chunk(called ? { tool_calls: [called] } : { content: (turn as { text: string }).text }),
      chunk({}, called ? 'tool_calls' : 'stop'),
      [undefined, '[DONE]'],
    ];
  },
};

const responses: Wire = {
  matches: (path) => path.endsWith('/responses'),
  read: ({ tools = [], input = [] }) => {
    const found = input.flatMap((item: Body) => (item.type === 'tool_search_output' ? (item.tools ?? []) : []));
    const flatten = (tool: Body, group?: string): Tool[] =>
      tool.type === 'namespace'
        ? tool.tools.flatMap((inner: Body) => flatten(inner, tool.name))
        : [{ name: tool.name ?? tool.type, group }];
    return {
      tools: [...tools, ...found].flatMap((tool: Body) => flatten(tool)),
      calls: input
        .filter(({ type }: Body) => type === 'function_call' || type === 'tool_search_call')
        .map(({ call_id, name, type }: Body) => {
          const answer = input.find((item: Body) => item.call_id === call_id && item.type.endsWith('_output'));
          return { name: name ?? type, result: answer && toText(answer.output ?? answer.tools) };
        }),
    };
  },
  reply: (turn, id) => {
    const item = describeItem(turn, id);
    const response = { id, object: 'response', created_at: 1, model: 'scripted', output: [item], error: null };
    const total = { ...usage, total_tokens: 2, input_tokens_details: { cached_tokens: 0 } };
    return [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      ...('text' in turn
        ? [
            {
              type: 'response.output_text.delta',
              item_id: item.id,
              output_index: 0,
              content_index: 0,
              delta: turn.text,
            },
          ]
        : []),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', usage: total } },
    ].map((data) => [data.type, data]);
  },
};

function describeItem(turn: Turn, id: string) {
  const common = { id: `item_${id}`, status: 'completed' };
  if ('text' in turn) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
    return { ...common, type: 'message', role: 'assistant', content };
  }
  const { tool, args, id: call_id } = turn;
  if (tool.name === 'tool_search')
    return { ...common, type: 'tool_search_call', call_id, execution: 'client', arguments: args };
  const namespace = tool.group === undefined ? {} : { namespace: tool.group };
  return { ...common, ...namespace, type: 'function_call', call_id, name: tool.name, arguments: JSON.stringify(args) };
}

const generateContent: Wire = {
  matches: (path) => /:(?:stream)?generateContent$/i.test(path),
  read: ({ tools = [], contents = [] }) => {
    const parts = contents.flatMap(({ parts: inner = [] }: Body) => inner);
    const results = parts.filter((part: Body) => part.functionResponse);
    return {
      tools: tools.flatMap(({ functionDeclarations = [] }: Body) => functionDeclarations),
      calls: parts
        .filter((part: Body) => part.functionCall)
        .map(({ functionCall: { id, name } }: Body, index: number) => {
          const found = results.find((part: Body) => part.functionResponse.id === id) ?? results[index];
          const response = found?.functionResponse.response;
          return { name, result: response && toText(response.output ?? response.error ?? response) };
        }),
    };
  },
  reply: (turn, id) => {
    const part =
      'tool' in turn
        ? { functionCall: { id: turn.id, name: turn.tool.name, args: turn.args }, thoughtSignature: 'c2NyaXB0' }
        : { text: turn.text };
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [[undefined, { candidates: [candidate], usageMetadata, modelVersion: 'scripted', responseId: id }]];
  },
};

export const wires: readonly Wire[] = [messages, completions, responses, generateContent];
