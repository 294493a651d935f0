/** A small MCP client over standard input and output, sufficient to run a session against our own server. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseResponseText } from '../core/mcp/tool-result.ts';

export interface ToolResponse {
  readonly isError: boolean;
  readonly body: Record<string, unknown>;
}

export interface StdioClient {
  readonly server: { readonly name: string; readonly version: string; readonly protocolVersion: string };
  /** Process id of the server. */
  readonly pid: number | undefined;
  listTools(): Promise<readonly { name: string }[]>;
  call(name: string, args: Record<string, unknown>, onProgress?: (message: string) => void): Promise<ToolResponse>;
  close(): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  params?: { progressToken?: number; message?: string };
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request, which the caller knows.
  result?: any;
  error?: { message: string };
}

export async function connectStdio(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<StdioClient> {
  const child: ChildProcessWithoutNullStreams = spawn(command, args, { env: { ...env }, stdio: 'pipe' });
  const waiting = new Map<
    number,
    { resolve: (message: Message) => void; onProgress?: ((text: string) => void) | undefined }
  >();
  let lastId = 0;
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-2_000);
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method === 'notifications/progress')
      waiting.get(message.params?.progressToken ?? -1)?.onProgress?.(message.params?.message ?? '');
    else if (message.id !== undefined) waiting.get(message.id)?.resolve(message);
  });

  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = async (method: string, params: object, onProgress?: (text: string) => void) => {
    const id = ++lastId;
    const answered = new Promise<Message>((resolve) => waiting.set(id, { resolve, onProgress }));
    write({ id, method, params: onProgress ? { ...params, _meta: { progressToken: id } } : params });
    const message = await Promise.race([answered, ended.then(() => undefined)]);
    waiting.delete(id);
    if (!message) throw new Error(`The server ended. ${complaints.trim()}`);
    if (message.error) throw new Error(message.error.message);
    return message.result;
  };

  const hello = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'brokerage-mcp-demo', version: '1' },
  });
  write({ method: 'notifications/initialized' });
  return {
    server: { ...hello.serverInfo, protocolVersion: hello.protocolVersion },
    pid: child.pid,
    listTools: async () => (await request('tools/list', {})).tools,
    call: async (name, callArgs, onProgress) => {
      const result = await request('tools/call', { name, arguments: callArgs }, onProgress);
      return { isError: result.isError === true, body: parseResponseText(result.content[0].text) };
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
