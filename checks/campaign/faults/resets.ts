/** The connection breaks. */
import type { Fault } from '../upstream.ts';
import { answerBytes, reset } from '../wire.ts';
import { asText, type Case, lost, single } from './case.ts';

export const resetAfterRead = (books: boolean): Fault => ({
  name: `reset after it was read${books ? ', booked' : ''}`,
  books,
  play: ({ socket }) => reset(socket),
});

const cutAt = (name: string, books: boolean, part: (bytes: Buffer) => Buffer, end: 'reset' | 'end'): Fault => ({
  name: `${name}, then ${end}${books ? ', booked' : ''}`,
  books,
  play: async (scene) => {
    await scene.write(part(answerBytes({ status: 200, body: asText(scene) })));
    if (end === 'reset') reset(scene.socket);
    else scene.socket.end();
  },
});

/** The connection breaks at every point of the request and of the response. */
export function resetCases(): Case[] {
  const head: Fault = {
    name: 'reset before it was read',
    books: false,
    onHead: (socket) => {
      reset(socket);
      return true;
    },
    play: () => undefined,
  };
  const headOf = (bytes: Buffer) => bytes.indexOf('\r\n\r\n') + 4;
  const cases = [single(head, lost)];
  for (const books of [false, true]) {
    cases.push(single(resetAfterRead(books), lost));
    for (const end of ['reset', 'end'] as const) {
      cases.push(
        single(
          cutAt('no byte of the answer', books, () => Buffer.alloc(0), end),
          lost,
        ),
        single(
          cutAt('half of the first line', books, (bytes) => bytes.subarray(0, 8), end),
          lost,
        ),
        single(
          cutAt('half of the head', books, (bytes) => bytes.subarray(0, headOf(bytes) / 2), end),
          lost,
        ),
        single(
          cutAt('the head alone', books, (bytes) => bytes.subarray(0, headOf(bytes)), end),
          lost,
        ),
        single(
          cutAt('half a body', books, (bytes) => bytes.subarray(0, headOf(bytes) + 40), end),
          lost,
        ),
        single(
          cutAt('all but one byte', books, (bytes) => bytes.subarray(0, bytes.length - 1), end),
          lost,
        ),
      );
    }
  }
  return cases;
}
