/** Converts between node:http and the web Request and Response types that the SDK uses. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { orElse } from '../log.ts';
import { type HttpErrorResponse, refusalBody } from './error-responses.ts';
import type { HeldBytes } from './request-body.ts';

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
const safetyHeaders = {
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Writes a response, and resolves when it is sent or the client has disconnected. A response that takes long becomes a
 * stream before its body is ready, because proxies cut a silent connection.
 */
export async function writeResponse(
  answer: Promise<Response>,
  response: ServerResponse,
  {
    signOfLifeMs,
    takesStream,
    held,
  }: {
    readonly signOfLifeMs: number;
    readonly takesStream: boolean;
    readonly held: HeldBytes;
  },
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

// Error responses that the SDK does not write.

export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...safetyHeaders, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Sends a refusal. The rest of the body is discarded as it arrives, for as long as a request may take. */
export function sendError(response: ServerResponse, refused: HttpErrorResponse): void {
  const headers = Object.entries(refused.headers ?? {});
  for (const [name, value] of headers) response.setHeader(name, value);
  sendText(response, refused.status, 'application/json', refusalBody(refused));
}

/** Sends the error for input that never becomes a request: malformed, too long or too slow. */
export function sendMalformedRequest(
  error: Error & { code?: string },
  socket: Duplex,
  latest: ServerResponse | undefined,
): void {
  // In the middle of a response, the client would read a second one as part of the first.
  const isAnswering = latest?.headersSent === true && !latest.writableFinished;
  if (!socket.writable || isAnswering) return void socket.destroy();
  socket.end(malformedRequestResponse(error, safetyHeaders), () => socket.destroy());
}

/** The response to bytes that are not an HTTP request, for the two small servers of this program. */

/** Returns a complete HTTP response as text, after which the caller closes the connection. */
export function malformedRequestResponse(error: { readonly code?: string }, headers: Readonly<Record<string, string>>) {
  const status = statuses.get(error.code) ?? '400 Bad Request';
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': '0' });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

const statuses = new Map<string | undefined, string>([
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
]);
