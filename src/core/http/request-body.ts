/** Reads a request's body as JSON within bounds. */

import type { IncomingMessage } from 'node:http';
import { isWithin } from '../text/json.ts';
import { type HttpErrorResponse, refusals } from './error-responses.ts';
import type { HttpServerLimits } from './http-limits.ts';

type Body = { readonly bytes: Buffer } | { readonly refused: HttpErrorResponse };
type Json = { readonly json: unknown } | { readonly refused: HttpErrorResponse };

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

// Tracks the connections whose client keeps the server waiting: it has sent part of a body, or does not read a
// response. The bytes held for all of them together are bounded.

export type ClientConnection = IncomingMessage['socket'];

export interface HeldBytes {
  /**
   * Sets how many bytes are held for a connection. When the sum exceeds the bound, the connection with the most is
   * closed.
   */
  hold(socket: ClientConnection, bytes: number): void;
  release(socket: ClientConnection): void;
  /** Closes the connection that has kept the server waiting for longest. Returns false when there is none. */
  closeOldest(): boolean;
}

export function createHeldBytes(maxBytes: number): HeldBytes {
  // In the order in which they began to wait.
  const held = new Map<ClientConnection, number>();
  let total = 0;

  const release = (socket: ClientConnection) => {
    total -= held.get(socket) ?? 0;
    held.delete(socket);
  };
  const close = (socket: ClientConnection) => {
    release(socket);
    socket.destroy();
  };
  return {
    hold: (socket, bytes) => {
      total += bytes - (held.get(socket) ?? 0);
      held.set(socket, bytes);
      if (total <= maxBytes) return;
      const [largest] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
      close(largest);
    },
    release,
    closeOldest: () => {
      const [oldest] = held.keys();
      if (oldest) close(oldest);
      return oldest !== undefined;
    },
  };
}
