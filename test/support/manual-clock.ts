/** Time that only moves when a test moves it. */
import { subscribe } from 'node:diagnostics_channel';
import type { Clock } from '../../src/core/clock.ts';

export interface ManualClock extends Clock {
  /** Whether it jumps to the next sleeper; a test of the time between two sleeps disables it. */
  jumps: boolean;
  /** Moves time forward and wakes, in order, every sleeper whose sleep ends on the way. */
  advance(ms: number): Promise<void>;
  /** How many sleeps are waiting. */
  readonly sleepers: number;
}

interface Sleeper {
  at: number;
  wake: () => void;
}

/**
 * The requests of this process without a response yet, with the turns that each has been waited for. Counted in turns
 * and not in milliseconds: on a busy machine the service of the test is as slow as its client.
 */
const openRequests = new Map<unknown, number>();
const forget = (message: unknown) => void openRequests.delete((message as { request: unknown }).request);
subscribe('undici:request:create', (message) => {
  openRequests.set((message as { request: unknown }).request, 0);
});
subscribe('undici:request:trailers', forget);
subscribe('undici:request:error', forget);

/** After this many turns a request hangs on purpose, and time continues without its response. */
const maxTurns = 40;

/** Gives real input and output (sockets, promises) a turn, and lets requests complete. */
async function letOthersRun(): Promise<void> {
  do {
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    for (const [request, turns] of openRequests) openRequests.set(request, turns + 1);
  } while ([...openRequests.values()].some((turns) => turns < maxTurns));
}

/**
 * A clock that only moves on request. With `auto`, it jumps to the next sleeper whenever a process sleeps and no
 * request is in flight, so that a test of a minute's wait takes a millisecond.
 */
export function createManualClock(options: { startAt: number; auto?: boolean }): ManualClock {
  let now = options.startAt;
  let sleepers: Sleeper[] = [];
  let jumping = false;
  let jumps = options.auto ?? false;

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
    if (jumping || !jumps) return;
    jumping = true;
    await letOthersRun();
    while (jumps && sleepers.length > 0) await wakeUntil(Math.min(...sleepers.map((sleeper) => sleeper.at)));
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
        void jump();
      }),
    advance: (ms) => wakeUntil(now + ms),
    get jumps() {
      return jumps;
    },
    set jumps(on) {
      jumps = on;
      void jump();
    },
    get sleepers() {
      return sleepers.length;
    },
  };
}
