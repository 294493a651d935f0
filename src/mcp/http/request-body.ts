/** A request's body, as JSON and within bounds. */
import type { IncomingMessage } from 'node:http';
import { isWithin } from '../json-shape.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { HttpServerLimits } from './http-limits.ts';

export type Body = { readonly bytes: Buffer } | { readonly refused: HttpErrorResponse };
export type Json = { readonly json: unknown } | { readonly refused: HttpErrorResponse };

/** Rejects when the client goes away in the middle, or is closed because too much is held for all clients. */
export async function readBody(request: IncomingMessage, mostBytes: number, held: HeldBytes): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return { refused: refusals.tooLarge };
  const pieces: Buffer[] = [];
  let bytes = 0;
  held.hold(request.socket, 0);
  // Not for await: leaving that early would close the connection, and the client would not read why.
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
    return { refused: refusals.notJson };
  }
}
