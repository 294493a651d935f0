/**
 * A database that does not answer is left alone for a moment. Whoever finds that out has waited for seconds, and a
 * call asks the store many times: if each question waited as long, no call would end in its time.
 */
import type { Clock } from '../../clock.ts';
import { isTimeout } from './postgres-errors.ts';

/** Shorter than anybody minds when it is back; long enough for a call to come to its end without it. */
const leftAloneMs = 5_000;
/** Whoever was heard so lately is there, and it is one connection that is dead. Signs of life go out every second. */
const recentlyMs = 3_000;

export interface CircuitBreaker {
  /** Throws what was said last while the database is left alone. */
  throwIfOpen(): void;
  /** Told of everything that failed. */
  recordFailure(error: unknown): void;
  /** The database has just answered somebody. */
  recordSuccess(): void;
}

export function createCircuitBreaker(clock: Pick<Clock, 'now'>): CircuitBreaker {
  let heardAt = Number.NEGATIVE_INFINITY;
  let last: { readonly error: unknown; readonly at: number } | undefined;
  return {
    throwIfOpen: () => {
      if (!last) return;
      const since = clock.now() - last.at;
      // A clock that was set back makes nobody wait for longer.
      if (since >= 0 && since < leftAloneMs) throw last.error;
    },
    recordFailure: (error) => {
      // What was only repeated here is no news.
      if (!isTimeout(error) || error === last?.error || clock.now() - heardAt < recentlyMs) return;
      last = { error, at: clock.now() };
    },
    recordSuccess: () => {
      heardAt = clock.now();
      last = undefined;
    },
  };
}
