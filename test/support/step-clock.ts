/** A clock for work that waits for nothing but the clock: time stands still while anything happens. */
import type { Clock } from '../../src/core/clock.ts';

export interface StepClock extends Clock {
  /** Moves time on until the work has ended, and wakes whoever sleeps on the way. */
  run<Result>(work: Promise<Result>): Promise<Result>;
  /** Moves time forward, and wakes whoever sleeps on the way. */
  advance(ms: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Lets everything that does not sleep come to its end. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
/** A loop that never ends shall fail, and not hang. */
const maxSteps = 20_000;

export function createStepClock(startAt: number): StepClock {
  let now = startAt;
  const sleepers = new Set<Sleeper>();
  const wakeNext = async (until: number): Promise<boolean> => {
    const [next] = [...sleepers].sort((a, b) => a.at - b.at);
    if (!next || next.at > until) return false;
    sleepers.delete(next);
    now = Math.max(now, next.at);
    next.wake();
    await settle();
    return true;
  };
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((wake, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', stop);
            wake();
          },
        };
        signal?.addEventListener('abort', stop);
        sleepers.add(sleeper);
      }),
    run: async (work) => {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      await settle();
      for (let step = 0; !isDone; step++)
        if (step > maxSteps || !(await wakeNext(Number.POSITIVE_INFINITY))) throw new Error('The work never ends.');
      return work;
    },
    advance: async (ms) => {
      const until = now + ms;
      await settle();
      while (await wakeNext(until));
      now = until;
    },
  };
}
