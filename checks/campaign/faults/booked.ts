/** Responses to an order that was booked, for processes that ask at the same time. */
import { pause } from '../scenario-run.ts';
import type { Fault } from '../upstream.ts';
import { reset } from '../wire.ts';

/** Slower responses give the processes more time to interfere with each other. */
export const slowAnswer = (ms: number): Fault => ({
  name: `answered after ${ms} ms`,
  books: true,
  play: async (scene) => {
    await pause(ms);
    await scene.answer({ status: 200, body: JSON.stringify(scene.order) });
  },
});
export const lostAnswer: Fault = { name: 'lost, booked', books: true, play: ({ socket }) => reset(socket) };
export const failure: Fault = { name: '503, booked', books: true, play: (scene) => scene.answer({ status: 503 }) };
