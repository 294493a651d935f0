/** Time of the model: it moves only when the model moves it, and costs no real time between two sleepers. */
import type { Clock } from '../../../../../src/core/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export interface VirtualClock extends Clock {
  /** Time that no setting of the clock changes: the broker’s (ms). */
  real(): number;
  /** Lets time pass. `settle` runs until nothing but time can change anything. */
  pass(ms: number, settle: () => Promise<void>): Promise<void>;
  /** Sets the clock of the machine by this much (ms); sleepers wake as if it had not been set. */
  set(ms: number): void;
}

export function createVirtualClock(startAt: number): VirtualClock {
  let real = startAt;
  let offset = 0;
  const sleepers = new Set<Sleeper>();
  const getNext = (): Sleeper | undefined => {
    let next: Sleeper | undefined;
    for (const sleeper of sleepers) if (!next || sleeper.at < next.at) next = sleeper;
    return next;
  };
  return {
    now: () => real + offset,
    real: () => real,
    set: (ms) => {
      offset += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          at: real + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        signal?.addEventListener('abort', stop, { once: true });
        sleepers.add(sleeper);
      }),
    pass: async (ms, settle) => {
      const until = real + ms;
      await settle();
      for (let next = getNext(); next && next.at <= until; next = getNext()) {
        sleepers.delete(next);
        real = Math.max(real, next.at);
        next.wake();
        await settle();
      }
      real = until;
    },
  };
}
