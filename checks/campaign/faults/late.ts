/** Responses that arrive late, and responses that never arrive. */
import type { Fault } from '../upstream.ts';
import { answerBytes, reset } from '../wire.ts';
import { asText, type Case, lost, single } from './case.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Late, but in time. */
export function late(): Case[] {
  const inPieces: Fault = {
    name: 'a slow body',
    books: true,
    play: async (scene) => {
      const bytes = answerBytes({ status: 200, body: asText(scene), headers: { connection: 'close' } });
      const step = Math.ceil(bytes.length / 8);
      for (let at = 0; at < bytes.length; at += step) {
        await scene.write(bytes.subarray(at, at + step));
        await pause(40);
      }
      scene.socket.end();
    },
  };
  const early: Fault = {
    name: 'a 100 and a 103 first',
    books: true,
    play: async (scene) => {
      await scene.write(Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'));
      await scene.answer({ status: 200, body: asText(scene) });
    },
  };
  // Lost first, and booked only afterwards: the first search finds nothing.
  const bookedLate: Fault = {
    name: 'booked late',
    books: false,
    play: async (scene) => {
      reset(scene.socket);
      await pause(700);
      scene.book();
    },
  };
  // Some parsers treat an interim response as an error: then the outcome is unknown, which is correct too.
  return [single(inPieces, ['placed']), single(early, ['placed', 'unknown']), single(bookedLate, lost)];
}

/** Longer than the deadline of the response. */
export const hang = (books: boolean, half: boolean): Case =>
  single(
    {
      name: `hang${half ? ' after half an answer' : ''}${books ? ', booked' : ''}`,
      books,
      play: async (scene) => {
        if (half) await scene.write(answerBytes({ status: 200, body: asText(scene) }).subarray(0, 300));
        await new Promise<void>((resolve) => {
          scene.socket.once('close', () => resolve());
          setTimeout(resolve, 25_000).unref();
        });
      },
    },
    lost,
  );
