/**
 * A circuit breaker for the database. A timeout takes seconds, and one call uses the store many times: if each use
 * waited as long, no call would finish in time.
 */
import type { Clock } from '../../clock.ts';
import { isTimeout } from './postgres-errors.ts';

/**
 * How long the breaker stays open: short enough to recover quickly, long enough that one call does not hit several
 * timeouts.
 */
const leftAloneMs = 5_000;
/**
 * If the database responded within this time, a timeout means one dead connection, not an outage. Heartbeats are
 * sent every second.
 */
const recentlyMs = 3_000;

export interface CircuitBreaker {
  /** Throws the last error while the breaker is open. */
  throwIfOpen(): void;
  /** Records a failure. A timeout opens the breaker, unless the database responded just before. */
  recordFailure(error: unknown): void;
  /** Records a response of the database, which closes the breaker. */
  recordSuccess(): void;
}

export function createCircuitBreaker(clock: Pick<Clock, 'now'>): CircuitBreaker {
  let heardAt = Number.NEGATIVE_INFINITY;
  let last: { readonly error: unknown; readonly at: number } | undefined;
  return {
    throwIfOpen: () => {
      if (!last) return;
      const since = clock.now() - last.at;
      // A clock that was set back must not extend the open time.
      if (since >= 0 && since < leftAloneMs) throw last.error;
    },
    recordFailure: (error) => {
      // An error that the breaker itself threw is not a new failure.
      if (!isTimeout(error) || error === last?.error || clock.now() - heardAt < recentlyMs) return;
      last = { error, at: clock.now() };
    },
    recordSuccess: () => {
      heardAt = clock.now();
      last = undefined;
    },
  };
}
