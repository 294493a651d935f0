/** Answers that are not the SDK's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { drain } from './body.ts';
import { type Refusal, refusalBody } from './refusals.ts';
import { safetyHeaders } from './web.ts';

export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...safetyHeaders, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Says no. A body that is still on its way is read to a bound first, and the connection ends with it. */
export async function refuse(request: IncomingMessage, response: ServerResponse, refused: Refusal): Promise<void> {
  const text = refusalBody(refused);
  const isMore = !request.complete && hasBody(request);
  response.writeHead(refused.status, {
    ...safetyHeaders,
    ...refused.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(isMore ? { connection: 'close' } : {}),
  });
  if (isMore) {
    response.write(text);
    await drain(request);
    response.end();
  } else response.end(text);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** What is no HTTP, too long or too slow never becomes a request. */
export function refuseBroken(
  error: Error & { code?: string },
  socket: Duplex,
  latest: ServerResponse | undefined,
): void {
  // In the middle of an answer a second one would only be taken for a part of it.
  const isAnswering = latest?.headersSent === true && !latest.writableFinished;
  if (!socket.writable || isAnswering) return void socket.destroy();
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request';
  const headers = Object.entries({ ...safetyHeaders, connection: 'close', 'content-length': '0' });
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, () =>
    socket.destroy(),
  );
}
