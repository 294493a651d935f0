/** The built program as a host starts it, and a client that speaks to it. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';

export interface Served {
  readonly client: Client;
  /** The body of a result that must not be an error. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  call(name: string, args?: Record<string, unknown>): Promise<any>;
  /** Resolves when the process has ended; its sockets close a moment before. */
  kill(): Promise<void>;
}

export async function startServer(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Served> {
  const client = new Client({ name: 'host', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/brokerage-mcp.cjs', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  await client.connect(transport);
  onTestFinished(() => client.close().catch(() => undefined));
  const ended = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  const kill = async () => {
    process.kill(transport.pid as number, 'SIGKILL');
    await ended;
  };
  return { ...servedBy(client), kill };
}

export const servedBy = (client: Client): Omit<Served, 'kill'> => ({
  client,
  call: async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
    return result.structuredContent;
  },
});
