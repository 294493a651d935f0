/**
 * Liveness of processes: each writes the database's time next to its id once a second, and one that has stopped
 * doing so counts as dead. Process ids have no meaning on another machine.
 */
import type { Pool } from 'pg';
import { schema } from './postgres-connection.ts';

export const heartbeatMs = 1_000;
/** Longer than any pause of a healthy process, and shorter than an order may wait for its response. */
export const deadAfterMs = 8_000;
const forgetAfterMs = 24 * 3_600_000;

export interface Members {
  /** Resolves after the first heartbeat of this process. */
  start(pool: Pool): Promise<void>;
  isAlive(owner: string): boolean;
  /** Marks this process as ended for the others. */
  stop(pool: Pool): Promise<void>;
}

const heartbeatSql = `
  INSERT INTO ${schema}.processes (id, beat_at)
  VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`;
const look = `
  SELECT id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - beat_at AS silent FROM ${schema}.processes`;

/** `recordSuccess` is called after every heartbeat that the database accepted. */
export function createMembers(self: string, recordSuccess: () => void): Members {
  let silences = new Map<string, number>();
  /** Ids that are not in the table, with the number of polls at the first query for each. */
  const unlisted = new Map<string, number>();
  let polls = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const tick = async (pool: Pool): Promise<void> => {
    await pool.query(heartbeatSql, [self]);
    const { rows } = await pool.query<{ id: string; silent: number }>(look);
    silences = new Map(rows.map(({ id, silent }) => [id, Number(silent)]));
    polls += 1;
    recordSuccess();
  };

  const goOn = (pool: Pool): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      tick(pool)
        // While the database cannot be reached, nothing is known, so no process is declared dead.
        .catch(() => undefined)
        .finally(() => goOn(pool));
    }, heartbeatMs);
    timer.unref();
  };

  return {
    start: async (pool) => {
      if (timer || isStopped) return;
      await pool.query(`DELETE FROM ${schema}.processes
        WHERE beat_at < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${forgetAfterMs}`);
      await tick(pool);
      goOn(pool);
    },
    isAlive: (owner) => {
      if (owner === self) return true;
      const silent = silences.get(owner);
      // A heartbeat of the future was written before the database's clock was set back.
      if (silent !== undefined) return Math.abs(silent) <= deadAfterMs;
      // The process may have started after the last poll; if it is still missing some polls later, it has ended.
      const since = unlisted.get(owner) ?? polls;
      unlisted.set(owner, since);
      return polls - since < deadAfterMs / heartbeatMs;
    },
    stop: async (pool) => {
      isStopped = true;
      clearTimeout(timer);
      if (timer) await pool.query(`UPDATE ${schema}.processes SET beat_at = 0 WHERE id = $1`, [self]);
    },
  };
}
