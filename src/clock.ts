/** Time as a parameter: nothing in this program reads the wall clock or sets a timer for waiting by itself. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` of this clock's time; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.max(0, ms),
      );
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

export interface ManualClock extends Clock {
  /** Moves time forward and wakes, in order, everyone whose sleep ends on the way. */
  advance(ms: number): Promise<void>;
  /** How many sleeps are waiting. */
  readonly sleepers: number;
}

interface Sleeper {
  at: number;
  wake: () => void;
}

/**
 * A clock that only moves when it is told to. With `auto`, it jumps to the next sleeper whenever
 * somebody sleeps, so that a test of a minute's wait takes a millisecond.
 */
export function createManualClock(options: { startAt: number; auto?: boolean }): ManualClock {
  let now = options.startAt;
  let sleepers: Sleeper[] = [];
  let jumping = false;

  const wakeUntil = async (until: number) => {
    for (;;) {
      const next = sleepers.filter((sleeper) => sleeper.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      sleepers = sleepers.filter((sleeper) => sleeper !== next);
      now = Math.max(now, next.at);
      next.wake();
      await letOthersRun();
    }
    now = Math.max(now, until);
  };

  const jump = async () => {
    if (jumping) return;
    jumping = true;
    while (sleepers.length > 0) {
      await letOthersRun();
      if (sleepers.length > 0) await wakeUntil(Math.min(...sleepers.map((sleeper) => sleeper.at)));
    }
    jumping = false;
  };

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        signal?.addEventListener('abort', stop, { once: true });
        sleepers.push(sleeper);
        if (options.auto) void jump();
      }),
    advance: (ms) => wakeUntil(now + ms),
    get sleepers() {
      return sleepers.length;
    },
  };
}

/** Gives real input and output (sockets, promises) a turn before virtual time moves again. */
const letOthersRun = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
