import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { countOf } from '../../core/text/count-of.ts';
import { type DoctorContext, type Finding, fault, ok, warning } from './context.ts';

const timeoutMs = 6_000;
/** Warn above this time (ms): one host times out after ten seconds and starts several servers at once. */
const slowMs = 4_000;
/** Average for names, sentences and JSON Schema as used here; a test compares it with a real tokenizer. */
const charactersPerToken = 4.4;

/** Starts this program as a host does, with both handshakes that hosts use, and lists the tools. */
export async function checkHandshakes(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const revision of revisions) found.push(await checkOne(context, revision, signal));
  return found;
}

async function checkOne(context: DoctorContext, revision: Revision, signal: AbortSignal): Promise<Finding> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.round(timeoutMs * context.timeScale))]);
  const way = `${revision} (${revision === '2025-11-25' ? 'initialize' : 'server/discover'})`;
  try {
    return judge(way, await performHandshake(toChildCommand(context), revision, inTime));
  } catch (error) {
    return fault(
      `${way}: ${(error as Error).message}.`,
      'Start it by hand and read its output: brokerage-mcp --env sandbox; then reinstall it.',
    );
  }
}

/**
 * Starts a server with the tools of this configuration only, without key and store. With the real ones, it would
 * continue the open orders of an earlier server.
 */
function toChildCommand({ terminal, config }: DoctorContext) {
  const nowhere = join(tmpdir(), `brokerage-mcp-doctor-${randomBytes(8).toString('hex')}`);
  const env = Object.entries(terminal.env).filter(([name]) => !name.startsWith('BROKER_'));
  const args = ['--env', config?.environment ?? 'sandbox', '--state-dir', nowhere];
  if (config) args.push('--toolsets', config.toolsets.join(','), ...(config.readOnly ? ['--read-only'] : []));
  return {
    command: terminal.self.command,
    args: [...terminal.self.args, ...args],
    env: { ...Object.fromEntries(env), BROKER_CONFIG_DIR: nowhere },
  };
}

function judge(way: string, { tools, listedMs, strayLines }: HandshakeResult): Finding {
  if (strayLines > 0)
    return fault(
      `${way}: standard output carries ${countOf(strayLines, 'line')} outside the protocol, which MCP hosts cannot read.`,
      'Find what writes them (NODE_OPTIONS, a wrapper around node) and redirect it to standard error.',
    );
  const seen = JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  const says = `${way}: ${countOf(tools.length, 'tool')}, listed ${Math.round(listedMs)} ms after the start, about ${Math.round(seen.length / charactersPerToken)} tokens (one for ${charactersPerToken} characters).`;
  if (listedMs < slowMs) return ok(says);
  return warning(
    `${says} That is slow: some hosts give up after ten seconds.`,
    'Configure the host to start the installed file with node instead of npx, and check what else keeps the machine busy.',
  );
}

// Starts this program as a host does: a child process, one handshake, one tools/list.

const revisions = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof revisions)[number];

interface HandshakeResult {
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
function performHandshake(
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
