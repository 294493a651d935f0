/** Migrates the tables to this program's version, once for all machines. */
import type { Pool } from 'pg';
import { newerSchemaError } from '../engine.ts';
import { migrationsFor } from '../migrations.ts';
import { beginUnderLock, schema, withPlainText } from './postgres-connection.ts';
import { sharedStoreUnavailable } from './postgres-errors.ts';

const migrations = migrationsFor('postgres');
/** Prevents two processes that start on an empty database from both creating the schema. The number is arbitrary. */
const migrationLock = 7_236_415_001;

/**
 * Migrates under a lock; does nothing when the version is current. Throws `store_unavailable` for a newer version,
 * or a server with `fsync = off`.
 */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionNow(client)) === migrations.length) return;
    await client.query(
      `${beginUnderLock} SET LOCAL lock_timeout = 5000; SELECT pg_advisory_xact_lock(${migrationLock})`,
    );
    try {
      // Read again under the lock, because another machine may have migrated first.
      const from = await versionNow(client);
      if (from > migrations.length) throw newerSchemaError('shared');
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET LOCAL search_path = ${schema};
        CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)`);
      for (const statements of migrations.slice(from))
        for (const sql of statements) await client.query(withPlainText(sql));
      await client.query(`DELETE FROM version; INSERT INTO version VALUES (${migrations.length})`);
      await client.query('COMMIT');
    } catch (error) {
      // The database has rolled back if it cannot be reached; the caller has the first error.
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  } finally {
    client.release();
  }
}

/**
 * Reads the version from the catalogue tables, because `to_regclass` may have cached from before the lock that the
 * table did not exist. Also rejects a server with `fsync = off`, whose commits a crash can undo.
 */
async function versionNow(client: { query(sql: string): Promise<{ rows: unknown[] }> }): Promise<number> {
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = '${schema}' AND tablename = 'version') AS exists,
       current_setting('fsync') AS fsync`,
  );
  const [{ exists, fsync } = { exists: false, fsync: '' }] = rows as { exists: boolean; fsync: string }[];
  if (fsync === 'off')
    throw sharedStoreUnavailable('fsync_off', 'it runs with fsync = off, so a crash would lose orders');
  if (!exists) return 0;
  const { rows: versions } = await client.query(`SELECT version FROM ${schema}.version`);
  return (versions as { version: number }[])[0]?.version ?? 0;
}
