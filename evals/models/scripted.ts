/** The scripted model: makes the calls of the evaluation and reports their results. */
import type { Args, Body, Computed, Eval, Hands, Model, Step, ToolStep } from '../types.ts';

const resolve = <Value>(computed: Computed<Value>, bodies: readonly Body[]): Value =>
  typeof computed === 'function' ? (computed as (bodies: readonly Body[]) => Value)(bodies) : computed;

/** More than the parts of any list here. */
const mostRepeats = 50;

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

export async function makeCalls(steps: readonly Step[], hands: Hands): Promise<Body[]> {
  const bodies: Body[] = [];
  const running: Promise<void>[] = [];
  for (const step of steps) {
    if (step.afterSeconds !== undefined) await pause(step.afterSeconds);
    if (!('tool' in step)) bodies.push(await hands.run(resolve(step.command, bodies)));
    else if (step.runsOn) running.push(startCall(step, bodies, hands));
    else await makeCall(step, bodies, hands);
  }
  await Promise.all(running);
  return bodies;
}

async function makeCall(
  { tool, args = {}, again, everySeconds = 0, server }: ToolStep,
  bodies: Body[],
  hands: Hands,
): Promise<void> {
  let next: Args | undefined = resolve(args, bodies);
  for (let count = 0; next && count < mostRepeats; count++) {
    if (count > 0) await pause(everySeconds);
    bodies.push((await hands.call(tool, next, server)).body);
    next = again?.(bodies);
  }
}

/** Resolves when the result has taken its place among the bodies. */
async function startCall({ tool, args = {}, server }: ToolStep, bodies: Body[], hands: Hands): Promise<void> {
  const called = hands.call(tool, resolve(args, bodies), server);
  const at = bodies.push({}) - 1;
  bodies[at] = (await called).body;
}

export const ideal: Model = {
  name: 'ideal',
  play: async ({ calls, answer }: Eval, hands) => ({ figures: answer(await makeCalls(calls, hands)) }),
};
