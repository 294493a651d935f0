/**
 * PostgreSQL, for several machines. One lock serialises writers, so a change sees all changes before it, as in
 * SQLite. When the server cannot be reached, every function throws `store_unavailable`; the next use reconnects
 * automatically.
 */
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import { orElse } from '../../log.ts';
import type { Engine } from '../engine.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { type beginStatements, maxConnections, openPool, transaction } from './connection.ts';
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts';
import { createMembers } from './heartbeat.ts';
import { migrate } from './migrate.ts';
import { sharedStoreUnavailable, toStoreError } from './postgres-errors.ts';

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
        if (error instanceof BrokerageError && error.code === 'store_unavailable') opening = undefined;
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
