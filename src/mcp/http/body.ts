/** A request's body, as JSON and within bounds. */
import type { IncomingMessage } from 'node:http';
import { type Refusal, refusals } from './refusals.ts';

export type Body = { readonly json: unknown } | { readonly refused: Refusal };

/** Rejects when the client goes away in the middle. */
export async function readJson(request: IncomingMessage, mostBytes: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return { refused: refusals.tooLarge };
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Not for await: leaving that early would close the connection, and the client would not read why.
  const isWhole = await new Promise<boolean>((resolve, reject) => {
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostBytes) resolve(false);
      else pieces.push(piece);
    });
    request.once('end', () => resolve(true));
    request.once('close', () => reject(new Error('The client went away.')));
    request.once('error', reject);
  });
  if (!isWhole) return { refused: refusals.tooLarge };
  try {
    return { json: JSON.parse(Buffer.concat(pieces).toString('utf8')) };
  } catch {
    return { refused: refusals.notJson };
  }
}
