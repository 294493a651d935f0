/** Answers that are not the SDK's. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { malformedRequestResponse } from '../../http/malformed-request.ts';
import { type HttpErrorResponse, refusalBody } from './error-responses.ts';
import { safetyHeaders } from './web-adapter.ts';

export function sendText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...safetyHeaders, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Says no. What is still on its way of the body is thrown away as it comes, for as long as a request may take. */
export function sendError(response: ServerResponse, refused: HttpErrorResponse): void {
  const headers = Object.entries(refused.headers ?? {});
  for (const [name, value] of headers) response.setHeader(name, value);
  sendText(response, refused.status, 'application/json', refusalBody(refused));
}

/** What is no HTTP, too long or too slow never becomes a request. */
export function sendMalformedRequest(
  error: Error & { code?: string },
  socket: Duplex,
  latest: ServerResponse | undefined,
): void {
  // In the middle of an answer a second one would only be taken for a part of it.
  const isAnswering = latest?.headersSent === true && !latest.writableFinished;
  if (!socket.writable || isAnswering) return void socket.destroy();
  socket.end(malformedRequestResponse(error, safetyHeaders), () => socket.destroy());
}
