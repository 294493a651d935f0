import type { Clock } from '../../core/clock.ts';

/** A clock that moves only when a test moves it. */
export interface TestClock extends Clock {
  /** Moves the time forward, and wakes the sleeps that end on the way. */
  advance(ms: number): void;
}

/** Creates a clock; `startAt` in milliseconds since the Unix epoch. */
export function createTestClock(startAt: number): TestClock {
  let now = startAt;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { at: now + Math.max(0, ms), wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => sleepers.delete(sleeper) && reject(signal.reason), { once: true });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
