/** Connections to PostgreSQL, and one transaction at a time on each. */
import type { Pool, QueryResult } from 'pg';
import type { Clock } from '../../clock.ts';
import type { SqlValue, Statements } from '../engine.ts';
import { replaceNul, toNumberedPlaceholders } from './dialect.ts';
import { toStoreError } from './postgres-errors.ts';

export const connectMs = 5_000;
/** The longest for one statement, and for anything that somebody else holds. */
export const statementMs = 10_000;
const lockMs = 5_000;

export const schema = 'brokerage_mcp';
/** Whoever holds it is the one who writes: as in SQLite there is one at a time. Any number would do. */
export const writersLock = 7_236_415_002;

/** All in one message: a transaction begins with one round trip. Each setting ends with the transaction, so a pooler in between does no harm. */
const common = `
  SET LOCAL search_path = ${schema};
  SET LOCAL lock_timeout = ${lockMs};
  SET LOCAL statement_timeout = ${statementMs};
  SET LOCAL idle_in_transaction_session_timeout = ${statementMs};`;
const stamp = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now;';
/**
 * Each statement sees what was committed before it, so what comes after the lock sees all that others did under
 * it. Under the stricter levels, which a database may be set to, everything is seen as it was before the lock.
 */
export const beginUnderLock = 'BEGIN ISOLATION LEVEL READ COMMITTED;';
export const beginStatements = {
  // What was committed must outlive a crash of the server, even where somebody chose otherwise for the whole of it.
  write: `${beginUnderLock} ${common}
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT pg_advisory_xact_lock(${writersLock}); ${stamp}`,
  read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${common} ${stamp}`,
} as const;

const int8 = 20;
/** One for writing, one for the signs of life, the others for reading. */
export const maxConnections = 5;

export async function openPool(url: string): Promise<Pool> {
  const { Pool, types } = await import('pg');
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + 2_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'brokerage-mcp',
    types: {
      // Times and counters are whole numbers that JavaScript holds exactly.
      getTypeParser: ((oid: number, format: never) =>
        oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A connection may break at any time, idle or between two statements: whoever asks next is told, nobody else.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export interface DatabaseTimestamp {
  readonly stampedAt: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * One transaction. It resolves after the server said that it was committed; when the connection broke
 * on the way it throws `store_unavailable`, and whether it was committed is not known, as with a crash
 * of the machine. What `work` throws by itself passes as it is.
 */
export async function transaction<Result>(
  pool: Pool,
  kind: keyof typeof beginStatements,
  own: Clock,
  onStamp: (stamp: DatabaseTimestamp) => void,
  work: (db: Statements) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch(raise);
  let isBroken = false;
  /** After an error that is not the server's own word, nobody knows what the connection is in the middle of. */
  const ask = (sql: string, values?: SqlValue[]): Promise<QueryResult> =>
    client.query(toNumberedPlaceholders(sql), values?.map(replaceNul)).catch((error: unknown) => {
      isBroken ||= !(error instanceof Error && 'severity' in error);
      return raise(error);
    });
  try {
    const askedAt = own.now();
    const answers = (await ask(beginStatements[kind])) as unknown as { rows: { now: number }[] }[];
    onStamp({ stampedAt: answers.at(-1)?.rows[0]?.now ?? Number.NaN, askedAt, answeredAt: own.now() });
    const result = await work({
      all: async <Row>(sql: string, ...values: SqlValue[]) => (await ask(sql, values)).rows as Row[],
      run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
    });
    // After a statement that failed, COMMIT is answered with ROLLBACK and without an error.
    if ((await ask('COMMIT')).command !== 'COMMIT') throw new Error('a statement of this change failed');
    return result;
  } catch (error) {
    if (!isBroken) await ask('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function raise(error: unknown): never {
  throw toStoreError(error);
}
