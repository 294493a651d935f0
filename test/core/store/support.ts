/** Databases of both engines, each separate and removed after the test. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { Engine } from '../../../src/core/store/engine.ts';
import { writersLock } from '../../../src/core/store/postgres/postgres-connection.ts';
import { createPostgresEngine, type PostgresEngine } from '../../../src/core/store/postgres/postgres-engine.ts';
import { openDatabase } from '../../../src/core/store/sqlite/binding.ts';
import { createSqliteEngine } from '../../../src/core/store/sqlite/sqlite-engine.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { administer, createDatabase } from '../../support/postgres.ts';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openEngine(path = join(tempFolder(), 'state', 'store.sqlite')): Engine & { readonly path: string } {
  const engine = createSqliteEngine({ path, clock: systemClock, random: () => 0.5 });
  onTestFinished(() => engine.close());
  return { ...engine, path };
}

/** SQLite in memory, for what does not depend on the file. */
export async function openMemory(): Promise<Engine> {
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  return engine;
}

export function openPostgres(url: string, self = 'test'): PostgresEngine {
  const engine = createPostgresEngine({ url, clock: systemClock, self });
  onTestFinished(() => engine.close());
  return engine;
}

/** What every test of both engines needs to do with a database. */
export interface TestDatabase {
  /** For another process: see write-loop.ts. */
  readonly address: string;
  /** Each call is a program of its own. */
  open(): Engine;
  /** Changes made outside the program; the guards of the audit trail are disabled before. */
  tamper(sql: string): Promise<void>;
  /** Holds the write lock until the returned function is called. */
  hold(): Promise<() => Promise<void>>;
}

const sqlite = async (): Promise<TestDatabase> => {
  const path = join(tempFolder(), 'state', 'store.sqlite');
  return {
    address: path,
    open: () => openEngine(path),
    tamper: async (sql) => {
      const db = await openDatabase(path);
      db.exec('DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_deleted');
      db.exec(sql);
      db.close();
    },
    hold: async () => {
      const db = await openDatabase(path);
      db.exec('BEGIN IMMEDIATE');
      return async () => {
        db.exec('ROLLBACK');
        db.close();
      };
    },
  };
};

/** As another program does in the middle of a change. */
async function holdPostgres(address: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${writersLock})`);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}

const postgres = async (): Promise<TestDatabase> => {
  const address = await createDatabase();
  return {
    address,
    open: () => openPostgres(address),
    tamper: async (sql) => {
      await administer(address, `SET search_path = brokerage_mcp; ALTER TABLE audit DISABLE TRIGGER ALL; ${sql}`);
    },
    hold: () => holdPostgres(address),
  };
};

export const databases: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
];

/** A record of the audit trail as the database has it. */
export interface Stored {
  readonly seq: number;
  readonly at: number;
  readonly environment: string;
  readonly kind: string;
  readonly data: string;
  readonly previous: string;
  readonly hash: string;
}

/** SHA-256 over the record and the hash of the one before, written a second time. */
export const hashOf = ({ seq, at, environment, kind, data, previous }: Omit<Stored, 'hash'>): string =>
  createHash('sha256')
    .update(JSON.stringify([Number(seq), Number(at), environment, kind, data, previous]))
    .digest('hex');
