/**
 * PostgreSQL, for several machines. One lock serialises writers, so a change sees all changes before it, as in
 * SQLite. When the server cannot be reached, every function throws `store_unavailable`; the next use reconnects
 * automatically.
 */

import pLimit from 'p-limit';
import type { Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { hasCode } from '../../errors.ts';
import { orElse } from '../../log.ts';
import type { Engine } from '../engine.ts';
import { createMembers } from './heartbeat.ts';
import { migrate } from './migrate.ts';
import { type beginStatements, maxConnections, openPool, transaction } from './postgres-connection.ts';
import { isTimeout, sharedStoreUnavailable, toStoreError } from './postgres-errors.ts';

export interface PostgresEngine extends Engine {
  readonly clock: DatabaseClock;
  isAlive(owner: string): boolean;
}

/** `self` is the id of this process among those that share the database; `clock` is this machine's. */
export function createPostgresEngine(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly self: string;
}): PostgresEngine {
  const clock = createDatabaseClock(options.clock);
  const silence = createCircuitBreaker(options.clock);
  const members = createMembers(options.self, silence.recordSuccess);
  // One write at a time; the remaining connections are for reads. Waiting happens here, before a connection is taken,
  // so that no connection timeout runs.
  const lanes = { write: pLimit(1), read: pLimit(maxConnections - 2) };
  let opening: Promise<Pool> | undefined;
  let pool: Pool | undefined;
  let isClosed = false;

  const open = async (): Promise<Pool> => {
    pool ??= await openPool(options.url);
    await migrate(pool);
    await members.start(pool);
    return pool;
  };

  const opened = (): Promise<Pool> => {
    if (isClosed) throw sharedStoreUnavailable('ending', 'this process is ending');
    opening ??= open().catch((error: unknown) => {
      // The next use tries again.
      opening = undefined;
      const failure = toStoreError(error);
      silence.recordFailure(failure);
      throw failure;
    });
    return opening;
  };

  const run =
    (kind: keyof typeof beginStatements): Engine['write'] =>
    async (work) => {
      silence.throwIfOpen();
      const pool = await opened();
      try {
        return await lanes[kind](async () => {
          // The breaker may have opened while this call waited for its turn.
          silence.throwIfOpen();
          return transaction(pool, kind, options.clock, clock.recordTimestamp, work);
        });
      } catch (error) {
        silence.recordFailure(error);
        // After an outage the database may have another version or be empty, so the next use checks it again.
        if (hasCode(error, 'store_unavailable')) opening = undefined;
        throw error;
      }
    };

  return {
    clock,
    isAlive: members.isAlive,
    write: run('write'),
    read: run('read'),
    close: async () => {
      isClosed = true;
      await opening?.catch(orElse('the store', undefined));
      if (!pool) return;
      // The database may be gone, and then nothing is left to end.
      await members.stop(pool).catch(() => undefined);
      // As above.
      await pool.end().catch(() => undefined);
    },
  };
}

// The clock that several machines share is the database's. Every transaction measures how far this machine's clock
// is off. The server's timestamp was taken between request and response, so the true offset lies between two
// bounds; the offset in use moves only as far as a new measurement requires.

interface DatabaseClock extends Clock {
  /** Records that the database's clock showed `stampedAt` (ms) between these two times of this machine's clock. */
  recordTimestamp(stamp: { readonly stampedAt: number; readonly askedAt: number; readonly answeredAt: number }): void;
  /** How far the database's clock is ahead of this machine's, in ms; undefined before the first measurement. */
  ahead(): number | undefined;
}

export function createDatabaseClock(own: Clock): DatabaseClock {
  let ahead: number | undefined;
  return {
    now: () => Math.round(own.now() + (ahead ?? 0)),
    sleep: own.sleep,
    recordTimestamp: ({ stampedAt, askedAt, answeredAt }) => {
      // This machine's times have a resolution of one millisecond, so each bound is widened by one.
      const [least, most] = [stampedAt - answeredAt - 1, stampedAt - askedAt + 1];
      ahead = ahead === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, ahead));
    },
    ahead: () => ahead,
  };
}

// A circuit breaker for the database. A timeout takes seconds, and one call uses the store many times: if each use
// waited as long, no call would finish in time.

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

interface CircuitBreaker {
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
