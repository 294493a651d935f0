/** The product's own HTTP wiring in a test: on loopback, on any free port, with clients of every generation. */
import { connect as connectSocket } from 'node:net';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { bearerToken, owner } from '../../src/core/http/access-guards.ts';
import type { HttpServerLimits } from '../../src/core/http/http-limits.ts';
import { type HttpServer, startHttp } from '../../src/core/http/http-server.ts';
import { buildServer, type McpServerDeps } from '../../src/core/mcp/mcp-server.ts';
import { listing } from './setup.ts';
import { createTestConfig } from './test-config.ts';

export const token = 'a-token-for-tests-0123456789abcdef';

const config = createTestConfig('/dev/null/nowhere');

/** Parts that return immediately and touch nothing, for tests of the wire only. */
const idleParts: Omit<McpServerDeps, 'listing'> = {
  config,
  version: '0.0.0-test',
  run: async () => ({ isError: false, text: '{}', body: {} as never }),
  extend: () => undefined,
};

export interface OverHttpOptions {
  readonly parts?: Partial<McpServerDeps> | undefined;
  /** Adds tools of the test to every server that is built: the fixtures of a conformance run, or a slow call. */
  readonly overlay?: (server: McpServer) => void;
  /** Admits every client, for programs that can send no token. */
  readonly open?: boolean;
  readonly port?: number;
  readonly hosts?: readonly string[];
  readonly clock?: Clock;
  readonly limits?: Partial<HttpServerLimits>;
  readonly metrics?: () => Promise<string>;
  readonly atEnd?: (work: () => Promise<void>) => void;
}

export interface OverHttp {
  readonly server: HttpServer;
  readonly url: URL;
  readonly port: number;
}

export async function serveOverHttp(options: OverHttpOptions = {}): Promise<OverHttp> {
  const parts = { ...idleParts, listing: await listing(), ...options.parts };
  const server = await startHttp({
    host: '127.0.0.1',
    port: options.port ?? 0,
    hosts: options.hosts ?? [],
    authorize: options.open ? () => owner : bearerToken(token),
    buildServer: () => {
      const built = buildServer(parts);
      options.overlay?.(built);
      return built;
    },
    changes: parts.changes,
    clock: options.clock ?? systemClock,
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.metrics ? { metrics: options.metrics } : {}),
  });
  (options.atEnd ?? onTestFinished)(() => server.close());
  const url = new URL(`${server.origin}/mcp`);
  return { server, url, port: Number(url.port) };
}

export interface ConnectOptions {
  readonly token?: string;
  /** Submits forms; left out, the client can show none. */
  readonly onForm?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
}

export type Connect = (url: URL, options?: ConnectOptions) => Promise<Client>;

const headersOf = (options: ConnectOptions) => ({
  requestInit: { headers: { authorization: `Bearer ${options.token ?? token}` } },
});

const currentClient =
  (mode: 'auto' | 'legacy'): Connect =>
  async (url, options = {}) => {
    const { onForm } = options;
    const client = new Client({ name: 'test', version: '1' }, {
      versionNegotiation: { mode },
      ...(onForm ? { capabilities: { elicitation: {} } } : {}),
    } as ClientOptions);
    if (onForm) client.setRequestHandler('elicitation/create', async ({ params }) => onForm(params.message));
    await client.connect(new StreamableHTTPClientTransport(url, headersOf(options)));
    onTestFinished(() => client.close().catch(() => undefined));
    return client;
  };

const olderClient: Connect = async (url, options = {}) => {
  const { onForm } = options;
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const client = new OlderClient({ name: 'test', version: '1' }, onForm ? { capabilities: { elicitation: {} } } : {});
  if (onForm) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => onForm(params.message));
  await client.connect(new OlderTransport(url, headersOf(options)) as never);
  onTestFinished(() => client.close().catch(() => undefined));
  return client as unknown as Client;
};

/** Every generation of client, by real packages. */
export const clients: readonly (readonly [string, Connect])[] = [
  ['a client of 2026-07-28', currentClient('auto')],
  ['a client of 2025-11-25', currentClient('legacy')],
  ['a client of the older SDK', olderClient],
];

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes bytes unchanged and reads until the other side closes. `pieces` are written one after the other; a number is a
 * pause in milliseconds, and a negative one ends our side.
 */
export function sendRaw(port: number, ...pieces: (string | Buffer | number)[]): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(parse(text)));
    const write = async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        if (typeof piece === 'number') await (piece < 0 ? socket.end() : systemClock.sleep(piece));
        else if (socket.writable) socket.write(piece);
      }
    };
    socket.on('connect', () => void write());
  });
}

/** A request as text; the connection ends with its response. */
export function rawRequest(
  line: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body = '',
): string {
  const all = {
    connection: 'close',
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function parse(text: string): RawAnswer {
  const at = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = (at < 0 ? text : text.slice(0, at)).split('\r\n');
  const headers = lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
  const body = at < 0 ? '' : text.slice(at + 4);
  const isChunked = lines.some((line) => /^transfer-encoding: chunked$/i.test(line));
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: isChunked ? joinChunks(body) : body,
  };
}

function joinChunks(text: string): string {
  const [, size = '0'] = /^([0-9a-f]+)\r\n/i.exec(text) ?? [];
  const start = size.length + 2;
  const end = start + Number.parseInt(size, 16);
  return end === start ? '' : text.slice(start, end) + joinChunks(text.slice(end + 2));
}
