/** The bodies that are read: how large, how deep, and what is held while they arrive. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { refusals } from '../../../src/core/http/error-responses.ts';
import { defaultLimits } from '../../../src/core/http/http-limits.ts';
import { parseJson, readBody } from '../../../src/core/http/request-body.ts';

/** A request whose body arrives in pieces, with the bytes that were held after each; `released` at its end. */
async function read(pieces: readonly string[], mostBytes: number, headers: Record<string, string> = {}) {
  const request = Object.assign(new PassThrough(), { headers, headersDistinct: {}, socket: {} });
  const held: (number | 'released')[] = [];
  const body = readBody(request as unknown as IncomingMessage, mostBytes, {
    hold: (_, bytes) => void held.push(bytes),
    release: () => void held.push('released'),
    closeOldest: () => false,
  });
  for (const piece of pieces) request.write(piece);
  request.end();
  const found = await body;
  return { found: 'bytes' in found ? found.bytes.toString() : found, held };
}

test('a body of the largest size is read, and its bytes are held until then', async () => {
  expect(await read(['{"a"', ':"\u00e9"}'], 10)).toEqual({ found: '{"a":"\u00e9"}', held: [0, 4, 10, 'released'] });
});

test('a body that becomes too large is refused, and nothing more is held', async () => {
  expect(await read(['12345', '67890', '1'], 10)).toEqual({
    found: { refused: refusals.tooLarge },
    held: [0, 5, 10, 'released'],
  });
});

test('a body whose header says that it is too large is refused unread', async () => {
  const refused = { found: { refused: refusals.tooLarge }, held: [] };
  expect(await read(['1'], 10, { 'content-length': '11' })).toEqual(refused);
  expect((await read(['1'], 10, { 'content-length': '10' })).found).toBe('1');
});

test('the body of a client that disconnects is not read to its end', async () => {
  const request = Object.assign(new PassThrough(), { headers: {}, socket: {} });
  const held = { hold: () => undefined, release: () => undefined, closeOldest: () => false };
  const body = readBody(request as unknown as IncomingMessage, 10, held);
  request.destroy(new Error('ECONNRESET'));
  await expect(body).rejects.toThrow('ECONNRESET');
});

test.each([
  ['[[1,2,3]]', { json: [[1, 2, 3]] }],
  ['[[[1]]]', { refused: refusals.tooComplex }],
  ['[1,2,3,4,5]', { refused: refusals.tooComplex }],
  ['[1', { refused: refusals.notJson }],
])('of two levels and five values at most, %s is read or refused', (text, expected) => {
  expect(parseJson(Buffer.from(text), { ...defaultLimits, jsonDepth: 2, jsonValues: 5 })).toEqual(expected);
});
