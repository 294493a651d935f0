/** The scripted model: makes the calls of the evaluation and reports their results. */
import type { Args, Body, Computed, Eval, Hands, Model, Step } from '../types.ts';

const resolve = <Value>(computed: Computed<Value>, bodies: readonly Body[]): Value =>
  typeof computed === 'function' ? (computed as (bodies: readonly Body[]) => Value)(bodies) : computed;

/** More than the parts of any list here. */
const mostRepeats = 50;

export async function makeCalls(steps: readonly Step[], hands: Hands): Promise<Body[]> {
  const bodies: Body[] = [];
  for (const { tool, args = {}, again, server, afterSeconds } of steps) {
    if (afterSeconds !== undefined) await new Promise((done) => setTimeout(done, afterSeconds * 1000));
    let next: Args | undefined = resolve(args, bodies);
    for (let count = 0; next && count < mostRepeats; count++) {
      bodies.push((await hands.call(tool, next, server)).body);
      next = again?.(bodies);
    }
  }
  return bodies;
}

export const ideal: Model = {
  name: 'ideal',
  play: async ({ calls, answer }: Eval, hands) => ({ figures: answer(await makeCalls(calls, hands)) }),
};
