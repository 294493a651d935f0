/** Converts between node:http and the web Request and Response types that the SDK uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { orElse } from '../log.ts';
import type { HeldBytes } from './held-bytes.ts';

/** Converts a request without its body, which has been read already. Throws for an invalid header. */
export function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct))
    for (const value of values) headers.append(name, value);
  // A fixed address: the one that the client sent has no use here.
  return new Request('http://localhost/mcp', { method: request.method ?? 'GET', headers, signal });
}

const streamType = 'text/event-stream';
const keepAliveComment = ': still here\n\n';

/** On every response: prevents caching and type sniffing, because the response is for this client only. */
export const safetyHeaders = {
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
} as const;

export interface SendOptions {
  readonly signOfLifeMs: number;
  readonly takesStream: boolean;
  readonly held: HeldBytes;
}

/**
 * Writes a response, and resolves when it is sent or the client has disconnected. A response that takes long becomes a
 * stream before its body is ready, because proxies cut a silent connection.
 */
export async function writeResponse(
  answer: Promise<Response>,
  response: ServerResponse,
  { signOfLifeMs, takesStream, held }: SendOptions,
): Promise<void> {
  const { socket } = response.req;
  const begin = (status: number, headers: Readonly<Record<string, string>>) => {
    if (!response.headersSent && !response.destroyed) response.writeHead(status, { ...headers, ...safetyHeaders });
  };
  const sendKeepAlive = () => {
    // Asks proxies not to buffer the stream.
    begin(200, { 'content-type': streamType, 'x-accel-buffering': 'no' });
    if (!response.destroyed) response.write(keepAliveComment);
  };
  const waiting = takesStream ? setInterval(sendKeepAlive, signOfLifeMs) : undefined;
  const found = await answer.finally(() => clearInterval(waiting));
  if (response.destroyed) return void found.body?.cancel();
  response.once('close', () => held.release(socket));
  // The connection header is decided by this server, not by the SDK.
  const { connection: _, ...headers } = Object.fromEntries(found.headers);
  if (headers['content-type'] === streamType && found.body) {
    begin(found.status, headers);
    response.flushHeaders();
    await pipe(found.body, response, held);
    response.end();
  } else {
    const text = await found.text();
    const isStream = response.headersSent;
    begin(found.status, { ...headers, 'content-length': String(Buffer.byteLength(text)) });
    response.end(isStream && text !== '' ? `event: message\ndata: ${text}\n\n` : text);
  }
  if (response.writableLength > 0) held.hold(socket, response.writableLength);
}

/** Stops when the client disconnects too; cancelling the body informs the SDK. */
async function pipe(body: ReadableStream<Uint8Array>, response: ServerResponse, held: HeldBytes): Promise<void> {
  const { socket } = response.req;
  const reader = body.getReader();
  const gone = new Promise<void>((resolve) =>
    response.once('close', () => {
      void reader.cancel().catch(orElse('a request', undefined));
      resolve();
    }),
  );
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) return;
    if (response.write(value)) continue;
    held.hold(socket, response.writableLength);
    await Promise.race([new Promise((resolve) => response.once('drain', resolve)), gone]);
    held.release(socket);
  }
}
