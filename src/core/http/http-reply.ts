/** Error responses that the SDK does not write. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpErrorResponse, refusalBody } from './error-responses.ts';
import { malformedRequestResponse } from './malformed-request.ts';
import { safetyHeaders } from './web-adapter.ts';

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
