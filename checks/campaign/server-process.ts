/** One real server process, driven by hand over its standard input and output: nothing is repeated or hidden. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import { findSecrets, findSecretsOfProcess, type Secrets } from './secrets.ts';

/** The result of a call. `outcome` is the tool's own outcome, or `error:CODE`, `no_answer`, `ended`. */
export interface Said {
  readonly outcome: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly said: Promise<Said>;
  /** As a host does when its user cancels. */
  cancel(): void;
}

export type FormAnswer = (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: object };

export interface ServerOptions {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
  /** Declares that forms can be shown, and submits them. */
  readonly form?: FormAnswer | undefined;
  /** A shell line that runs instead of node itself; it gets the command as "$@". */
  readonly shell?: string | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
}

export interface ServerProcess {
  readonly pid: number;
  call(name: string, args: object): Call;
  kill(): void;
  /** Stops it where it is, as a computer does that sleeps, until `resume`. */
  suspend(): void;
  resume(): void;
  endInput(): void;
  /** Ends it as a host does, by force when it does not end. */
  close(): Promise<void>;
  readonly ended: Promise<number | null>;
  /** Secrets in its output so far, or in what other users see of it. */
  leaks(): string[];
  readonly stderr: () => string;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the method.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request.
  readonly result?: any;
  readonly error?: { readonly message: string };
}

const longestCallMs = 70_000;
const longestEndMs = 6_000;

export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const command = [process.execPath, options.file];
  const [program = '', ...args] = options.shell ? ['bash', '-c', options.shell, 'bash', ...command] : command;
  const child: ChildProcessWithoutNullStreams = spawn(program, args, { env: { ...options.env }, stdio: 'pipe' });
  const pid = child.pid;
  if (pid === undefined) throw new Error('The server could not be started.');
  let out = '';
  let err = '';
  const seen = new Set<string>();
  const waiting = new Map<number, (message: Message | undefined) => void>();
  let lastId = 0;

  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString('latin1');
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      for (const tell of waiting.values()) tell(undefined);
      resolve(code);
    }),
  );
  const write = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    out += `${line}\n`;
    const message = JSON.parse(line) as Message;
    if (message.method === 'elicitation/create') {
      const result = options.form?.(String(message.params?.message)) ?? { action: 'cancel' };
      write({ id: message.id, result });
    } else if (message.method === 'notifications/progress') options.onProgress?.(String(message.params?.message));
    else if (typeof message.id === 'number') waiting.get(message.id)?.(message);
  });

  const request = (method: string, params: object) => {
    const id = ++lastId;
    const answered = new Promise<Message | undefined>((resolve) => {
      const timer = setTimeout(() => resolve({ error: { message: 'no_answer' } }), longestCallMs);
      waiting.set(id, (message) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(message);
      });
    });
    write({ id, method, params: options.onProgress ? { ...params, _meta: { progressToken: id } } : params });
    return { id, answered };
  };

  const hello = request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: options.form ? { elicitation: {} } : {},
    clientInfo: { name: 'campaign', version: '1' },
  });
  const welcome = await hello.answered;
  if (!welcome?.result) throw new Error(`The server did not start: ${err}`);
  write({ method: 'notifications/initialized' });
  const look = () => {
    for (const found of findSecretsOfProcess(pid, options.secrets)) seen.add(found);
  };
  look();

  return {
    pid,
    ended,
    stderr: () => err,
    call: (name, callArgs) => {
      const { id, answered } = request('tools/call', { name, arguments: callArgs });
      let giveUp = () => undefined as undefined;
      const cancelled = new Promise<undefined>((resolve) => {
        giveUp = () => {
          resolve(undefined);
          return undefined;
        };
      });
      return {
        said: Promise.race([
          answered.then((message) => whatWasSaid(message)),
          // A cancelled request has no response.
          cancelled.then(() => ({ outcome: 'cancelled', body: {} })),
        ]),
        cancel: () => {
          write({ method: 'notifications/cancelled', params: { requestId: id, reason: 'campaign' } });
          giveUp();
        },
      };
    },
    kill: () => void child.kill('SIGKILL'),
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    endInput: () => void child.stdin.end(),
    close: async () => {
      look();
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), longestEndMs);
      await ended;
      clearTimeout(timer);
    },
    leaks: () => {
      for (const found of findSecrets(out, options.secrets)) seen.add(`${found} on standard output`);
      for (const found of findSecrets(err, options.secrets)) seen.add(`${found} on standard error`);
      return [...seen];
    },
  };
}

function whatWasSaid(message: Message | undefined): Said {
  if (!message) return { outcome: 'ended', body: {} };
  if (message.error)
    return {
      outcome: message.error.message === 'no_answer' ? 'no_answer' : 'error:protocol',
      body: { ...message.error },
    };
  const body = parseResponseText(message.result.content[0].text);
  if (message.result.isError) return { outcome: `error:${body.code}`, body };
  return { outcome: String(body.outcome ?? 'read'), body };
}
