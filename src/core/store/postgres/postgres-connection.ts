/** Connections to PostgreSQL, each with one transaction at a time. */

import type { Pool, QueryResult } from 'pg';
import type { Clock } from '../../clock.ts';
import type { SqlValue, Statements } from '../engine.ts';
import { toStoreError } from './postgres-errors.ts';

const connectMs = 5_000;
/** The limit for one statement; also the limit for an idle transaction. */
const statementMs = 10_000;
/** The limit for waiting for a lock that another process holds. */
const lockMs = 5_000;

export const schema = 'brokerage_mcp';
/** The advisory lock of writers: one at a time, as in SQLite. The number is arbitrary. */
export const writersLock = 7_236_415_002;

/**
 * All settings in one message, so that a transaction starts with one round trip. Each setting ends with the
 * transaction, so it is safe behind a connection pooler.
 */
const common = `
  SET LOCAL search_path = ${schema};
  SET LOCAL lock_timeout = ${lockMs};
  SET LOCAL statement_timeout = ${statementMs};
  SET LOCAL idle_in_transaction_session_timeout = ${statementMs};`;
const stamp = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now;';
/**
 * READ COMMITTED lets each statement see what was committed before it, so statements after the lock see all changes
 * made under it. A stricter default level of the database would show the state before the lock.
 */
export const beginUnderLock = 'BEGIN ISOLATION LEVEL READ COMMITTED;';
export const beginStatements = {
  // A commit must survive a crash of the server, even if `synchronous_commit` is off by default there.
  write: `${beginUnderLock} ${common}
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT pg_advisory_xact_lock(${writersLock}); ${stamp}`,
  read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${common} ${stamp}`,
} as const;

const int8 = 20;
/** One connection for writes, one for heartbeats, the others for reads. */
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
      // Times and counters are integers that JavaScript represents exactly.
      getTypeParser: ((oid: number, format: never) =>
        oid === int8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A connection can break at any time, also while idle; the next query reports it, so the event needs no other
  // handling.
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
 * Runs one transaction. Resolves after the server has confirmed the commit. If the connection breaks during it,
 * throws `store_unavailable`, and the commit may or may not have happened, as after a crash of the machine. Errors
 * of `work` are thrown unchanged.
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
  /** After an error that the server did not send, the state of the connection is unknown, so it is discarded. */
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
    // After a failed statement, the server responds to COMMIT with ROLLBACK and no error.
    if ((await ask('COMMIT')).command !== 'COMMIT') throw new Error('a statement of this change failed');
    return result;
  } catch (error) {
    // The database has rolled back if it cannot be reached; the caller has the first error.
    if (!isBroken) await ask('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

function raise(error: unknown): never {
  throw toStoreError(error);
}

// Differences between PostgreSQL and SQLite: numbered placeholders, no NUL in text, and the collation of text.

const numbered = new Map<string, string>();

/** Replaces `?` by `$1`, `$2`, … The statements of this folder have no other question mark. */
export function toNumberedPlaceholders(sql: string): string {
  let ready = numbered.get(sql);
  if (ready === undefined) {
    let count = 0;
    ready = sql.replace(/\?/g, () => `$${++count}`);
    numbered.set(sql, ready);
  }
  return ready;
}

/** PostgreSQL rejects NUL in text, so it is replaced by the replacement character. */
export const replaceNul = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;

/** Compares text byte by byte, as SQLite does, so that the order of rows does not depend on the server's locale. */
export const withPlainText = (sql: string): string => sql.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
