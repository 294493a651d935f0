/**
 * Who is alive: every process writes the database's time beside its name once a second, and one that
 * has not done so for a while is taken for dead. Process ids mean nothing on another machine.
 */
import type { Pool } from 'pg';
import { schema } from './connection.ts';

export const heartbeatMs = 1_000;
/** Longer than any pause of a healthy process; shorter than the answer to an order may take. */
export const deadAfterMs = 8_000;
const forgetAfterMs = 24 * 3_600_000;

export interface Members {
  /** Resolves when this process is on the list for the first time. */
  start(pool: Pool): Promise<void>;
  isAlive(owner: string): boolean;
  /** Tells the others that this process has ended. */
  stop(pool: Pool): Promise<void>;
}

const heartbeatSql = `
  INSERT INTO ${schema}.processes (id, beat_at)
  VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`;
const look = `
  SELECT id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - beat_at AS silent FROM ${schema}.processes`;

/** `recordSuccess` is called whenever the database took a sign of life. */
export function createMembers(self: string, recordSuccess: () => void): Members {
  let silences = new Map<string, number>();
  /** When a name was first asked for that is not on the list, by the number of looks since. */
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
      // While the database is away nothing is known: nobody is declared dead by that.
      tick(pool)
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
      if (silent !== undefined) return silent <= deadAfterMs;
      // Perhaps it began after the last look; if it is still not there some looks later, it has ended.
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
