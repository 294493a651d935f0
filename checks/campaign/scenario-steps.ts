/** The moments of an order as they are seen from outside, and an action in one of them. */
import type { Random } from './random.ts';
import type { Fault, Upstream } from './upstream.ts';
import { answerBytes } from './wire.ts';

export const steps = [
  'connection accepted',
  'head arrived',
  'request read',
  'half an answer',
  'answered',
  'any time',
] as const;
/** `no answer`: the request was read, and the other side hangs until the connection is closed. */
export type Step = (typeof steps)[number] | 'no answer';

export interface Moment {
  readonly quantity: string;
  readonly step: Step;
  readonly books: boolean;
  /** Reads of the account that come before the order's own connection. */
  readonly reads: number;
  readonly action: () => void;
}

const longestMs = 250;
const longestHangMs = 8_000;
/** Long enough for the effects of the action to arrive in between. */
const afterMs = 15;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Plans the action. `begin` is called right before the call is made. */
export function at(upstream: Upstream, random: Random, moment: Moment): { begin: () => void } {
  const { quantity, step, books, action } = moment;
  const answer: Fault['play'] = (scene) =>
    scene.answer({ status: books ? 200 : 503, body: JSON.stringify(scene.order) });
  const plan = (fault: Partial<Fault>) => upstream.plan(quantity, { name: step, books, play: answer, ...fault });
  plan({});
  switch (step) {
    case 'connection accepted':
      return { begin: () => upstream.onNextConnection(moment.reads, action) };
    case 'head arrived':
      plan({
        onHead: () => {
          action();
          return false;
        },
      });
      break;
    case 'request read':
      plan({
        play: async (scene) => {
          action();
          await pause(afterMs);
          await answer(scene);
        },
      });
      break;
    case 'no answer':
      plan({
        play: async ({ socket }) => {
          action();
          await Promise.race([new Promise((resolve) => socket.once('close', resolve)), pause(longestHangMs)]);
        },
      });
      break;
    case 'half an answer':
      plan({
        play: async (scene) => {
          const bytes = answerBytes({ status: books ? 200 : 503, body: JSON.stringify(scene.order) });
          await scene.write(bytes.subarray(0, bytes.length / 2));
          action();
          await pause(afterMs);
          await scene.write(bytes.subarray(bytes.length / 2));
          scene.socket.end();
        },
      });
      break;
    case 'answered':
      plan({
        play: async (scene) => {
          await answer(scene);
          action();
        },
      });
      break;
    case 'any time':
      return { begin: () => void setTimeout(action, random.next() * longestMs) };
  }
  return { begin: () => undefined };
}
