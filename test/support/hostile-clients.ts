/** Clients that a server must survive, on real sockets. None of them reads more than it must. */
import { connect, type Socket } from 'node:net';

export interface Target {
  readonly port: number;
  readonly token: string;
}

export interface HostileClient {
  /** Sockets that the server has not closed. */
  open(): number;
  close(): void;
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'hostile', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const headersTo = ({ port, token }: Target) => ({
  host: `127.0.0.1:${port}`,
  connection: 'keep-alive',
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

function requestText(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** One POST to /mcp as text. `headers` are added to those of a good request. */
export const post = (target: Target, body: string, headers: Readonly<Record<string, string>> = {}) =>
  requestText('POST /mcp', { ...headersTo(target), ...headers }, body);

/** One request of the stateless generation, as text. */
export function statelessRequest(target: Target, method: string, params: Readonly<Record<string, unknown>> = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return post(target, body, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name });
}

export interface OpenSession {
  /**
   * Sends one message of the session on a connection of its own and resolves with its status when the headers have
   * arrived.
   */
  send(message: object): Promise<number>;
  /** Opens the session's GET stream. */
  listen(): Promise<number>;
}

/**
 * Begins a session of 2025-11-25. Its sockets are added to `sockets`; nothing but the first bytes of a response is
 * read.
 */
export async function openSession(target: Target, sockets: Socket[]): Promise<OpenSession> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hostile', version: '1' } };
  const first = await exchange(
    target,
    sockets,
    post(target, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })),
  );
  const id = /mcp-session-id: (\S+)/i.exec(first)?.[1] ?? '';
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  const statusOf = (text: string) => Number(text.split(' ')[1] ?? 0);
  return {
    send: async (message) => statusOf(await exchange(target, sockets, post(target, JSON.stringify(message), headers))),
    listen: async () =>
      statusOf(await exchange(target, sockets, requestText('GET /mcp', { ...headersTo(target), ...headers }))),
  };
}

/**
 * Opens a socket, writes, and resolves with the first bytes received; empty when the server closed it. The socket stays
 * open and unread.
 */
function exchange(target: Target, sockets: Socket[], text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = openSocket(target, text);
    sockets.push(socket);
    socket.once('close', () => resolve(''));
    socket.once('data', (piece: Buffer) => {
      socket.pause();
      resolve(piece.toString('latin1'));
    });
  });
}

function openSocket({ port }: Target, text: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.once('connect', () => text.length > 0 && socket.write(text));
  return socket;
}

export const clientOf = (sockets: readonly Socket[]): HostileClient => ({
  open: () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length,
  close: () => {
    for (const socket of sockets) socket.destroy();
  },
});

const sockets = (count: number, open: (index: number) => Socket) =>
  clientOf(Array.from({ length: count }, (_, i) => open(i)));

/** Silent connections. They notice the end of the connection. */
export const silent = (target: Target, count: number) => sockets(count, () => openSocket(target, '').resume());

/** Requests without the token whose headers do not end. */
export const halfSent = (target: Target, count: number) =>
  sockets(count, () => openSocket(target, `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\nx: `).resume());

/** Requests with the token whose bodies do not end. */
export const halfBodies = (target: Target, count: number, bytes: number) => {
  const head = post(target, '', { 'content-length': String(bytes) });
  return sockets(count, () => openSocket(target, head + ' '.repeat(bytes - 1)).resume());
};

/**
 * Connections with the token that send `each` requests at once and read no response. Resolves when they are sent, or
 * cut.
 */
export async function unread(target: Target, count: number, each: number): Promise<HostileClient> {
  const text = Buffer.from(statelessRequest(target, 'tools/list').repeat(each));
  const made = Array.from({ length: count }, () => openSocket(target, '').pause());
  await Promise.all(made.map((socket) => new Promise<void>((resolve) => socket.write(text, () => resolve()))));
  return clientOf(made);
}

/** Connections with the token that send one body `each` times, one after the other, and read the responses. */
export const repeated = (target: Target, count: number, body: string, each: number) => {
  const text = Buffer.from(post(target, body));
  return sockets(count, () => {
    const socket = openSocket(target, text);
    let sent = 1;
    return socket.on('data', (piece: Buffer) => {
      if (piece.includes('HTTP/1.1 ') && sent++ < each) socket.write(text);
    });
  });
};

/** A body of `bytes` that is nothing but depth. */
export const deepBody = (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);

/** A body of `bytes` that is nothing but small values. */
export const wideBody = (bytes: number) => `[${'{},'.repeat(bytes / 3 - 2)}{}]`;
