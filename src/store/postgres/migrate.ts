/** Brings the tables to this program's version, once for all machines. */
import type { Pool } from 'pg';
import { newerSchemaError } from '../engine.ts';
import { migrationsFor } from '../migrations.ts';
import { beginUnderLock, schema } from './connection.ts';
import { withPlainText } from './dialect.ts';
import { sharedStoreUnavailable } from './postgres-errors.ts';

const migrations = migrationsFor('postgres');
/** Two that start at once on an empty database would both create the schema. Any number would do. */
const migrationLock = 7_236_415_001;

export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionNow(client)) === migrations.length) return;
    await client.query(
      `${beginUnderLock} SET LOCAL lock_timeout = 5000; SELECT pg_advisory_xact_lock(${migrationLock})`,
    );
    try {
      // Asked again under the lock: another machine may have been first.
      const from = await versionNow(client);
      if (from > migrations.length) throw newerSchemaError('shared');
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET LOCAL search_path = ${schema};
        CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)`);
      for (const statements of migrations.slice(from))
        for (const sql of statements) await client.query(withPlainText(sql));
      await client.query(`DELETE FROM version; INSERT INTO version VALUES (${migrations.length})`);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  } finally {
    client.release();
  }
}

/**
 * Asked of the catalogue as a table: `to_regclass` may remember that there was none before the lock.
 * Also the place where a server is refused that tells of commits which a crash would take back.
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
