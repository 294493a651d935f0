/** Reads a request's body as JSON within bounds. */
import type { IncomingMessage } from 'node:http';
import { isWithin } from '../text/json-shape.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { HttpServerLimits } from './http-limits.ts';

export type Body = { readonly bytes: Buffer } | { readonly refused: HttpErrorResponse };
export type Json = { readonly json: unknown } | { readonly refused: HttpErrorResponse };

/**
 * Reads the body of a request. Rejects when the client disconnects early, or is closed because too many bytes are held
 * for all clients.
 */
export async function readBody(request: IncomingMessage, mostBytes: number, held: HeldBytes): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return { refused: refusals.tooLarge };
  const pieces: Buffer[] = [];
  let bytes = 0;
  held.hold(request.socket, 0);
  // Not `for await`: leaving the loop early would close the connection before the client can read the error.
  const isComplete = await new Promise<boolean>((resolve, reject) => {
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostBytes) return resolve(false);
      pieces.push(piece);
      held.hold(request.socket, bytes);
    });
    request.once('end', () => resolve(true));
    request.once('close', () => reject(new Error('The client disconnected.')));
    request.once('error', reject);
  }).finally(() => held.release(request.socket));
  return isComplete ? { bytes: Buffer.concat(pieces) } : { refused: refusals.tooLarge };
}

export function parseJson(bytes: Buffer, { jsonDepth, jsonValues }: HttpServerLimits): Json {
  if (!isWithin(bytes, { maxDepth: jsonDepth, maxValues: jsonValues })) return { refused: refusals.tooComplex };
  try {
    return { json: JSON.parse(bytes.toString('utf8')) };
  } catch {
    // JSON.parse throws for invalid JSON only.
    return { refused: refusals.notJson };
  }
}
