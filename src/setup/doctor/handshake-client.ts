/** Starts this program as a host does: a child process, one handshake, one tools/list. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface HandshakeResult {
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: object }[];
  /** Milliseconds from the start of the process to the response of tools/list. */
  readonly listedMs: number;
  /** Lines on standard output that are not protocol messages; they break hosts. */
  readonly strayLines: number;
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly tools?: HandshakeResult['tools'] };
  readonly error?: { readonly message?: string };
}

const clientInfo = { name: 'brokerage-mcp-doctor', version: '1' };

/** The messages before tools/list, and the metadata of every request. */
const hellos = {
  '2025-11-25': {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    after: [{ method: 'notifications/initialized' }],
    listParams: {},
  },
  '2026-07-28': (() => {
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    return { method: 'server/discover', params, after: [], listParams: params };
  })(),
} as const satisfies Record<Revision, object>;

/**
 * Rejects with a sentence when the child exits, returns an error, or `signal` aborts first. The child has ended
 * afterwards.
 */
export function performHandshake(
  start: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
  },
  revision: Revision,
  signal: AbortSignal,
): Promise<HandshakeResult> {
  const startedAt = performance.now();
  const child: ChildProcessWithoutNullStreams = spawn(start.command, start.args, { env: start.env, stdio: 'pipe' });
  const hello = hellos[revision];
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let strayLines = 0;
  let complaint = '';

  const listed = new Promise<HandshakeResult>((resolve, reject) => {
    const give = (why: string) => reject(new Error(why));
    signal.addEventListener('abort', () => give('The program did not respond in time'), { once: true });
    child.once('error', (error) => give(`The program could not be started (${(error as NodeJS.ErrnoException).code})`));
    child.once('close', (code) =>
      give(`The program exited with ${code} before it responded${complaint && `: ${complaint}`}`),
    );
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      // The first line is the error message; a stack may follow.
      complaint ||= chunk.toString().trim().split('\n')[0] ?? '';
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = parse(line);
      if (!message) strayLines++;
      else if (message.error) give(`The program returned an error: ${message.error.message}`);
      else if (message.id === 1) for (const next of [...hello.after, list]) write(next);
      else if (message.id === 2)
        resolve({ tools: message.result?.tools ?? [], listedMs: performance.now() - startedAt, strayLines });
    });
    const list = { id: 2, method: 'tools/list', params: hello.listParams };
    write({ id: 1, method: hello.method, params: hello.params });
  });
  // The child holds no state that it would need to save.
  return listed.finally(() => child.kill('SIGKILL'));
}

function parse(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null && 'jsonrpc' in message ? (message as Message) : undefined;
  } catch {
    // The line is no JSON, so it is no message.
    return undefined;
  }
}
